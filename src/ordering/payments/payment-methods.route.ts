import { Type } from 'typebox';
import { keepAnswer } from '../../access/idempotency/idempotency.hook.ts';
import type { Db } from '../../platform/db/connect.ts';
import { named } from '../../platform/http/api-components.ts';
import type { Http } from '../../platform/http/http.ts';
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
    payment_method_id: Type.String({ description: 'Sent to pay an order.' }),
    brand: Type.String({ description: 'Such as `visa`.' }),
    last4: Type.String({ description: 'The last four digits.' }),
    expiration_month: Type.Integer({ description: '1 to 12.' }),
    expiration_year: Type.Integer({ description: 'Four digits.' }),
  },
  named('PaymentMethod', 'A card, as far as it may be shown.'),
);

const listSchema = {
  operationId: 'listPaymentMethods',
  summary: "List a user's payment methods, newest first",
  description: 'The cards that were saved with keys of this mode for your `user_id`, as far as they may be shown.',
  example: { query: { user_id: EXAMPLE_PAYER.user_id } },
  querystring: Type.Object({ user_id: USER_ID }),
  response: {
    200: Type.Object(
      { payment_methods: Type.Array(PaymentMethodSchema) },
      { description: 'Up to 100; none for a user that is not known.' },
    ),
  },
};

/** GET /payment/list. */
export function listPaymentMethodsRoute(http: Http, { db }: { db: Db }): void {
  http.get('/payment/list', { schema: listSchema, config: { scope: 'order' } }, async ({ caller, query }) => ({
    payment_methods: (await listPaymentMethods(db, caller, query.user_id, MAX_LISTED_METHODS)).map(
      presentPaymentMethod,
    ),
  }));
}

const deleteSchema = {
  operationId: 'deletePaymentMethod',
  summary: 'Delete a payment method',
  description: 'The gateway forgets the card too.',
  example: { body: { user_id: EXAMPLE_PAYER.user_id, payment_method_id: '{payment_method_id}' } },
  body: Type.Object({
    user_id: USER_ID,
    payment_method_id: Type.String({ minLength: 1, maxLength: 255, description: 'Of that user.' }),
  }),
  response: {
    200: Type.Object({ status: Type.Literal('success') }, { description: 'It is gone; orders placed with it stay.' }),
  },
};

/** POST /payment/delete. */
export function deletePaymentMethodRoute(http: Http, deps: { clock: Clock; db: Db; jobs: Jobs }): void {
  http.post(
    '/payment/delete',
    { schema: deleteSchema, config: { scope: 'order', refuses: ['payment_method_not_found'] } },
    async ({ caller, body, claim }) => {
      const method = { userId: body.user_id, paymentMethodId: body.payment_method_id };
      const answer = { status: 'success' } as const;
      if (!(await deletePaymentMethod(deps, caller, method, (tx) => keepAnswer(tx, claim, answer)))) {
        throw new Refusal('payment_method_not_found', 'This user has no such payment method.');
      }
      return answer;
    },
  );
}
