import {
  type BookedCharge,
  CASH_TOKEN,
  type Charge,
  type ChargeRequest,
  type PaymentGateway,
  tokenNotAccepted,
} from '../../src/ordering/payments/payment-gateway.ts';
import { OutsideError } from '../../src/platform/lib/outside-error.ts';
import type { Calls } from './outside-party.ts';
import type { Owner } from './scheduler.ts';

type Status =
  | 'succeeded'
  | 'declined'
  | 'waiting'
  | 'approved'
  | 'canceled'
  | 'to_collect'
  | 'authorized'
  | 'expired'
  | 'lost';
export type GatewayCharge = Pick<ChargeRequest, 'key' | 'orderId' | 'cardToken' | 'amountCents' | 'currency'> & {
  chargeId: string;
  status: Status;
  declineCode: string;
  /** What was to be held, until when, and the keys of its captures; null of a charge that takes its money at once. */
  hold: { cents: number; untilMs: number; captureKeys: Set<string> } | null;
};
export type GatewayRefund = { key: string; refundId: string; chargeId: string; amountCents: number; isOurs: boolean };

/** A card processor's books; they outlive every node. */
export type GatewayBooks = {
  cards: Map<string, string>;
  charges: Map<string, GatewayCharge>;
  refunds: Map<string, GatewayRefund>;
};

export const createGatewayBooks = (): GatewayBooks => ({ cards: new Map(), charges: new Map(), refunds: new Map() });

/** Charge outcomes by card number: the sandbox's test cards. */
const OUTCOMES: Readonly<Record<string, Status | string>> = {
  '4000000000000002': 'generic_decline',
  '4000000000009995': 'insufficient_funds',
  '4000000000000069': 'expired_card',
  '4000000000000127': 'incorrect_cvc',
  '4000000000000119': 'processing_error',
  '4000002500003155': 'waiting',
  [CASH_TOKEN]: 'to_collect',
};
const LOST_ANSWER_CARD = '4000000000000259';
const TOKENS: Readonly<Record<string, string>> = {
  tok_visa: '4242424242424242',
  tok_declined: '4000000000000002',
  [CASH_TOKEN]: CASH_TOKEN,
};
/** For how long a card holds money. */
const HOLD_MS = 7 * 24 * 3_600_000;
const PARTY = 'payment gateway';

const refused = (message: string) => new OutsideError(PARTY, message, { retryable: false });
const unanswered = () => new OutsideError(PARTY, 'The gateway did not answer.', { retryable: true });

/** A node's connection to the simulated card processor of live keys. Fulfills the port's contract. */
export function createSimulatedGateway(books: GatewayBooks, calls: Calls, owner: Owner): PaymentGateway {
  const ask = <Answer>(what: string, effect: () => Answer) =>
    calls.call({
      owner,
      party: PARTY,
      what,
      effect,
      failure: unanswered,
      faults: ['lost_before', 'lost_after', 'late'],
    });
  const save = (number: string): string => {
    const token = `card_${books.cards.size + 1}`;
    books.cards.set(token, number);
    return token;
  };
  return {
    saveCard: ({ number }) => ask('save a card', () => ({ token: save(number), fingerprint: null })),
    acceptToken: (paymentToken) =>
      ask('accept a token', () => {
        const number = Object.hasOwn(TOKENS, paymentToken) ? TOKENS[paymentToken] : undefined;
        if (number === undefined) throw tokenNotAccepted();
        const isCash = number === CASH_TOKEN;
        return {
          token: save(number),
          brand: isCash ? 'cash' : 'visa',
          last4: isCash ? '' : number.slice(-4),
          expirationMonth: 12,
          expirationYear: 2031,
          fingerprint: null,
        };
      }),
    openCardPage: ({ setupId }) =>
      ask('open a page', () => ({ session: setupId, url: `https://cards.test/${setupId}` })),
    readCardPage: () => ask('read a page', () => ({ state: 'open' as const })),
    charge: (request) => ask(`charge ${request.key} ${request.amountCents}`, () => charge(books, request, false)),
    authorize: (request) => ask(`hold ${request.key} ${request.amountCents}`, () => charge(books, request, true)),
    capture: (request) => ask(`capture ${request.key} ${request.amountCents}`, () => capture(books, request)),
    findCharge: ({ key }) =>
      ask(`find ${key}`, () => {
        const found = books.charges.get(key);
        return found && outcomeOf(expired(found));
      }),
    cancelCharge: (chargeId) => ask(`cancel ${chargeId}`, () => cancel(books, chargeId)),
    readCharge: (chargeId) => ask(`read ${chargeId}`, () => read(books, chargeId)),
    refund: (request) => ask(`refund ${request.key} ${request.amountCents}`, () => refund(books, request)),
    deleteCard: (token) => ask('delete a card', () => void books.cards.delete(token)),
  };
}

function charge(books: GatewayBooks, request: ChargeRequest, isHold: boolean): Charge {
  const { key, orderId, cardToken, amountCents, currency } = request;
  if (!Number.isSafeInteger(amountCents) || amountCents <= 0) throw refused('An amount is above zero.');
  const known = books.charges.get(key);
  if (known) {
    const isSame =
      (known.hold?.cents ?? known.amountCents) === amountCents &&
      known.currency === currency &&
      known.cardToken === cardToken;
    if (!isSame) throw refused('This key was used for another charge.');
    if (known.status === 'approved') known.status = known.hold ? 'authorized' : 'succeeded';
    return outcomeOf(expired(known));
  }
  const number = books.cards.get(cardToken);
  if (number === undefined) throw refused('There is no such card.');
  const outcome = OUTCOMES[number] ?? 'succeeded';
  const isPayable = outcome === 'succeeded' || outcome === 'waiting' || outcome === 'to_collect';
  const paid = isHold && outcome === 'succeeded' ? 'authorized' : outcome;
  const status = isPayable ? (paid as Status) : 'declined';
  const chargeId = `ch_${books.charges.size + 1}`;
  const made: GatewayCharge = {
    key,
    orderId,
    cardToken,
    amountCents,
    currency,
    chargeId,
    status,
    declineCode: outcome,
    hold: isHold
      ? { cents: amountCents, untilMs: Temporal.Now.instant().epochMilliseconds + HOLD_MS, captureKeys: new Set() }
      : null,
  };
  books.charges.set(key, made);
  if (number === LOST_ANSWER_CARD) throw unanswered();
  return outcomeOf(made);
}

/** The charge now: a hold may have ended since. */
function expired(found: GatewayCharge): GatewayCharge {
  if (found.status === 'authorized' && found.hold && found.hold.untilMs <= Temporal.Now.instant().epochMilliseconds)
    found.status = 'expired';
  return found;
}

function outcomeOf({ chargeId, status, declineCode, hold }: GatewayCharge): Charge {
  if (status === 'authorized' && hold)
    return { chargeId, status, captureBefore: Temporal.Instant.fromEpochMilliseconds(hold.untilMs) };
  if (status === 'succeeded' || status === 'to_collect') return { chargeId, status };
  const isWaiting = status === 'waiting' || status === 'approved';
  if (!isWaiting)
    return { chargeId, status: 'declined', declineCode: declineCode === 'succeeded' ? 'generic_decline' : declineCode };
  const authenticationUrl = status === 'waiting' ? `https://cards.test/approve/${chargeId}` : null;
  return { chargeId, status: 'waiting', authenticationUrl };
}

export function findById(books: GatewayBooks, chargeId: string): GatewayCharge | undefined {
  return [...books.charges.values()].find((one) => one.chargeId === chargeId);
}

export function givenBackOf(books: GatewayBooks, chargeId: string): number {
  return [...books.refunds.values()].reduce((sum, one) => (one.chargeId === chargeId ? sum + one.amountCents : sum), 0);
}

/** The customer answers the bank's challenge; the first response counts. */
export function answerCharge(books: GatewayBooks, chargeId: string, isApproved: boolean): void {
  const found = findById(books, chargeId);
  if (found?.status !== 'waiting') return;
  found.status = isApproved ? 'approved' : 'declined';
  found.declineCode = 'authentication_failed';
}

function cancel(books: GatewayBooks, chargeId: string): void {
  const found = findById(books, chargeId);
  if (found?.status === 'succeeded') throw unanswered();
  if (found && ['waiting', 'approved', 'authorized'].includes(found.status)) found.status = 'canceled';
}

type Capture = { chargeId: string; amountCents: number; key: string };

function capture(books: GatewayBooks, { chargeId, amountCents, key }: Capture): void {
  const found = findById(books, chargeId);
  found?.hold?.captureKeys.add(key);
  if (found?.hold && found.status === 'succeeded' && found.amountCents === amountCents) return;
  const isHeld = found && expired(found).status === 'authorized' && amountCents > 0 && amountCents <= found.amountCents;
  if (!isHeld) throw refused('There is no such authorization to capture.');
  found.amountCents = amountCents;
  found.status = 'succeeded';
}

function read(books: GatewayBooks, chargeId: string): BookedCharge | undefined {
  const found = findById(books, chargeId);
  if (!found) return undefined;
  const { key, orderId, amountCents } = found;
  const refunds = [...books.refunds.values()]
    .filter((one) => one.chargeId === chargeId)
    .map(({ refundId, amountCents: cents, isOurs }) => ({ refundId, amountCents: cents, isOurs, hasFailed: false }));
  return { key, orderId, amountCents, outcome: outcomeOf(expired(found)), refunds };
}

function refund(
  books: GatewayBooks,
  { chargeId, amountCents, key }: { chargeId: string; amountCents: number; key: string },
): { refundId: string } {
  if (!Number.isSafeInteger(amountCents) || amountCents <= 0) throw refused('A refund is above zero.');
  const known = books.refunds.get(key);
  if (known && (known.chargeId !== chargeId || known.amountCents !== amountCents)) throw refused('This key is used.');
  if (known) return { refundId: known.refundId };
  const found = findById(books, chargeId);
  const isNote = found?.status === 'to_collect';
  if (!found || !(isNote || found.status === 'succeeded')) throw refused('There is no such charge to refund.');
  if (!isNote && givenBackOf(books, chargeId) + amountCents > found.amountCents)
    throw refused('That is more than was charged.');
  const refundId = `re_${books.refunds.size + 1}`;
  books.refunds.set(key, { key, refundId, chargeId, amountCents, isOurs: true });
  return { refundId };
}
