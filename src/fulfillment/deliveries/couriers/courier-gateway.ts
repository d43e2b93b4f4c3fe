import type { SettingGroup, SettingValues } from '../../../platform/config/config.ts';
import type { Clock } from '../../../platform/lib/clock.ts';
import type { Country } from '../../../supply/stores/store.ts';
import type { Position } from '../position.ts';

/**
 * States of a courier's delivery: no courier yet, on the way to the store, at the store, with the order, and three
 * ends. Nearness to the door is derived from the position.
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

/** An address as one line, and in its parts where they are known. */
export type CourierAddress = Position & { text: string; parts: AddressParts | undefined };
export type AddressParts = {
  lines: readonly string[];
  city: string;
  state: string;
  postalCode: string;
  country: Country;
};

export type CourierStop = { name: string; phone: number | null; address: CourierAddress; notes: string };

/** A delivery that a courier is asked for. Amounts in cents. */
export type CourierJob = {
  /** Names this one delivery; a gateway makes one delivery for each key, however often it is asked. */
  key: string;
  /** The number that the courier asks for at the store. */
  reference: string;
  pickup: CourierStop;
  dropoff: CourierStop;
  items: readonly { name: string; quantity: number }[];
  valueCents: number;
  tipCents: number;
  currency: 'usd' | 'cad';
  /** When the order is ready at the store. */
  readyAt: Temporal.Instant;
  /** The age that the recipient must prove, for an order with alcohol. */
  minAge: number | null;
};

/** What a delivery would cost and take. Minutes are from now; null where the gateway does not say. */
export type CourierQuote = {
  quoteId: string;
  feeCents: number;
  currency: string;
  pickupMinutes: number | null;
  dropoffMinutes: number | null;
  expiresAt: Temporal.Instant;
};

export type CourierDriver = {
  name?: string;
  phone?: number;
  vehicleType?: string;
  photoUrl?: string;
  position?: Position;
};

/** The delivery as the gateway knows it at this moment. Members that the gateway leaves out are null. */
export type CourierReport = {
  deliveryId: string;
  /** The key of the job; null where the gateway does not repeat it. */
  key: string | null;
  state: CourierState;
  driver: CourierDriver;
  /** The estimated arrival at the door. */
  eta: Temporal.Instant | null;
  feeCents: number | null;
  currency: string | null;
  trackingUrl: string | null;
  /** A picture that shows the delivery at the door. */
  proofUrl: string | null;
  /** When this was so, by the gateway's clock. */
  at: Temporal.Instant;
  /** The id of the webhook's event; null for a look-up, and where the gateway numbers no events. */
  eventId: string | null;
};

/** The gateway makes no such delivery; `reason` is a word of the gateway, for the operator. */
export type CourierRefusal = { kind: 'refused'; reason: string };

export type QuoteAnswer = { kind: 'quoted'; quote: CourierQuote } | CourierRefusal;
/** `quote_expired`: nothing was made, and a new quote is needed. */
export type CreateAnswer = { kind: 'created'; report: CourierReport } | { kind: 'quote_expired' } | CourierRefusal;
/** `unknowable`: the gateway finds deliveries by its own id alone, and the id is not known yet. */
export type FindAnswer = { kind: 'found'; report: CourierReport } | { kind: 'none' } | { kind: 'unknowable' };
/** `too_late`: the courier has the order, or the delivery has ended otherwise. */
export type CancelAnswer = 'canceled' | 'too_late';
/** `forged`: the call does not prove that the gateway made it. `other`: a genuine call about another matter. */
export type WebhookReading = { kind: 'report'; report: CourierReport } | { kind: 'forged' } | { kind: 'other' };

/** A delivery at the gateway: our key, and the gateway's id once it is known. */
export type CourierRef = { key: string; deliveryId: string | null };
export type WebhookHeaders = Readonly<Record<string, string | string[] | undefined>>;

/**
 * What the service needs of a company of couriers. Every call may throw OutsideError, which says nothing about what
 * became of the call; `create` with the same key again makes no second delivery and answers with the first.
 */
export interface CourierGateway {
  quote(job: CourierJob): Promise<QuoteAnswer>;
  create(job: CourierJob, quoteId: string | null): Promise<CreateAnswer>;
  find(ref: CourierRef): Promise<FindAnswer>;
  cancel(deliveryId: string): Promise<CancelAnswer>;
  /** Reads a call to the gateway's webhook: its headers in lower case, its body byte by byte. */
  readReport(headers: WebhookHeaders, body: Buffer): WebhookReading;
}

/** The gateways of the companies whose settings are set, by the company's name. */
export type Couriers = ReadonlyMap<string, CourierGateway>;

/** A company of couriers: the settings that it needs, and its gateway where they are set. */
export type CourierCompany<Required extends string = string, Optional extends string = never> = {
  /** As `stores courier` and the address of its webhook name it. */
  name: string;
  settings: SettingGroup<Required, Optional>;
  open(settings: SettingValues<Required, Optional>, options: CourierOptions): Promise<CourierGateway>;
};

/** `urls`: addresses of the company where they are not the production addresses. */
export type CourierOptions = { clock: Clock; urls?: CourierUrls | undefined };
export type CourierUrls = Readonly<Record<string, string>>;
