import type { KeyMode } from '../../access/accounts/account.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import type { JobKind } from '../../platform/jobs/jobs.ts';

/** A card on its way to the gateway; it is stored nowhere. Digits are text, so that 19 digits and a leading zero survive. */
export type Card = { number: string; expirationMonth: number; expirationYear: number; cvc: string };

export type CardBrand = 'visa' | 'mastercard' | 'amex' | 'discover' | 'diners' | 'jcb' | 'unionpay' | 'maestro';

/** The brand that a list of payment methods shows: a gateway may take cards of further brands. */
export type ShownBrand = CardBrand | 'other';

/** A card that the gateway keeps: the gateway's own token for it, and what may be shown of it. */
export type SavedCard = {
  token: string;
  /** The gateway's name of the card itself, the same for every token of it; null where the gateway tells none. */
  fingerprint: string | null;
  brand: ShownBrand;
  last4: string;
  expirationMonth: number;
  expirationYear: number;
};

/** A request for a page of the gateway on which a customer enters a card. The gateway sends the customer to `returnUrl` afterwards. */
export type CardPageRequest = {
  setupId: string;
  userEmail: string;
  returnUrl: string;
  expiresAt: Temporal.Instant;
};

/** The outcome of a card page: `open` until a card was entered, `over` when none can be entered any more. */
export type CardPageState = { state: 'open' } | { state: 'over' } | { state: 'completed'; card: SavedCard };

export type Currency = 'usd' | 'cad';

/**
 * One attempt to take money. `key` names the attempt (order_id:charge_attempt), `cardToken` is the gateway's own.
 * `waitingChargeId` is the charge of this key that waited for its customer: it is completed where the customer has
 * approved it.
 */
export type ChargeRequest = {
  cardToken: string;
  amountCents: number;
  currency: Currency;
  key: string;
  orderId: string;
  waitingChargeId?: string | undefined;
  /** Where a customer who has to approve the charge is sent afterwards; the same in each call of a key. */
  returnUrl?: string | undefined;
};

/**
 * Outcome of an attempt; a decline is stored under its key too. A `waiting` charge needs 3-D Secure: no money moves
 * until `charge` is repeated with the same key. `authenticationUrl` is null once the customer has been there.
 */
export type Charge =
  | { chargeId: string; status: 'succeeded' }
  | { chargeId: string; status: 'declined'; declineCode: string }
  | WaitingCharge;
export type WaitingCharge = { chargeId: string; status: 'waiting'; authenticationUrl: string | null };

/** A refund in the gateway's books; `isOurs`: the service asked for it, under a key of its own. */
export type BookedRefund = { refundId: string; amountCents: number; isOurs: boolean; hasFailed: boolean };

/** What the gateway's books say of a charge; `outcome` is undefined while the gateway has not decided. */
export type BookedCharge = {
  key: string;
  orderId: string;
  amountCents: number;
  outcome: Charge | undefined;
  refunds: readonly BookedRefund[];
};

/**
 * The card processor. A call repeated with the same key has one effect and one answer. OutsideError with `retryable:
 * true`: effect unknown, so repeat the call or use `findCharge`. `retryable: false`: the request was refused and moved
 * no money.
 */
export interface PaymentGateway {
  /** Hands a card over and returns the gateway's own token for it. Throws CardDeclined when the gateway will not have it. */
  saveCard(card: Card): Promise<Pick<SavedCard, 'token' | 'fingerprint'>>;
  /**
   * Takes over a card that the gateway's own client library has collected, by the token of that library. Throws a Refusal
   * `payment_token_not_accepted` for a token that the gateway does not know or will not have, or CardDeclined.
   */
  acceptToken(paymentToken: string): Promise<SavedCard>;
  /** Opens a page of the gateway on which a customer enters a card. A repeated call for one setup opens one page. */
  openCardPage(request: CardPageRequest): Promise<{ session: string; url: string }>;
  readCardPage(session: string): Promise<CardPageState>;
  /** Takes the money now. A decline is returned, never thrown. */
  charge(request: ChargeRequest): Promise<Charge>;
  /**
   * The outcome recorded under a key; undefined without a record. A charge in flight may be recorded later: look again,
   * or decide the attempt by charging with the same key.
   */
  findCharge(attempt: Pick<ChargeRequest, 'key' | 'cardToken' | 'waitingChargeId'>): Promise<Charge | undefined>;
  /**
   * Ends a charge that waits for its customer, for good: afterwards it takes no money. Ending it again is no error. A charge
   * that has succeeded meanwhile is OutsideError, retryable: look it up and refund it.
   */
  cancelCharge(chargeId: string): Promise<void>;
  /** A charge by the gateway's own id, with its refunds; undefined for a charge that this service did not make. */
  readCharge(chargeId: string): Promise<BookedCharge | undefined>;
  /** Refunds a charge, in full or in part; a part and the rest have keys of their own. */
  refund(request: { chargeId: string; amountCents: number; key: string }): Promise<{ refundId: string }>;
  /** Deletes a card. A second deletion, or an unknown card, is no error. */
  deleteCard(token: string): Promise<void>;
}

/** A charge of the sandbox gateway that its customer is asked to approve. */
export type PendingApproval = {
  amountCents: number;
  currency: Currency;
  state: 'asked' | 'answered';
  returnUrl: string | null;
};

/** A charge as the sandbox gateway wrote it in its own books. Amounts in cents. */
export type RecordedCharge = {
  chargeId: string;
  orderId: string;
  cardToken: string;
  amountCents: number;
  refundedCents: number;
  /** A charge that waits for its customer, or was abandoned then, took nothing and is shown as declined. */
  status: 'succeeded' | 'declined';
  declineCode: string | null;
  at: Temporal.Instant;
};

/** The sandbox gateway also lists its charges, so that a client can check them, and asks customers by a page. */
export interface SandboxGateway extends PaymentGateway {
  /** The charge that a link asks about; undefined for an unknown link. */
  findPendingApproval(link: string): Promise<PendingApproval | undefined>;
  /** The customer's answer; the first answer counts. */
  answerPendingApproval(link: string, isApproved: boolean): Promise<void>;
  /** Charges of an order or of some cards, oldest first; both filters given, both must hold. */
  listCharges(filter: { orderId?: string; cardTokens?: readonly string[] }): Promise<RecordedCharge[]>;
}

/** The gateway of each key mode; `live` is undefined when no gateway is configured, `notices` when its webhooks are not. */
export type Gateways = {
  sandbox: SandboxGateway;
  live: PaymentGateway | undefined;
  notices: GatewayNotices | undefined;
};

/** The gateway of a key mode; refuses with payment_gateway_not_configured where there is none. */
export function requireGateway(gateways: Gateways, mode: KeyMode): PaymentGateway {
  const gateway = gateways[mode];
  if (gateway) return gateway;
  throw new Refusal('payment_gateway_not_configured', 'This service has no payment gateway for live keys.');
}

/** 422: the gateway will not make a card of this token. */
export function tokenNotAccepted(): Refusal {
  const sentence = 'The gateway does not accept this payment_token: it is unknown, was used before, or is no card.';
  return new Refusal('payment_token_not_accepted', sentence, {
    errors: [{ in: 'body', name: 'payment_token', message: 'is not accepted by the gateway' }],
  });
}

const SENTENCES: Readonly<Record<string, string>> = {
  insufficient_funds: 'The card has insufficient funds.',
  expired_card: 'The card has expired.',
  incorrect_cvc: "The card's security code is incorrect.",
  authentication_failed: 'The customer did not approve the payment.',
  processing_error: 'The card could not be processed; try again or use another card.',
};

/** The card's issuer or the gateway says no: 402 `payment_declined` with its `decline_code`. */
export class CardDeclined extends Refusal {
  readonly declineCode: string;

  constructor(declineCode: string) {
    super('payment_declined', SENTENCES[declineCode] ?? 'The card was declined.', {
      members: { decline_code: declineCode },
    });
    this.name = 'CardDeclined';
    this.declineCode = declineCode;
  }
}

/**
 * An event that the gateway reports. Events arrive again, late and in any order, so a notice names what has changed, and
 * the gateway is asked how it stands. `disputeId` and `status` are the gateway's own words.
 */
export type GatewayNotice =
  | { kind: 'charge' | 'refund'; chargeId: string }
  | DisputeNotice
  | { kind: 'setup'; setupId: string; session: string };

export type DisputeNotice = {
  kind: 'dispute';
  eventId: string;
  at: Temporal.Instant;
  chargeId: string;
  amountCents: number;
  status: string;
  reason: string;
};

/** Reads the calls of the gateway's webhook. */
export interface GatewayNotices {
  /**
   * The notice of a call; undefined for an event of no concern. Throws a Refusal `invalid_request` for a call that the
   * gateway did not sign, or signed too long ago.
   */
  read(call: {
    body: Buffer;
    signature: string | undefined;
    now: Temporal.Instant;
  }): Promise<GatewayNotice | undefined>;
}

/** Compares a charge in the gateway's books with its order. `eventId`: an event for the operator that lacks its order. */
export const RECONCILE_CHARGE: JobKind<{ chargeId: string; eventId?: string }> = { name: 'reconcile-charge' };

/** Asks the gateway for the outcome of a card page. */
export const RESOLVE_SETUP: JobKind<{ setupId: string; session: string }> = { name: 'resolve-card-setup' };
