import { Type } from 'typebox';
import { keepAnswer } from '../../access/idempotency/idempotency.hook.ts';
import { operation } from '../../access/operations/operation.ts';
import type { Db } from '../../platform/db/connect.ts';
import { integer, named, text } from '../../platform/http/api-components.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { EXAMPLE_PAYER } from '../../supply/stores/example-store.ts';
import { deletePaymentMethod } from './delete-card.flow.ts';
import { presentPaymentMethod, USER_ID } from './payment-method.ts';
import { listPaymentMethods } from './payment-methods.db.ts';

/** Maximum payment methods per answer, newest first. */
const MAX_LISTED_METHODS = 100;

const PaymentMethodSchema = Type.Object(
  {
    payment_method_id: text('Send this ID to pay for an order.'),
    brand: text('The brand, such as `visa`.'),
    last4: text("The card's last four digits."),
    expiration_month: integer('The month, from 1 to 12.'),
    expiration_year: integer('The year in four digits.'),
  },
  named('PaymentMethod', 'A saved card, without its full number.'),
);

const listOperation = operation({
  name: 'listPaymentMethods',
  endpoint: 'GET /payment/list',
  summary: "List a user's payment methods, newest first",
  description: 'Lists the cards saved for your `user_id` with keys of this mode.',
  example: { query: { user_id: EXAMPLE_PAYER.user_id } },
  query: Type.Object({ user_id: USER_ID }),
  answer: Type.Object(
    { payment_methods: Type.Array(PaymentMethodSchema) },
    { description: 'Up to 100 cards. An unknown user returns an empty list.' },
  ),
  on: { account: { scope: 'order' } },
}).run(async ({ db }: { db: Db }, { by: { caller }, query }) => ({
  payment_methods: (await listPaymentMethods(db, caller, query.user_id, MAX_LISTED_METHODS)).map(presentPaymentMethod),
}));

const deleteOperation = operation({
  name: 'deletePaymentMethod',
  endpoint: 'POST /payment/delete',
  summary: 'Delete a payment method',
  description: 'Also deletes the card at the payment gateway.',
  example: { body: { user_id: EXAMPLE_PAYER.user_id, payment_method_id: '{payment_method_id}' } },
  body: Type.Object({
    user_id: USER_ID,
    payment_method_id: Type.String({ minLength: 1, maxLength: 255, description: "The card owner's `user_id`." }),
  }),
  answer: Type.Object(
    { status: Type.Literal('success') },
    { description: 'The card was deleted. Placed orders keep it.' },
  ),
  refuses: ['payment_method_not_found'],
  on: { account: { scope: 'order' } },
}).run(async (deps: { clock: Clock; db: Db; jobs: Jobs }, { by: { caller }, body, claim }) => {
  const method = { userId: body.user_id, paymentMethodId: body.payment_method_id };
  const answer = { status: 'success' } as const;
  if (!(await deletePaymentMethod(deps, caller, method, (tx) => keepAnswer(tx, claim, answer)))) {
    throw new Refusal('payment_method_not_found', 'This user has no such payment method.');
  }
  return answer;
});

/** A user's cards. */
export const PAYMENT_METHOD_OPERATIONS = [deleteOperation, listOperation];
