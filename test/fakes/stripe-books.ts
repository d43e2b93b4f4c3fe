import type { Nested } from '../contracts/stripe-contract.ts';

export type Answer = { status: number; body: Record<string, unknown> };
export type Call = { method: string; path: string; form: Nested };
export type Intent = {
  id: string;
  amount: number;
  currency: string;
  customer: string;
  status: string;
  metadata: Nested;
  last_payment_error: Record<string, unknown> | null;
};
type Refund = {
  id: string;
  amount: number;
  currency: string;
  payment_intent: string;
  status: string;
  metadata: Nested;
};
type Method = { id: string; number: string; customer: string | null; card: Record<string, unknown> };
export type Saved = { fingerprint: string; answer: Answer | undefined };
/** Stripe's books: customers, cards, charges, and the answer of each idempotency key. */
export type Books = {
  methods: Map<string, Method>;
  intents: Intent[];
  refunds: Refund[];
  saved: Map<string, Saved>;
  count: number;
};

const CREATED = 1_780_000_000;
const MAX_LISTED = 3;
const DECLINES: Readonly<Record<string, Record<string, string>>> = {
  '4000000000000002': { code: 'card_declined', decline_code: 'generic_decline' },
  '4000000000009995': { code: 'card_declined', decline_code: 'insufficient_funds' },
  '4000000000000069': { code: 'expired_card' },
  '4000000000000127': { code: 'incorrect_cvc' },
  '4000000000000119': { code: 'processing_error' },
};
/** A card that is refused when it is saved, as Stripe refuses a number that it knows to be wrong. */
export const REFUSED_WHEN_SAVED = '4000000000000101';

export function answerTo(books: Books, { method, path, form }: Call): Answer {
  const id = path.split('/')[3] ?? '';
  switch (`${method} ${path.replace(/\/pm_\w+/, '/:id')}`) {
    case 'POST /v1/payment_methods':
      return createMethod(books, form);
    case 'GET /v1/payment_methods/:id':
      return withMethod(books, id, (found) => found);
    case 'POST /v1/payment_methods/:id/detach':
      return withMethod(books, id, (found) => Object.assign(found, { customer: null }));
    case 'POST /v1/customers':
      return createCustomer(books, form);
    case 'POST /v1/payment_intents':
      return createIntent(books, form);
    case 'GET /v1/payment_intents':
      return list(path, books.intents, form, ({ customer }) => customer === form.customer, presentIntent);
    case 'POST /v1/refunds':
      return createRefund(books, form);
    case 'GET /v1/refunds':
      return list(path, books.refunds, form, (one) => one.payment_intent === form.payment_intent, presentRefund);
    default:
      return apiError(404);
  }
}

function createMethod(books: Books, form: Nested): Answer {
  const { number, exp_month, exp_year } = form.card as Record<string, string>;
  if (number === REFUSED_WHEN_SAVED) {
    return apiError(402, { type: 'card_error', code: 'incorrect_number', ...echo(form) });
  }
  const id = nextId(books, 'pm');
  const last4 = String(number).slice(-4);
  const card = { brand: 'visa', exp_month: Number(exp_month), exp_year: Number(exp_year), funding: 'credit', last4 };
  books.methods.set(id, { id, number: String(number), customer: null, card });
  return withMethod(books, id, (found) => found);
}

function withMethod(books: Books, id: string, change: (found: Method) => Method): Answer {
  const found = books.methods.get(id);
  if (!found) return apiError(404, { code: 'resource_missing' });
  const { customer, card } = change(found);
  return ok({ id, object: 'payment_method', type: 'card', customer, card, billing_details: {} });
}

function createCustomer(books: Books, form: Nested): Answer {
  const method = books.methods.get(String(form.payment_method));
  if (!method) return apiError(404, { code: 'resource_missing' });
  method.customer = nextId(books, 'cus');
  return ok({ id: method.customer, object: 'customer' });
}

function createIntent(books: Books, form: Nested): Answer {
  const method = books.methods.get(String(form.payment_method));
  if (!method?.customer || method.customer !== form.customer) return apiError(404, { code: 'resource_missing' });
  if (form.payment_method_types) return apiError(400, { code: 'payment_method_types_no_longer_supported' });
  const amount = Number(form.amount);
  if (!(amount > 0)) return apiError(400, { code: 'parameter_invalid_integer' });
  const decline = DECLINES[method.number];
  const error = decline ? { type: 'card_error', ...decline } : null;
  const intent: Intent = {
    id: nextId(books, 'pi'),
    amount,
    currency: String(form.currency),
    customer: method.customer,
    status: error ? 'requires_payment_method' : 'succeeded',
    metadata: (form.metadata ?? {}) as Nested,
    last_payment_error: error,
  };
  books.intents.unshift(intent);
  return error ? apiError(402, { ...error, payment_intent: presentIntent(intent) }) : ok(presentIntent(intent));
}

function createRefund(books: Books, form: Nested): Answer {
  const intent = books.intents.find(({ id }) => id === form.payment_intent);
  if (intent?.status !== 'succeeded') return apiError(404, { code: 'resource_missing' });
  const before = books.refunds.filter((one) => one.payment_intent === intent.id);
  const amount = Number(form.amount);
  if (before.reduce((sum, one) => sum + one.amount, amount) > intent.amount) return apiError(400);
  const { id: payment_intent, currency } = intent;
  const metadata = (form.metadata ?? {}) as Nested;
  const refund = { id: nextId(books, 're'), amount, currency, payment_intent, status: 'succeeded', metadata };
  books.refunds.unshift(refund);
  return ok(presentRefund(refund));
}

function presentIntent(intent: Intent): Record<string, unknown> {
  const fixed = { capture_method: 'automatic', confirmation_method: 'automatic', payment_method_types: ['card'] };
  return { object: 'payment_intent', created: CREATED, livemode: true, ...fixed, ...intent };
}

function presentRefund(refund: Refund): Record<string, unknown> {
  return { object: 'refund', created: CREATED, ...refund };
}

function list<T extends { id: string }>(
  url: string,
  all: T[],
  form: Nested,
  isAsked: (one: T) => boolean,
  present: (one: T) => Record<string, unknown>,
): Answer {
  const asked = all.filter(isAsked);
  const start = form.starting_after ? asked.findIndex(({ id }) => id === form.starting_after) + 1 : 0;
  const page = asked.slice(start, start + MAX_LISTED);
  const has_more = start + MAX_LISTED < asked.length;
  return { status: 200, body: { object: 'list', url, has_more, data: page.map(present) } };
}

function ok(body: Record<string, unknown>): Answer {
  const isRefund = body.object === 'refund';
  return { status: 200, body: { created: CREATED, ...(isRefund ? {} : { livemode: true }), ...body } };
}

export function apiError(status: number, error: Record<string, unknown> = {}): Answer {
  const type = status >= 500 ? 'api_error' : 'invalid_request_error';
  return { status, body: { error: { type, message: 'No.', ...error } } };
}

/** Stripe's message may repeat the request: no part of it may be passed on. */
export function echo(sent: Nested): { message: string } {
  return { message: `No: ${JSON.stringify(sent)}` };
}

function nextId(books: Books, prefix: string): string {
  books.count += 1;
  return `${prefix}_${books.count}`;
}
