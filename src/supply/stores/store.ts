import type { Sandbox } from '../../access/accounts/account.ts';
import type { Language } from '../../platform/languages/language.ts';
import type { Area } from '../../platform/lib/geo/area.ts';
import type { HoursException, StoreHours } from './hours.ts';

/** A store: what it is, how it delivers, what it charges, and the defaults of what its feed leaves out. */

export type StoreType = 'restaurant' | 'grocery';
export type Country = 'US' | 'CA';

export type StoreAddress = {
  streetAddr: string;
  streetAddr2: string;
  city: string;
  state: string;
  zipcode: string;
  country: Country;
};

/** The offer of a store in one mode, with its minutes of preparation. */
export type PickupSettings = { enabled: boolean; accepting: boolean; prepMinutes: readonly [number, number] };

/** The doors that a zone holds: those within a distance of the store, or those in an area. */
export type Reach = { radiusMiles: number } | { area: Area };

/** What a party asks for the doors in one zone; null: as the party's, or else the store's. */
export type DeliveryZone = {
  reach: Reach;
  deliveryFee: DeliveryFee | null;
  orderMinimumCents: number | null;
  prepMinutes: readonly [number, number] | null;
};

/** The kind of a party that brings orders to doors: the store's own drivers, a marketplace, or a courier. */
export type PartyKind = 'first' | 'third' | 'courier';

/** A way to a door: the party that delivers, and its zones. The first zone that holds the door counts. Null: the store's value. */
export type DeliveryParty = {
  party: PartyKind;
  accepting: boolean;
  zones: readonly DeliveryZone[];
  fees: PartyFees | null;
  prepMinutes: readonly [number, number] | null;
};

/** Delivery, by at least one party. `accepting` is for all parties. */
export type DeliverySettings = PickupSettings & { parties: readonly DeliveryParty[] };

/** Slots a customer may order ahead for; capacity counts orders per slot, null is unlimited. */
export type Scheduling = {
  enabled: boolean;
  slotMinutes: number;
  leadMinutes: number;
  daysAhead: number;
  capacity: number | null;
};

/** A store as its feed describes it, complete with defaults, without its catalog. */
export type StoreProfile = {
  name: string;
  type: StoreType;
  /** Digits with the country code first, or null when none could be parsed. */
  phoneNumber: number | null;
  description: string;
  address: StoreAddress;
  latitude: number;
  longitude: number;
  timeZone: string;
  /** Of the people who work there, if the feed names it; the column `language` counts. */
  language?: Language;
  hours: StoreHours;
  /** Hours of single dates, which win over `hours`. */
  hoursExceptions: readonly HoursException[];
  cuisines: readonly string[];
  dollarSigns: number | null;
  photos: { food: readonly string[]; logo: readonly string[]; store: readonly string[] };
  rating: { value: number; count: number | null } | null;
  onlineOrdering: boolean;
  pickup: PickupSettings;
  delivery: DeliverySettings;
  fees: Fees;
  scheduling: Scheduling;
};

/** A store: its profile with the live switches, and the hours and exceptions that it set itself, applied. */
export type Store = StoreProfile & {
  storeId: string;
  /** Until then it reads as closed; null, or a moment that has passed, where it has not paused. */
  pausedUntil: Temporal.Instant | null;
  supportsUpcCodes: boolean;
  /** Whether a catalog has been imported; without a catalog the store takes no orders. */
  hasCatalog: boolean;
  /** Whether something receives the store's live orders: its console, a printer, an address. Live keys order from no other. */
  hasChannel: boolean;
  /** False once its feed no longer lists the store: search does not show it, and it takes no orders. */
  listed: boolean;
  /**
   * The accounts for whose sandbox keys alone the store exists; null: the store is everyone's. A store has accounts while
   * sandbox keys alone have added its place (docs/sandbox.md#sandbox-places).
   */
  sandboxAccounts: readonly string[] | null;
};

/** Whether a store exists for callers who act in a sandbox, or live (null). */
export function existsFor({ sandboxAccounts }: Pick<Store, 'sandboxAccounts'>, sandbox: Sandbox): boolean {
  return sandboxAccounts === null || (sandbox !== null && sandboxAccounts.includes(sandbox));
}

/** The two ways an order reaches its customer; prices, hours and fees may differ between them. */
export type Mode = 'delivery' | 'pickup';

/** The source of data of an open directory, and the license under which it may be used. */
export type StoreOrigin = {
  dataset: string;
  /** As the record states it, such as `ODbL-1.0` or `CDLA-Permissive-2.0`; null where it states none. */
  license: string | null;
  recordId: string | null;
  updatedAt: string | null;
};

/** A fee of a flat part in cents and a percentage (8.875 is 8.875 %) of the subtotal. */
export type DeliveryFee = {
  flatCents: number;
  percent: number;
  taxable: boolean;
  /** The entry with the largest minimum at or below the subtotal replaces flat and percent. */
  thresholds: readonly { minimumSubtotalCents: number; flatCents: number; percent: number }[];
};

export type ServiceFee = {
  flatCents: number;
  percent: number;
  minCents: number;
  maxCents: number | null;
  taxable: boolean;
};

/** Due when the subtotal is under the minimum. */
export type SmallOrderFee = { minimumOrderCents: number; flatCents: number; percent: number };

/** What a store charges; `salesTaxPercent` null means the built-in table of its state or province. */
export type Fees = {
  deliveryFee: DeliveryFee;
  serviceFee: ServiceFee;
  pickupServiceFee: ServiceFee | null;
  smallOrderFee: SmallOrderFee;
  orderMinimumCents: number;
  salesTaxPercent: number | null;
};

/** The fees that a party asks instead of the store's; null: the store's. */
export type PartyFees = {
  deliveryFee: DeliveryFee | null;
  serviceFee: ServiceFee | null;
  smallOrderFee: SmallOrderFee | null;
  orderMinimumCents: number | null;
};

/** Defaults of a store (docs/feeds.md#pickup-delivery-scheduling): it does not offer a mode that its feed does not describe. */
export const MODE_OFF: PickupSettings = { enabled: false, accepting: true, prepMinutes: [10, 20] };
export const DEFAULT_RADIUS_MILES = 5;

/** A zone on the terms of its party. */
export function plainZone(reach: Reach): DeliveryZone {
  return { reach, deliveryFee: null, orderMinimumCents: null, prepMinutes: null };
}

/** A party that delivers within a distance of the store, on the store's own terms. */
export function plainParty(party: PartyKind = 'first', radiusMiles: number = DEFAULT_RADIUS_MILES): DeliveryParty {
  return { party, accepting: true, zones: [plainZone({ radiusMiles })], fees: null, prepMinutes: null };
}

export const NO_SCHEDULING: Scheduling = {
  enabled: false,
  slotMinutes: 30,
  leadMinutes: 60,
  daysAhead: 3,
  capacity: null,
};
