import { Type } from 'typebox';
import { keepAnswer } from '../../access/idempotency/idempotency.hook.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Db, Sql } from '../../platform/db/connect.ts';
import { text } from '../../platform/http/api-components.ts';
import type { Http } from '../../platform/http/http.ts';
import { isPlaintextRequest } from '../../platform/http/plaintext-request.ts';
import { type Fault, Refusal } from '../../platform/http/refusal.ts';
import { compileRequestPart, EMAIL, invalidField, invalidRequest } from '../../platform/http/request-schema.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { EXAMPLE_PAYER } from '../../supply/stores/example-store.ts';
import { cardDigits, isAbsent, readCard } from './card.ts';
import { type Gateways, requireGateway } from './payment-gateway.ts';
import { TOKEN_FORM, USER_ID } from './payment-method.ts';
import { createPaymentMethod, type PaymentRequest } from './save-card.flow.ts';

/*
 * The endpoint that stores a payment method: from a card number, which only the gateway keeps, or from a token of the
 * gateway.
 */

const digitField = (description: string) => Type.Unsafe<unknown>({ type: ['integer', 'string'], description });

const BODY = Type.Object(
  {
    payment_method: Type.Optional(
      Type.Object({
        card_number: digitField('12 to 19 digits; a string may group them by spaces or hyphens.'),
        expiration_month: digitField('1 to 12.'),
        expiration_year: digitField('The year in four digits. The card is valid until the end of its month.'),
        cvc: digitField(
          '3 digits, or 4 for American Express. A number is padded with leading zeros (12 becomes 012); a string is used as is.',
        ),
      }),
    ),
    payment_token: Type.Optional(
      text(
        "A token from the gateway's client library, such as Stripe's `pm_…` or `tok_…`. In the sandbox: `tok_visa`, or `tok_declined`, which is declined when charged.",
      ),
    ),
    user_email: Type.String({ ...EMAIL, description: 'The email address of the user.' }),
    user_id: USER_ID,
  },
  { description: 'Send either `payment_method` or `payment_token`.' },
);

const schema = {
  operationId: 'createPaymentMethod',
  summary: 'Create a payment method',
  description:
    'Saves a card from its number or from a gateway token. The number is passed to the payment gateway during the request and is stored nowhere else.',
  example: {
    body: {
      payment_method: { card_number: '4242424242424242', expiration_month: 12, expiration_year: 2031, cvc: '123' },
      ...EXAMPLE_PAYER,
    },
  },
  body: BODY,
  response: {
    200: Type.Object(
      {
        status: Type.Literal('success'),
        payment_method_id: text('Send this ID to pay for an order with the same `user_id`.'),
      },
      { description: 'The payment method can be used.' },
    ),
  },
};

const REFUSES = [
  'payment_declined',
  'too_many_declines',
  'tls_required',
  'card_numbers_not_accepted',
  'payment_token_not_accepted',
  'payment_gateway_not_configured',
  'upstream_unavailable',
] as const;

type CreatePaymentMethodDeps = { config: Config; clock: Clock; db: Db; gateways: Gateways };

/**
 * POST /payment/create. The body's schema only documents it; `readPaymentRequest` validates, and its errors repeat no
 * card data.
 */
export function createPaymentMethodRoute(http: Http, { config, db, clock, gateways }: CreatePaymentMethodDeps): void {
  http.post(
    '/payment/create',
    {
      schema,
      config: { scope: 'order', carriesCard: true, refuses: REFUSES },
      validatorCompiler: () => (value) => ({ value }),
      onRequest: async ({ caller }) => {
        requireGateway(gateways, caller.mode);
      },
      preValidation: async (request) => {
        const key = [request.headers['idempotency-key']].flat().join(',');
        if (request.caller.mode === 'live' && carriesRawCard(request.body)) {
          refuseRawCard({ accepted: config.acceptRawCards, inClear: isPlaintextRequest(request, config.trustProxy) });
        }
        request.body = readPaymentRequest(request.body, key, clock.now()) as never;
      },
    },
    async ({ caller, body, claim }) => {
      const answerOf = (id: string) => ({ status: 'success' as const, payment_method_id: id });
      const payment = body as unknown as PaymentRequest;
      const keep = claim && ((tx: Sql, id: string) => keepAnswer(tx, claim, answerOf(id)));
      const id = await createPaymentMethod({ db, clock, gateways }, caller, payment, keep);
      return answerOf(id);
    },
  );
}

/** Refuses a live card number that crossed a network unencrypted, or that the operator does not accept. */
function refuseRawCard({ accepted, inClear }: { accepted: boolean; inClear: boolean }): void {
  if (inClear) {
    throw new Refusal('tls_required', 'Live card numbers are accepted only over https.');
  }
  if (!accepted) {
    const sentence =
      "This service doesn't accept card numbers with live keys. Open the gateway's card page with POST /payment/setup, or send a payment_token from its client library.";
    throw new Refusal('card_numbers_not_accepted', sentence);
  }
}

const USER_FIELDS = Type.Object({ user_id: USER_ID, user_email: EMAIL });
const parseUser = compileRequestPart(USER_FIELDS, 'body');

/**
 * Parses the body of `POST /payment/create` and drops unknown fields. A card number is accepted only in its own field,
 * because other fields and the Idempotency-Key are stored. Errors name each wrong field and repeat no value.
 */
function readPaymentRequest(body: unknown, idempotencyKey: string | undefined, now: Temporal.Instant): PaymentRequest {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalidField('body', 'body', 'must be an object');
  }
  const { payment_method, payment_token, user_id, user_email } = body as Record<string, unknown>;
  const paid = isAbsent(payment_token) ? readCard(payment_method, now) : readToken(payment_token, payment_method);
  const user = readUser(withoutAbsent({ user_id, user_email }));
  const number = cardDigits((payment_method as { card_number?: unknown } | undefined | null)?.card_number);
  const faults = [
    ...('faults' in paid ? paid.faults : []),
    ...('faults' in user ? user.faults : []),
    ...copiesOfNumber(number, [
      { in: 'body', name: 'user_id', text: user_id },
      { in: 'body', name: 'user_email', text: user_email },
      { in: 'header', name: 'Idempotency-Key', text: idempotencyKey },
    ]),
  ];
  if ('faults' in paid || 'faults' in user || faults.length > 0) throw invalidRequest(faults);
  return { ...paid, ...user };
}

/** Whether a body of `POST /payment/create` has card fields, valid or not. */
function carriesRawCard(body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return false;
  return 'payment_method' in body && !isAbsent(body.payment_method);
}

function readToken(token: unknown, card: unknown): { paymentToken: string } | { faults: Fault[] } {
  const fault = (message: string) => ({ faults: [{ in: 'body' as const, name: 'payment_token', message }] });
  if (!isAbsent(card)) return fault('must not come together with payment_method');
  if (typeof token !== 'string' || !TOKEN_FORM.test(token)) return fault('must be a token of the gateway');
  return { paymentToken: token };
}

/** Removes undefined fields, because the schema would report a wrong type for them instead of a missing field. */
function withoutAbsent(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

type User = Pick<PaymentRequest, 'userId' | 'userEmail'>;

function readUser(fields: unknown): User | { faults: readonly Fault[] } {
  const parsed = parseUser(fields);
  if ('error' in parsed) return { faults: parsed.error instanceof Refusal ? (parsed.error.extras.errors ?? []) : [] };
  const { user_id, user_email } = parsed.value as { user_id: string; user_email: string };
  return { userId: user_id, userEmail: user_email };
}

type EchoedText = Pick<Fault, 'in' | 'name'> & { text: unknown };

function copiesOfNumber(number: string | undefined, texts: readonly EchoedText[]): Fault[] {
  if (number === undefined || number.length < 12) return [];
  return texts
    .filter(({ text }) => typeof text === 'string' && text.replace(/[^\d]/g, '').includes(number))
    .map(({ in: place, name }) => ({ in: place, name, message: 'must not contain the card number' }));
}
