import { Type } from 'typebox';
import type { Deps } from '../deps.ts';
import type { Http } from '../http.ts';
import { presentPaymentMethod } from './payment-method.ts';
import { listPaymentMethods } from './payment-methods.db.ts';
import { USER_ID } from './payment-request.ts';

/** The newest of a user are listed; nobody pays with more. */
const MAX_LISTED = 100;

const schema = {
  tags: ['Payment methods'],
  summary: "List a user's payment methods, newest first",
  querystring: Type.Object({ user_id: USER_ID }),
  response: {
    200: Type.Object({
      payment_methods: Type.Array(
        Type.Object({
          payment_method_id: Type.String(),
          brand: Type.String(),
          last4: Type.String(),
          expiration_month: Type.Integer(),
          expiration_year: Type.Integer(),
        }),
      ),
    }),
  },
};

export function listPaymentMethodsRoute(http: Http, { db }: Deps): void {
  http.get('/payment/list', { schema }, async ({ caller, query }) => ({
    payment_methods: (await listPaymentMethods(db, caller, query.user_id, MAX_LISTED)).map(presentPaymentMethod),
  }));
}
