import { cardBrand } from '../../../ordering/payments/card.ts';
import {
  type BookedCharge,
  CASH_TOKEN,
  type Charge,
  type ChargeRequest,
  type SandboxGateway,
  type SavedCard,
  tokenNotAccepted,
} from '../../../ordering/payments/payment-gateway.ts';
import type { Db } from '../../../platform/db/connect.ts';
import { isRefusedStatement } from '../../../platform/db/hot-statement.ts';
import { Refusal } from '../../../platform/http/refusal.ts';
import { batchCalls } from '../../../platform/lib/batch-calls.ts';
import { SerialGate } from '../../../platform/lib/batch-gate.ts';
import type { Clock } from '../../../platform/lib/clock.ts';
import { OutsideError } from '../../../platform/lib/outside-error.ts';
import { randomId } from '../../../platform/lib/random-id.ts';
import {
  type ChargeOutcome,
  captureHold,
  changeStatus,
  findBookedRefund,
  findChargeById,
  findChargeByKey,
  findChargeByLink,
  insertBookedRefund,
  insertCards,
  isHeldAt,
  listCharges,
  listRefunds,
  lockCharge,
  type NewCharge,
  removeCard,
  type SandboxCard,
  type WrittenCharge,
  writeCharges,
} from './sandbox-books.db.ts';

/** Test cards' decline codes. Saving these cards succeeds. */
const DECLINE_CODES: Readonly<Record<string, string>> = {
  '4000000000000002': 'generic_decline',
  '4000000000009995': 'insufficient_funds',
  '4000000000000069': 'expired_card',
  '4000000000000127': 'incorrect_cvc',
  '4000000000000119': 'processing_error',
};
/** A public Stripe test card whose every charge requires 3-D Secure. */
const CARD_REQUIRING_3DS = '4000002500003155';
/** Tokens as if made by a gateway's client library, and their cards; Stripe's own names too. */
const TOKENS: Readonly<Record<string, string>> = {
  tok_visa: '4242424242424242',
  tok_declined: '4000000000000002',
  tok_chargeDeclined: '4000000000000002',
  tok_authentication_required: CARD_REQUIRING_3DS,
  tok_threeDSecure2Required: CARD_REQUIRING_3DS,
};
/** The least that a card pays, as at Stripe. */
const MINIMUM_CENTS = 50;
/** How long a card holds money, in hours. */
const HOLD_HOURS = 7 * 24;
/** Years until a token's card expires. */
const TOKEN_CARD_YEARS = 3;
/** Maximum charges or cards per statement. Calls in the same turn of the event loop share a commit. */
const MAX_BATCH = 16;
/** A card whose first charge succeeds but loses its response. */
const LOST_ANSWER_CARD = '4000000000000259';

/** `pagesUrl` is the service's public URL, the base of this gateway's pages. */
type SandboxOptions = { db: Db; clock: Clock; pagesUrl: string };

/**
 * Creates the card processor of sandbox keys. As an external service it writes on its own pool `db`, so its records are
 * committed even if the caller rolls back. Stores brand, last four digits and behavior. Unlisted cards succeed; a lost
 * response is lost once.
 */
export function createSandboxGateway({ db, clock, pagesUrl }: SandboxOptions): SandboxGateway {
  const limits = { maxBatch: MAX_BATCH, didNothing: isRefusedStatement, gate: new SerialGate() };
  const write = batchCalls<NewCharge, WrittenCharge | undefined>({
    ...limits,
    run: (charges) => writeCharges(db, charges, clock.now()),
  });
  const insertCard = batchCalls<SandboxCard, true>({
    ...limits,
    run: (cards) => insertCards(db, cards, clock.now()).then(() => cards.map(() => true)),
  });
  const saveNumber = (number: string) => saveCard(insertCard, number);
  const chargeOutcome = createOutcomeOf(pagesUrl, clock);
  return {
    minimumCents: MINIMUM_CENTS,
    saveCard: ({ number }) => asOutsideError(() => saveNumber(number)),
    acceptToken: (paymentToken) =>
      asOutsideError(async () => {
        const expirationYear = clock.now().toZonedDateTimeISO('UTC').year + TOKEN_CARD_YEARS;
        if (paymentToken === CASH_TOKEN) return saveCash(insertCard, expirationYear);
        const number = Object.hasOwn(TOKENS, paymentToken) ? TOKENS[paymentToken] : undefined;
        if (number === undefined) throw tokenNotAccepted();
        const [brand, last4] = [cardBrand(number) ?? 'other', number.slice(-4)] as const;
        return { ...(await saveNumber(number)), brand, last4, expirationMonth: 12, expirationYear };
      }),
    // Nothing to query: the card page is a route of the service, which ends the setup itself.
    openCardPage: async ({ setupId, language }) => ({
      session: setupId,
      url: `${pagesUrl}/payment/setup/${setupId}${language ? `?lang=${language}` : ''}`,
    }),
    readCardPage: async () => ({ state: 'open' }),
    charge: (request) => asOutsideError(async () => chargeOutcome(await charge(db, write, request, null))),
    authorize: (request) =>
      asOutsideError(async () => {
        const captureBefore = clock.now().add({ hours: HOLD_HOURS });
        return chargeOutcome(await charge(db, write, request, captureBefore));
      }),
    capture: (request) => asOutsideError(() => capture(db, request, clock.now())),
    findCharge: ({ key }) =>
      asOutsideError(async () => {
        const row = await findChargeByKey(db, key);
        return row && chargeOutcome(row);
      }),
    readCharge: (chargeId) => asOutsideError(() => readCharge(db, chargeId, chargeOutcome)),
    ...createApprovals(db),
    refund: (request) => asOutsideError(() => refund(db, request, clock.now())),
    deleteCard: (token) => asOutsideError(() => removeCard(db, token)),
    listCharges: (filter) => asOutsideError(() => listCharges(db, filter, clock.now())),
  };
}

/** Creates the gateway's approval of charges by customers. */
function createApprovals(
  db: Db,
): Pick<SandboxGateway, 'cancelCharge' | 'findPendingApproval' | 'answerPendingApproval'> {
  return {
    cancelCharge: (chargeId) =>
      asOutsideError(async () => {
        await changeStatus(db, { chargeId }, { from: ['waiting', 'approved', 'authorized'], to: 'canceled' });
        const row = await findChargeById(db, chargeId);
        if (row?.status === 'succeeded') throw unansweredError('The charge has succeeded.');
      }),
    findPendingApproval: (link) =>
      asOutsideError(async () => {
        const row = await findChargeByLink(db, link);
        if (!row) return undefined;
        const state = row.status === 'waiting' ? 'open' : 'answered';
        const { orderId, amount: amountCents, currency, returnUrl } = row;
        return { orderId, amountCents, currency, state, returnUrl };
      }),
    answerPendingApproval: (link, isApproved) =>
      asOutsideError(() =>
        isApproved
          ? changeStatus(db, { link }, { from: ['waiting'], to: 'approved' })
          : changeStatus(db, { link }, { from: ['waiting'], to: 'declined', declineCode: 'authentication_failed' }),
      ),
  };
}

/** Returns the fingerprint of a test card: the public number of a declining card, null for others. */
function fingerprintOf(number: string): string | null {
  return Object.hasOwn(DECLINE_CODES, number) || number === CARD_REQUIRING_3DS ? `sandbox_${number.slice(-4)}` : null;
}

async function saveCard(
  insertCard: (card: SandboxCard) => Promise<true>,
  number: string,
): Promise<Pick<SavedCard, 'token' | 'fingerprint'>> {
  const token = randomId('card_');
  const declineCode = DECLINE_CODES[number] ?? null;
  const paid = number === CARD_REQUIRING_3DS ? 'waiting' : 'succeeded';
  const status = declineCode === null ? paid : 'declined';
  const kept = { token, brand: cardBrand(number) ?? 'unknown', last4: number.slice(-4), status } as const;
  await insertCard({ ...kept, declineCode, losesAnswer: number === LOST_ANSWER_CARD });
  return { token, fingerprint: fingerprintOf(number) };
}

/** Cash at the handoff, as a card whose charges are to be collected. */
async function saveCash(insertCard: (card: SandboxCard) => Promise<true>, expirationYear: number): Promise<SavedCard> {
  const shown = { token: randomId('cash_'), brand: 'cash', last4: '' } as const;
  await insertCard({ ...shown, status: 'to_collect', declineCode: null, losesAnswer: false });
  return { ...shown, fingerprint: null, expirationMonth: 12, expirationYear };
}

type Write = (charge: NewCharge) => Promise<WrittenCharge | undefined>;

async function charge(
  db: Db,
  write: Write,
  request: ChargeRequest,
  captureBefore: Temporal.Instant | null,
): Promise<ChargeOutcome> {
  if (!Number.isSafeInteger(request.amountCents) || request.amountCents <= 0) {
    throw refusedError('An amount is a whole number of cents above zero.');
  }
  if (request.amountCents < MINIMUM_CENTS && !request.cardToken.startsWith(CASH_TOKEN)) {
    throw refusedError('The amount is below the minimum of a card.');
  }
  const written = await write({ ...request, chargeId: randomId('ch_'), link: randomId('ask_', 24), captureBefore });
  if (!written) {
    const recorded = await recordedCharge(db, request);
    if (!recorded) throw refusedError('There is no such card.');
    return recorded;
  }
  if (written.losesAnswer) throw unansweredError('The charge timed out.');
  return written;
}

/**
 * Returns the charge under a key; refuses a key of a different request. An approved charge succeeds now, and concurrent
 * callers complete the same one.
 */
async function recordedCharge(db: Db, request: ChargeRequest): Promise<ChargeOutcome | undefined> {
  const row = await findChargeByKey(db, request.key);
  if (!row) return undefined;
  const isSame =
    (row.authorizedAmount ?? row.amount) === request.amountCents &&
    row.currency === request.currency &&
    row.cardToken === request.cardToken &&
    row.orderId === request.orderId;
  if (!isSame) throw refusedError('This key was used for another charge.');
  if (row.status !== 'approved') return row;
  await changeStatus(db, request, {
    from: ['approved'],
    to: row.authorizedAmount === null ? 'succeeded' : 'authorized',
  });
  return findChargeByKey(db, request.key);
}

async function readCharge(db: Db, chargeId: string, outcomeOf: OutcomeOf): Promise<BookedCharge | undefined> {
  const row = await findChargeById(db, chargeId);
  if (!row) return undefined;
  const { idempotencyKey: key, orderId, amount: amountCents } = row;
  return { key, orderId, amountCents, outcome: outcomeOf(row), refunds: await listRefunds(db, chargeId) };
}

type CaptureRequest = { chargeId: string; amountCents: number };

async function capture(db: Db, { chargeId, amountCents }: CaptureRequest, now: Temporal.Instant): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const row = await lockCharge(tx, chargeId);
    if (row?.status === 'succeeded' && row.authorizedAmount !== null && row.amount === amountCents) return;
    const isHeld = row?.status === 'authorized' && isHeldAt(row.captureBefore, now);
    if (!isHeld) throw refusedError('There is no such authorization to capture.');
    if (!(amountCents > 0 && amountCents <= row.amount))
      throw refusedError('A capture is limited to the authorized amount.');
    await captureHold(tx, chargeId, amountCents);
  });
}

type RefundRequest = { chargeId: string; amountCents: number; key: string };

async function refund(db: Db, request: RefundRequest, now: Temporal.Instant): Promise<{ refundId: string }> {
  const { chargeId, amountCents, key } = request;
  if (!Number.isSafeInteger(amountCents) || amountCents <= 0) throw refusedError('A refund is above zero.');
  return db.transaction().execute(async (tx) => {
    const row = await lockCharge(tx, chargeId);
    const isNote = row?.status === 'to_collect';
    if (!row || !(isNote || row.status === 'succeeded')) throw refusedError('There is no such charge to refund.');
    const known = await findBookedRefund(tx, key);
    if (known && (known.chargeId !== chargeId || known.amount !== amountCents)) {
      throw refusedError('This key was used for another refund.');
    }
    if (known) return { refundId: known.refundId };
    if (!isNote && row.refundedAmount + amountCents > row.amount) {
      throw refusedError('A refund is limited to the charged amount.');
    }
    const refundId = randomId('re_');
    await insertBookedRefund(tx, { refundId, chargeId, amountCents, key }, now);
    return { refundId };
  });
}

type OutcomeOf = (row: ChargeOutcome) => Charge;

function createOutcomeOf(pagesUrl: string, clock: Clock): OutcomeOf {
  return ({ chargeId, status, declineCode, link, captureBefore }) => {
    if (status === 'succeeded' || status === 'to_collect') return { chargeId, status };
    if (status === 'authorized' && captureBefore && isHeldAt(captureBefore, clock.now()))
      return { chargeId, status, captureBefore };
    const isWaiting = status === 'waiting' || status === 'approved';
    if (!isWaiting) return { chargeId, status: 'declined', declineCode: declineCode ?? 'generic_decline' };
    const authenticationUrl = status === 'waiting' ? `${pagesUrl}/payment/authenticate/${link}` : null;
    return { chargeId, status: 'waiting', authenticationUrl };
  };
}

/** Reports a database outage as a gateway that does not answer, because the effect of the call is unknown. */
async function asOutsideError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof OutsideError || error instanceof Refusal) throw error;
    throw unansweredError('The sandbox gateway did not respond.', error);
  }
}

const refusedError = (message: string) => new OutsideError('payment gateway', message, { retryable: false });

function unansweredError(message: string, cause?: unknown): OutsideError {
  return new OutsideError('payment gateway', message, { retryable: true, cause });
}
