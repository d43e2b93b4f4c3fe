import { Type } from 'typebox';
import type { Db } from '../db/connect.ts';
import type { Http } from '../http/http.ts';
import { EMAIL } from '../http/request-schema.ts';
import type { Clock } from '../lib/clock.ts';
import { randomId } from '../lib/random-id.ts';
import type { Gateways } from './payment-gateway.ts';
import { gatewayOf } from './payment-gateway.ts';
import { insertPaymentMethod } from './payment-methods.db.ts';
import { type PaymentRequest, readPaymentRequest, USER_ID } from './payment-request.ts';

const digitField = (example: string, description: string) =>
  Type.Unsafe<unknown>({ type: ['integer', 'string'], examples: [example], description });

const BODY = Type.Object({
  payment_method: Type.Object({
    card_number: digitField('4242424242424242', '12 to 19 digits; a string may group them by spaces or hyphens.'),
    expiration_month: digitField('12', '1 to 12.'),
    expiration_year: digitField('2031', 'Four digits; the card is good until the end of its month.'),
    cvc: digitField('123', '4 digits for American Express, else 3. Send one with a leading zero as a string.'),
  }),
  user_email: Type.String({ ...EMAIL, description: 'The e-mail address of the user.' }),
  user_id: USER_ID,
});

const schema = {
  operationId: 'createPaymentMethod',
  tags: ['Payment methods'],
  summary: 'Create a payment method',
  description: 'The card goes to the payment gateway within this request and is kept nowhere else.',
  body: BODY,
  response: {
    200: Type.Object(
      {
        status: Type.Literal('success'),
        payment_method_id: Type.String({ description: 'Sent to pay an order of the same `user_id`.' }),
      },
      { description: 'The payment method can be used.' },
    ),
  },
};

/** POST /payment/create. The body's schema is for readers: `readPaymentRequest` checks it, and repeats nothing of a card. */
export function createPaymentMethodRoute(
  http: Http,
  { db, clock, gateways }: { clock: Clock; db: Db; gateways: Gateways },
): void {
  http.post(
    '/payment/create',
    {
      schema,
      config: {
        carriesCard: true,
        refuses: ['payment_declined', 'payment_gateway_not_configured', 'upstream_unavailable'],
      },
      validatorCompiler: () => (value) => ({ value }),
      onRequest: async ({ caller }) => {
        gatewayOf(gateways, caller.mode);
      },
      preValidation: async (request) => {
        const key = [request.headers['idempotency-key']].flat().join(',');
        request.body = readPaymentRequest(request.body, key, clock.now()) as never;
      },
    },
    async ({ caller, body }) => {
      const { card, brand, last4, userId, userEmail } = body as unknown as PaymentRequest;
      const { token } = await gatewayOf(gateways, caller.mode).saveCard(card);
      const paymentMethodId = randomId('pm_');
      await insertPaymentMethod(db, caller, {
        paymentMethodId,
        userId,
        userEmail,
        gatewayToken: token,
        brand,
        last4,
        expirationMonth: card.expirationMonth,
        expirationYear: card.expirationYear,
        at: clock.now(),
      });
      return { status: 'success' as const, payment_method_id: paymentMethodId };
    },
  );
}
