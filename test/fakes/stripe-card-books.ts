import type { Nested } from '../contracts/stripe-contract.ts';
import {
  type Answer,
  apiError,
  type Books,
  CREATED,
  echo,
  type Method,
  nextId,
  ok,
  type Session,
} from './stripe-books.ts';

/** A card declined when saved, like a number that Stripe knows to be invalid. */
export const REFUSED_WHEN_SAVED = '4000000000000101';

/** A card created by the gateway's client library or page, not attached to anything. */
export function givenMethod(books: Books, number: string): Method {
  const id = nextId(books, 'pm');
  const card = { brand: 'visa', exp_month: 7, exp_year: 2031, funding: 'credit', last4: number.slice(-4) };
  const method: Method = { id, number, customer: null, card };
  books.methods.set(id, method);
  return method;
}

export function createMethod(books: Books, form: Nested): Answer {
  const { number: given, token, exp_month, exp_year } = form.card as Record<string, string>;
  const number = token === undefined ? given : books.tokens.get(token);
  if (number === undefined) return apiError(400, { code: 'resource_missing', param: 'card[token]', ...echo(form) });
  if (token !== undefined) books.tokens.delete(token);
  if (number === REFUSED_WHEN_SAVED) {
    return apiError(402, { type: 'card_error', code: 'incorrect_number', ...echo(form) });
  }
  const method = givenMethod(books, number);
  if (token === undefined) Object.assign(method.card, { exp_month: Number(exp_month), exp_year: Number(exp_year) });
  return ok(presentMethod(method));
}

export function withMethod(books: Books, id: string, change: (found: Method) => void = () => {}): Answer {
  const found = books.methods.get(id);
  if (!found) return apiError(404, { code: 'resource_missing' });
  change(found);
  return ok(presentMethod(found));
}

function presentMethod({ id, customer, card }: Method): Record<string, unknown> {
  return {
    id,
    object: 'payment_method',
    created: CREATED,
    livemode: true,
    type: 'card',
    customer,
    card,
    billing_details: {},
  };
}

export function createCustomer(books: Books, form: Nested): Answer {
  const id = nextId(books, 'cus');
  if (form.payment_method !== undefined) {
    const method = books.methods.get(String(form.payment_method));
    if (!method) return apiError(404, { code: 'resource_missing' });
    if (method.customer) return apiError(400, { code: 'payment_method_already_attached', ...echo(form) });
    method.customer = id;
  }
  books.customers.add(id);
  return ok({ id, object: 'customer' });
}

export function createSession(books: Books, form: Nested): Answer {
  const { customer = '', client_reference_id = '', success_url = '', expires_at, mode } = form;
  if (mode !== 'setup' || !books.customers.has(String(customer))) return apiError(400, { param: 'customer' });
  const session: Session = {
    id: nextId(books, 'cs'),
    customer: String(customer),
    client_reference_id: String(client_reference_id),
    status: 'open',
    success_url: String(success_url),
    expires_at: Number(expires_at),
    method: undefined,
  };
  books.sessions.set(session.id, session);
  return ok(presentSession(books, session, false));
}

export function readSession(books: Books, id: string, form: Nested): Answer {
  const session = books.sessions.get(id);
  if (!session) return apiError(404, { code: 'resource_missing' });
  return ok(presentSession(books, session, form.expand !== undefined));
}

/** The customer enters a card on the page, which attaches it to the page's Customer. */
export function completeSession(books: Books, id: string, number: string): Session {
  const session = books.sessions.get(id);
  if (session?.status !== 'open') throw new Error(`The page ${id} is not open.`);
  const method = givenMethod(books, number);
  method.customer = session.customer;
  return Object.assign(session, { status: 'complete', method: method.id });
}

export function presentSession(books: Books, session: Session, isExpanded: boolean): Record<string, unknown> {
  const { method: methodId, ...shown } = session;
  const method = books.methods.get(methodId ?? '');
  const intent = {
    id: `seti_${session.id}`,
    object: 'setup_intent',
    created: CREATED,
    livemode: true,
    payment_method_types: ['card'],
    status: method ? 'succeeded' : 'requires_payment_method',
    usage: 'off_session',
    payment_method: method ? presentMethod(method) : null,
  };
  return {
    object: 'checkout.session',
    created: CREATED,
    livemode: true,
    mode: 'setup',
    payment_method_types: ['card'],
    payment_status: 'no_payment_required',
    automatic_tax: { enabled: false },
    custom_fields: [],
    custom_text: {},
    shipping_options: [],
    ...shown,
    setup_intent: isExpanded ? intent : intent.id,
    url: session.status === 'open' ? `https://checkout.stripe.test/${session.id}` : null,
  };
}
