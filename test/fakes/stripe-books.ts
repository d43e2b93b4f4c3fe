import type { Nested } from '../contracts/stripe-contract.ts';
import type { StripeCalculation, StripeTransaction } from './stripe-tax-books.ts';

export type Answer = { status: number; body: Record<string, unknown> };
export type Call = { method: string; path: string; form: Nested };
export type Intent = {
  id: string;
  amount: number;
  /** What was captured of a hold. */
  captured?: number;
  capture_method: string;
  currency: string;
  customer: string;
  payment_method: string;
  status: string;
  metadata: Nested;
  last_payment_error: Record<string, unknown> | null;
  next_action: Record<string, unknown> | null;
};
export type Refund = {
  id: string;
  amount: number;
  currency: string;
  payment_intent: string;
  status: string;
  metadata: Nested;
};
export type Method = { id: string; number: string; customer: string | null; card: Record<string, unknown> };
/** A Checkout Session in setup mode. */
export type Session = {
  id: string;
  customer: string;
  client_reference_id: string;
  status: 'open' | 'complete' | 'expired';
  success_url: string;
  expires_at: number;
  method: string | undefined;
};
export type Saved = { fingerprint: string; answer: Answer | undefined };
/** Stripe's books: customers, cards, pages, charges, and the response of each idempotency key. */
export type Books = {
  methods: Map<string, Method>;
  /** The card number of each unused token from a client library. */
  tokens: Map<string, string>;
  customers: Set<string>;
  sessions: Map<string, Session>;
  intents: Intent[];
  refunds: Refund[];
  /** Until when cards hold money, in epoch seconds. */
  holdUntil: number;
  calculations: StripeCalculation[];
  transactions: StripeTransaction[];
  saved: Map<string, Saved>;
  count: number;
};

export function emptyBooks(): Books {
  const [methods, tokens, sessions, saved] = [new Map(), new Map(), new Map(), new Map()];
  const taxes = { calculations: [], transactions: [] };
  return {
    methods,
    tokens,
    customers: new Set(),
    sessions,
    intents: [],
    refunds: [],
    holdUntil: 2_000_000_000,
    ...taxes,
    saved,
    count: 0,
  };
}

export const CREATED = 1_780_000_000;
const MAX_LISTED = 3;

export function listOf<T extends { id: string }>(
  url: string,
  all: readonly T[],
  form: Nested,
  isWanted: (one: T) => boolean,
  present: (one: T) => Record<string, unknown>,
): Answer {
  const wanted = all.filter(isWanted);
  const start = form.starting_after ? wanted.findIndex(({ id }) => id === form.starting_after) + 1 : 0;
  const page = wanted.slice(start, start + MAX_LISTED);
  const has_more = start + MAX_LISTED < wanted.length;
  return { status: 200, body: { object: 'list', url, has_more, data: page.map(present) } };
}

export function ok(body: Record<string, unknown>): Answer {
  const isRefund = body.object === 'refund';
  const created = body.object === 'tax.calculation' ? {} : { created: CREATED };
  return { status: 200, body: { ...created, ...(isRefund ? {} : { livemode: true }), ...body } };
}

export function apiError(status: number, error: Record<string, unknown> = {}): Answer {
  const type = status >= 500 ? 'api_error' : 'invalid_request_error';
  return { status, body: { error: { type, message: 'No.', ...error } } };
}

/** Stripe's message may echo the request, so no part of it may be passed on. */
export const echo = (sent: Nested): { message: string } => ({ message: `No: ${JSON.stringify(sent)}` });

export function nextId(books: Books, prefix: string): string {
  books.count += 1;
  return `${prefix}_${books.count}`;
}
