import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { epochSeconds } from '../../src/platform/lib/time.ts';
import { type Nested, nestForm, type StripeContract } from '../contracts/stripe-contract.ts';
import { listen } from '../given/listen.ts';
import { nextTurn } from '../until.ts';
import { answerTo } from './stripe-answers.ts';
import {
  type Answer,
  apiError,
  type Books,
  type Call,
  echo,
  emptyBooks,
  type Intent,
  nextId,
  type Refund,
  type Saved,
  type Session,
} from './stripe-books.ts';
import { completeSession, givenMethod } from './stripe-card-books.ts';
import { authenticateIntent, cancelIntent, refundByHand, withIntent } from './stripe-charge-books.ts';
import type { StripeCalculation, StripeTransaction } from './stripe-tax-books.ts';

/**
 * A fault of a Stripe call: lose its response after the work, never answer, drip, ask for a retry, or send a non-Stripe
 * answer.
 */
export type Trouble = 'lose_answer' | 'hang' | 'drip' | 409 | 429 | 500 | ForeignAnswer;
const PAYS = '4242424242424242';
/** A response from an intermediary, outside of the contract. */
export type ForeignAnswer = { status: number; text: string; headers?: Record<string, string> };

export type StripeDouble = {
  baseUrl: string;
  /** Every difference between a request or answer and Stripe's published contract. */
  faults: string[];
  requests: { method: string; path: string; headers: IncomingMessage['headers']; form: Nested }[];
  intents(): Intent[];
  refunds(): Refund[];
  sessions(): Session[];
  calculations(): StripeCalculation[];
  /** Transactions of Stripe Tax, reversals included. */
  transactions(): StripeTransaction[];
  /** A token as created by Stripe.js, of a card that can be charged unless another number is given. */
  givenToken(kind: 'pm' | 'tok', number?: string): string;
  /** A customer enters a card on the page. */
  completePage(session: string, number?: string): Session;
  /** A customer passes or fails 3-D Secure for a charge. */
  authenticate(intent: string, isApproved: boolean): void;
  /** Until when cards hold the money of later holds. */
  holdUntil(at: Temporal.Instant): void;
  /** Ends a hold, as Stripe does when its time is over. */
  expire(intent: string): void;
  /** Sets the fault of the next call to that path (and method). */
  trouble(path: string, trouble: Trouble, method?: 'POST'): void;
  /** Ends every connection without a response, until it is back. */
  setAway(isAway: boolean): void;
  /** Expires all idempotency keys, as Stripe may after 24 hours. */
  forgetKeys(): void;
  /** A refund made in Stripe's dashboard. */
  refundByHand(intent: string, amount: number): Refund;
  close(): Promise<void>;
};

/** A fake of the part of Stripe that the adapter uses, on loopback, with idempotency keys and lists. */
export async function startStripeDouble(contract: StripeContract | undefined): Promise<StripeDouble> {
  const books = emptyBooks();
  const faults: string[] = [];
  const requests: StripeDouble['requests'] = [];
  const troubles = new Map<string, Trouble>();
  let isOff = false;
  const server = createServer(async (request, response) => {
    const call = await readCall(request);
    requests.push({ ...call, headers: request.headers });
    if (isOff) return void request.socket.destroy();
    faults.push(...(contract?.checkRequest(call.method, call.path, call.form) ?? []));
    const name = [`${call.method} ${call.path}`, call.path].find((one) => troubles.has(one)) ?? '';
    const trouble = troubles.get(name);
    troubles.delete(name);
    if (trouble === 'hang') return;
    if (trouble === 'drip') return drip(response);
    if (typeof trouble === 'object') return sendForeign(response, trouble);
    const answer =
      typeof trouble === 'number' ? apiError(trouble, echo(call.form)) : await answerOnce(books, request, call);
    faults.push(...(contract?.checkAnswer(call.method, call.path, answer.status, answer.body) ?? []));
    if (trouble === 'lose_answer' || isLost(books, call)) return void request.socket.destroy();
    send(response, answer);
  });
  return {
    ...(await listen(server)),
    faults,
    requests,
    intents: () => books.intents,
    refunds: () => books.refunds,
    sessions: () => [...books.sessions.values()],
    calculations: () => books.calculations,
    transactions: () => books.transactions,
    givenToken: (kind, number = PAYS) => givenToken(books, kind, number),
    completePage: (session, number = PAYS) => completeSession(books, session, number),
    authenticate: (intent, isApproved) => authenticateIntent(books, intent, isApproved),
    holdUntil(at) {
      books.holdUntil = epochSeconds(at);
    },
    expire: (intent) => void withIntent(books, intent, cancelIntent),
    trouble: (path, trouble, method) => void troubles.set(method ? `${method} ${path}` : path, trouble),
    refundByHand: (intent, amount) => refundByHand(books, intent, amount),
    setAway(isAway) {
      isOff = isAway;
    },
    forgetKeys: () => books.saved.clear(),
  };
}

function givenToken(books: Books, kind: 'pm' | 'tok', number: string): string {
  if (kind === 'pm') return givenMethod(books, number).id;
  const token = nextId(books, 'tok');
  books.tokens.set(token, number);
  return token;
}

async function readCall(request: IncomingMessage): Promise<Call> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const url = new URL(request.url ?? '/', 'http://stripe.test');
  const text = request.method === 'GET' ? url.search : Buffer.concat(chunks).toString('utf8');
  return { method: request.method ?? 'GET', path: url.pathname, form: nestForm(new URLSearchParams(text)) };
}

/** True if this charge's answer is lost, which happens to the first charge of a special card. */
function isLost(books: Books, { method, path, form }: Call): boolean {
  if (method !== 'POST' || path !== '/v1/payment_intents') return false;
  const paid = books.methods.get(String(form.payment_method));
  if (paid?.number !== '4000000000000259') return false;
  paid.number = '4242424242424242';
  return true;
}

async function answerOnce(books: Books, request: IncomingMessage, call: Call): Promise<Answer> {
  const { authorization = '' } = request.headers;
  if (!/^Bearer sk_/.test(authorization)) return apiError(401, echo({ authorization }));
  const key = request.headers['idempotency-key'];
  if (typeof key !== 'string') return answerTo(books, call);
  const fingerprint = JSON.stringify(call);
  const saved = books.saved.get(key);
  if (saved && saved.fingerprint !== fingerprint) return apiError(400, { type: 'idempotency_error' });
  if (saved) return saved.answer ?? apiError(409, { code: 'idempotency_key_in_use' });
  const entry: Saved = { fingerprint, answer: undefined };
  books.saved.set(key, entry);
  await nextTurn();
  entry.answer = answerTo(books, call);
  return entry.answer;
}

/** `stripe-should-retry` asks the package to retry, but retries are the caller's decision. */
function send(response: ServerResponse, { status, body }: Answer): void {
  const headers = { 'content-type': 'application/json', ...(status < 400 ? {} : { 'stripe-should-retry': 'true' }) };
  response.writeHead(status, headers).end(JSON.stringify(body));
}

function sendForeign(response: ServerResponse, { status, text, headers = {} }: ForeignAnswer): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
}

function drip(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  const timer = setInterval(() => response.write(' '), 20);
  response.on('close', () => clearInterval(timer));
}
