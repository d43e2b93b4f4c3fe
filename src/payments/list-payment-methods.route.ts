import { Type } from 'typebox';
import type { Db } from '../db/connect.ts';
import { named } from '../http/api-components.ts';
import type { Http } from '../http/http.ts';
import { EXAMPLE_PAYER } from '../stores/example-store.ts';
import { presentPaymentMethod, USER_ID } from './payment-method.ts';
import { listPaymentMethods } from './payment-methods.db.ts';

/** Payment methods in one answer, the newest first; more than a user pays with. */
const MAX_LISTED = 100;

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

const schema = {
  operationId: 'listPaymentMethods',
  tags: ['Payment methods'],
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

export function listPaymentMethodsRoute(http: Http, { db }: { db: Db }): void {
  http.get('/payment/list', { schema }, async ({ caller, query }) => ({
    payment_methods: (await listPaymentMethods(db, caller, query.user_id, MAX_LISTED)).map(presentPaymentMethod),
  }));
}
