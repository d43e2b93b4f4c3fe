import type { KeyMode } from '../../access/accounts/account.ts';
import type { ContentPolicy } from '../../platform/http/content-policy.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import type { Language } from '../../platform/languages/language.ts';

/** A card on its way to the gateway; never stored. Digits are text, so that 19 digits and leading zeros are kept. */
export type Card = { number: string; expirationMonth: number; expirationYear: number; cvc: string };

export type CardBrand = 'visa' | 'mastercard' | 'amex' | 'discover' | 'diners' | 'jcb' | 'unionpay' | 'maestro';

/** The brand in a list of payment methods. Gateways may accept more brands than this service validates. */
export type ShownBrand = CardBrand | 'other' | 'cash';

/** How customers pay at a gateway. Cash is the payment method that `acceptToken(CASH_TOKEN)` makes. */
export type PaymentKind = 'card' | 'cash';
export const CASH_TOKEN = 'cash';

/** A card stored at the gateway, with its token and displayable details. */
export type SavedCard = {
  token: string;
  /** The gateway's fingerprint of the card, equal for every token; null if the gateway has none. */
  fingerprint: string | null;
  brand: ShownBrand;
  last4: string;
  expirationMonth: number;
  expirationYear: number;
};

/**
 * A request for a gateway page where a customer enters a card. The gateway sends the customer to `returnUrl`
 * afterwards.
 */
export type CardPageRequest = {
  setupId: string;
  userEmail: string;
  returnUrl: string;
  expiresAt: Temporal.Instant;
  /** The page's language; undefined for the browser's. */
  language: Language | undefined;
};

/** The outcome of a card page: `open` until a card is entered, `over` when none can be entered any more. */
export type CardPageState = { state: 'open' } | { state: 'over' } | { state: 'completed'; card: SavedCard };

export type Currency = 'usd' | 'cad';

/**
 * An attempt to take money. `key` identifies the attempt (order_id:charge_attempt); `cardToken` is the gateway's.
 * `waitingChargeId` is the charge of this key that waited for 3-D Secure, which is completed if the customer has
 * approved it.
 */
export type ChargeRequest = {
  cardToken: string;
  amountCents: number;
  currency: Currency;
  key: string;
  orderId: string;
  waitingChargeId?: string | undefined;
  /** Where a customer returns after approving the charge; equal in each call of a key. */
  returnUrl?: string | undefined;
};

/**
 * The outcome of an attempt; a decline is also stored under its key. A `waiting` charge needs 3-D Secure: no money
 * moves until `charge` is repeated with the same key. `authenticationUrl` is null once the customer has been there.
 * `to_collect`: driver or store collects the money at the handoff, and it counts as charged by `chargeId` from then on.
 * `authorized`: the card holds the money until `captureBefore`.
 */
export type Charge =
  | { chargeId: string; status: 'succeeded' | 'to_collect' }
  | { chargeId: string; status: 'authorized'; captureBefore: Temporal.Instant }
  | { chargeId: string; status: 'declined'; declineCode: string }
  | WaitingCharge;
export type WaitingCharge = { chargeId: string; status: 'waiting'; authenticationUrl: string | null };

/** A refund in the gateway's books. `isOurs`: this service made it, under its own key. */
export type BookedRefund = { refundId: string; amountCents: number; isOurs: boolean; hasFailed: boolean };

/** A charge in the gateway's books, with what was captured of a hold; `outcome` is undefined until the gateway decides. */
export type BookedCharge = {
  key: string;
  orderId: string;
  amountCents: number;
  outcome: Charge | undefined;
  refunds: readonly BookedRefund[];
};

/**
 * Wallets of the customer's device, such as Apple Pay and Google Pay, on the hosted checkout. Their tokens are taken by
 * `acceptToken`.
 */
export type Wallets = {
  /** Path of the module for browsers that shows the button (docs/plugins.md#wallets). */
  script: string;
  publicKey: string;
  /** Origins that the module may run, frame and call, by directive of the Content-Security-Policy. */
  sources: ContentPolicy;
  /** The file that proves the domain to Apple. */
  appleDomainFile?: string | undefined;
};

/**
 * The card processor. A call repeated with the same key has one effect and one response. OutsideError with `retryable:
 * true`: the effect is unknown, so repeat the call or use `findCharge`. `retryable: false`: the request was refused and
 * moved no money.
 */
export interface PaymentGateway {
  /** The payment methods of the hosted checkout, in sandbox orders too; absent where only cards are accepted. */
  readonly methods?: readonly PaymentKind[];
  readonly wallets?: Wallets | undefined;
  /** The least that it charges, in cents of each currency; a smaller amount is waived. Absent for any amount. */
  readonly minimumCents?: number;
  /** Sends a card to the gateway and returns its token. Throws CardDeclined if the gateway refuses the card. */
  saveCard(card: Card): Promise<Pick<SavedCard, 'token' | 'fingerprint'>>;
  /**
   * Takes a card collected by the gateway's client library, by that library's token. Throws
   * `payment_token_not_accepted` for an unknown or unusable token, or CardDeclined.
   */
  acceptToken(paymentToken: string): Promise<SavedCard>;
  /** Opens a gateway page where a customer enters a card. Repeated calls for one setup open one page. */
  openCardPage(request: CardPageRequest): Promise<{ session: string; url: string }>;
  readCardPage(session: string): Promise<CardPageState>;
  /** Takes the money now. A decline is returned, never thrown. */
  charge(request: ChargeRequest): Promise<Charge>;
  /**
   * Holds the money of a charge, which is `authorized` then in place of `succeeded`; otherwise as `charge`. A gateway
   * has both this and `capture`, or neither.
   */
  authorize?(request: ChargeRequest): Promise<Charge>;
  /**
   * Captures up to the authorized amount, once, and voids the rest; the charge has `succeeded` then. Refuses a charge
   * that holds nothing any more, and another amount than the first.
   */
  capture?(request: { chargeId: string; amountCents: number; key: string }): Promise<void>;
  /**
   * Finds the outcome recorded under a key; undefined without a record. A charge in flight may be recorded later, so
   * look again, or decide the attempt by charging with the same key.
   */
  findCharge(attempt: Pick<ChargeRequest, 'key' | 'cardToken' | 'waitingChargeId'>): Promise<Charge | undefined>;
  /**
   * Cancels a charge that waits for 3-D Secure or holds money, which then takes none. Canceling again is no error. If
   * the charge has succeeded in the meantime, throws a retryable OutsideError; look it up and refund it.
   */
  cancelCharge(chargeId: string): Promise<void>;
  /** Reads a charge by the gateway's id, with its refunds; undefined for a charge that this service did not make. */
  readCharge(chargeId: string): Promise<BookedCharge | undefined>;
  /**
   * Refunds a charge in full or in part; each part has its own key. For a collected charge it is a note: the driver
   * or store that collected the money hands it back.
   */
  refund(request: { chargeId: string; amountCents: number; key: string }): Promise<{ refundId: string }>;
  /** Deletes a card. A second deletion, or an unknown card, is no error. */
  deleteCard(token: string): Promise<void>;
}

/** A charge of the sandbox gateway that awaits its customer's approval. */
export type PendingApproval = {
  orderId: string;
  amountCents: number;
  currency: Currency;
  state: 'open' | 'answered';
  returnUrl: string | null;
};

/** A charge in the sandbox gateway's books. Amounts in cents. */
export type RecordedCharge = {
  chargeId: string;
  orderId: string;
  cardToken: string;
  amountCents: number;
  /** The card's expected hold; null for an immediate charge. */
  authorizedCents: number | null;
  refundedCents: number;
  /** A charge that awaited approval or was abandoned took nothing and is shown as declined. */
  status: 'succeeded' | 'declined' | 'to_collect' | 'authorized' | 'voided';
  declineCode: string | null;
  at: Temporal.Instant;
};

/**
 * The sandbox gateway also lists its charges, so that a client can check them, and asks for approval on its own page.
 */
export interface SandboxGateway extends PaymentGateway {
  /** Finds the charge that a link asks to approve; undefined for an unknown link. */
  findPendingApproval(link: string): Promise<PendingApproval | undefined>;
  /** Records the customer's answer; the first one applies. */
  answerPendingApproval(link: string, isApproved: boolean): Promise<void>;
  /** Lists an order's and some cards' charges, oldest first; both filters apply if given. */
  listCharges(filter: { orderId?: string; cardTokens?: readonly string[] }): Promise<RecordedCharge[]>;
}

/** The gateway of each key mode. `live` is undefined if no gateway is configured, `notices` if its webhooks are not. */
export type Gateways = {
  sandbox: SandboxGateway;
  live: PaymentGateway | undefined;
  notices: GatewayNotices | undefined;
};

/** Returns the gateway of a key mode; refuses with payment_gateway_not_configured if there is none. */
export function requireGateway(gateways: Gateways, mode: KeyMode): PaymentGateway {
  const gateway = gateways[mode];
  if (gateway) return gateway;
  throw new Refusal('payment_gateway_not_configured', 'This service has no payment gateway for live keys.');
}

/** How customers can pay with keys of a mode; by card where no gateway is configured. */
export function methodsOf(gateways: Gateways, mode: KeyMode): readonly PaymentKind[] {
  return gateways[mode]?.methods ?? ['card'];
}

/** The least that a card pays with keys of a mode. */
export const minimumOf = (gateways: Gateways, mode: KeyMode): number => gateways[mode]?.minimumCents ?? 0;

/** Creates a 422: the gateway accepts no card with this token. */
export function tokenNotAccepted(): Refusal {
  const sentence = "The gateway does not accept this payment_token. It is unknown, was already used, or isn't a card.";
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

/** The card's issuer or the gateway declined: 402 `payment_declined` with its `decline_code`. */
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
 * An event reported by the gateway. Events are repeated, late and out of order, so a notice says what changed and the
 * gateway has the current state. `disputeId` and `status` are the gateway's words.
 */
export type GatewayNotice =
  | { kind: 'charge' | 'refund'; chargeId: string }
  | DisputeNotice
  | { kind: 'setup'; setupId: string; session: string }
  /** A dispute without its id, amount or time. */
  | { kind: 'unreadable' };

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
   * Reads the notice of a call; undefined for an irrelevant event. Throws `invalid_request` if the call is too old or
   * not signed by the gateway.
   */
  read(call: {
    body: Buffer;
    headers: Readonly<Record<string, string | string[] | undefined>>;
    now: Temporal.Instant;
  }): Promise<GatewayNotice | undefined>;
}
