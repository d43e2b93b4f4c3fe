import type { DropOff } from '../../../ordering/order/order.ts';
import type { Country } from '../../../supply/stores/store.ts';
import type { Position } from '../position.ts';

/**
 * States of a courier's delivery: no courier yet, on the way to the store, at the store, with the order, and three
 * final ones. Whether the courier is near the address is derived from the position.
 */
export const COURIER_STATES = [
  'pending',
  'assigned',
  'at_store',
  'picked_up',
  'delivered',
  'canceled',
  'returned',
] as const;
export type CourierState = (typeof COURIER_STATES)[number];

/** An address on one line, and its parts if known. */
export type CourierAddress = Position & { text: string; parts: AddressParts | undefined };
export type AddressParts = {
  lines: readonly string[];
  city: string;
  state: string;
  postalCode: string;
  country: Country;
};

export type CourierStop = { name: string; phone: number | null; address: CourierAddress; notes: string };

/** A delivery that is requested from a courier. Amounts are in cents. */
export type CourierJob = {
  /** Idempotency key: a gateway creates one delivery per key. */
  key: string;
  /** Order number for the courier to mention at the store. */
  reference: string;
  pickup: CourierStop;
  dropoff: CourierStop;
  items: readonly { name: string; quantity: number }[];
  valueCents: number;
  tipCents: number;
  currency: 'usd' | 'cad';
  /** When the order is ready at the store. */
  readyAt: Temporal.Instant;
  /** Minimum age of the recipient, for an order with alcohol. */
  minAge: number | null;
  /** Where the customer wants it; null if nothing was chosen. The notes of the stops say it in words as well. */
  where: DropOff['where'] | null;
};

/** A delivery's price. */
export type CourierQuote = { quoteId: string; feeCents: number; currency: string };

export type CourierDriver = {
  name?: string;
  phone?: number;
  vehicleType?: string;
  photoUrl?: string;
  position?: Position;
};

/** The delivery's current state at the gateway. Unknown values are null. */
export type CourierReport = {
  deliveryId: string;
  /** Key of the job; null if the gateway does not echo it. */
  key: string | null;
  state: CourierState;
  driver: CourierDriver;
  /** Estimated arrival at the address. */
  eta: Temporal.Instant | null;
  feeCents: number | null;
  currency: string | null;
  trackingUrl: string | null;
  /** A photo at the delivery address. */
  proofUrl: string | null;
  /** Time of the state, by the gateway's clock. */
  at: Temporal.Instant;
  /** The webhook's event id; null for a look-up, or if the gateway has no event ids. */
  eventId: string | null;
};

/** The gateway refused the delivery; `reason` is the gateway's word, for the operator. */
export type CourierRefusal = { kind: 'refused'; reason: string };

export type QuoteAnswer = { kind: 'quoted'; quote: CourierQuote } | CourierRefusal;
/** `quote_expired`: nothing was created, and a new quote is needed. */
export type CreateAnswer = { kind: 'created'; report: CourierReport } | { kind: 'quote_expired' } | CourierRefusal;
/** `unknowable`: the gateway finds deliveries only by its own id, which is not known yet. */
export type FindAnswer = { kind: 'found'; report: CourierReport } | { kind: 'none' } | { kind: 'unknowable' };
/** `too_late`: the courier has the order, or the delivery has already ended. */
export type CancelAnswer = 'canceled' | 'too_late';
/** `not_updated`: the gateway cannot, or it is too late. */
export type UpdateAnswer = 'updated' | 'not_updated';
/**
 * `forged`: an unauthenticated call. `other`: a genuine call about something else. `unreadable`: a report without
 * required members, or with an unknown state.
 */
export type WebhookReading = { kind: 'report'; report: CourierReport } | { kind: 'forged' | 'other' | 'unreadable' };

/** A reference to a delivery: our key, and the gateway's id if known. */
export type CourierRef = { key: string; deliveryId: string | null };
export type WebhookHeaders = Readonly<Record<string, string | string[] | undefined>>;

/**
 * The port of a courier company. Any call may throw OutsideError, which leaves its effect unknown. Repeating `create`
 * with the same key returns the first delivery.
 */
export interface CourierGateway {
  quote(job: CourierJob): Promise<QuoteAnswer>;
  create(job: CourierJob, quoteId: string | null): Promise<CreateAnswer>;
  find(ref: CourierRef): Promise<FindAnswer>;
  cancel(deliveryId: string): Promise<CancelAnswer>;
  /** Passes changed notes, name, apartment and phone of the address on, and where the company can, a later `readyAt`. */
  update(deliveryId: string, job: CourierJob): Promise<UpdateAnswer>;
  /** Passes the whole tip on after it was raised. */
  raiseTip(deliveryId: string, tipCents: number): Promise<UpdateAnswer>;
  /** Parses a webhook call from its lower-case headers and raw body. */
  readReport(headers: WebhookHeaders, body: Buffer): WebhookReading;
}

/** The gateways of configured companies, by the names that stores choose. */
export type Couriers = ReadonlyMap<string, CourierGateway>;
