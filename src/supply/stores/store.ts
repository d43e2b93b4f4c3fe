import type { Area } from 'doorstep/search-engine/geography';
import type { Sandbox } from '../../access/accounts/account.ts';
import type { Language } from '../../platform/languages/language.ts';
import type { HoursException, StoreHours } from './hours.ts';
import type { Busy, Kitchen, LearnedMinutes } from './kitchen.ts';
import type { TaxClass } from './tax-class.ts';

/** A store's profile: identity, delivery, fees, and defaults for values missing in its feed. */

export type StoreType = 'restaurant' | 'grocery';
export type Country = 'US' | 'CA';

export const currencyOf = (country: Country): 'USD' | 'CAD' => (country === 'CA' ? 'CAD' : 'USD');

export type StoreAddress = {
  streetAddr: string;
  streetAddr2: string;
  city: string;
  state: string;
  zipcode: string;
  country: Country;
};

/** Whether and how a store sells in one mode, with preparation minutes. */
export type PickupSettings = { enabled: boolean; accepting: boolean; prepMinutes: readonly [number, number] };

/** Where a zone delivers: within a distance of the store, or in an area. */
export type Reach = { radiusMiles: number } | { area: Area };

/** Delivery terms of one zone; null falls back to the party's terms, then to the store's. */
export type DeliveryZone = {
  reach: Reach;
  deliveryFee: DeliveryFee | null;
  orderMinimumCents: number | null;
  prepMinutes: readonly [number, number] | null;
};

/** Delivery by the store's own drivers, by a marketplace, or by a courier. */
export type PartyKind = 'first' | 'third' | 'courier';

/**
 * A delivery party and its zones; the first zone that contains the address applies. Null falls back to the store's
 * value.
 */
export type DeliveryParty = {
  party: PartyKind;
  accepting: boolean;
  zones: readonly DeliveryZone[];
  fees: PartyFees | null;
  prepMinutes: readonly [number, number] | null;
};

/** Delivery by at least one party; `accepting` applies to all parties. */
export type DeliverySettings = PickupSettings & { parties: readonly DeliveryParty[] };

/** Slots for scheduled orders. `capacity` is orders per slot; null is unlimited. */
export type Scheduling = {
  enabled: boolean;
  slotMinutes: number;
  leadMinutes: number;
  daysAhead: number;
  capacity: number | null;
};

/** URLs of a store's photos. The first of a kind counts most. */
export type StorePhotos = { food: readonly string[]; logo: readonly string[]; store: readonly string[] };

/** A store as its feed describes it, with defaults, without its catalog. */
export type StoreProfile = {
  name: string;
  type: StoreType;
  /** Digits with the country code; null if the phone number is invalid. */
  phoneNumber: number | null;
  phoneExtension?: string | undefined;
  description: string;
  address: StoreAddress;
  latitude: number;
  longitude: number;
  timeZone: string;
  /** Language of the staff, if the feed states it; the column `language` takes precedence. */
  language?: Language;
  hours: StoreHours;
  /** Hours of single dates, which override `hours`. */
  hoursExceptions: readonly HoursException[];
  cuisines: readonly string[];
  dollarSigns: number | null;
  photos: StorePhotos;
  rating: { value: number; count: number | null } | null;
  onlineOrdering: boolean;
  pickup: PickupSettings;
  delivery: DeliverySettings;
  fees: Fees;
  /** Tax class of products without their own, if the feed states it. */
  taxClass?: TaxClass;
  scheduling: Scheduling;
  /** Its cooking capacity; absent if that is unlimited. */
  kitchen?: Kitchen | undefined;
  /** As the feed states it; absent if it does not. */
  agreement?: Agreement;
};

/** When a store agreed to be sold, who signed, and where that is filed. */
export type Agreement = { signedOn: string; by: string; reference: string | null };

/** A store with its live switches, own hours and exceptions applied to the profile. */
export type Store = StoreProfile & {
  storeId: string;
  /** Tax class of products without their own: the operator's, or the feed's, or the default of the store's type. */
  taxClass: TaxClass;
  /** The store counts as closed until then; null or past if it is not paused. */
  pausedUntil: Temporal.Instant | null;
  /** The start of the first quarter of an hour with room for a live order, as search shows it; null or past: now. */
  roomFrom: Temporal.Instant | null;
  /** Null or past if the kitchen is not busy. */
  busy: Busy | null;
  /** Null where the store quotes the minutes that it states. */
  learned: LearnedMinutes | null;
  supportsUpcCodes: boolean;
  /** Whether the store has a catalog; without one it takes no orders. */
  hasCatalog: boolean;
  /** Whether any channel (console, printer, address) receives its live orders, as live keys require. */
  hasChannel: boolean;
  /** Whether it has agreed to be sold. */
  hasAgreement: boolean;
  /** Whether carts may be priced above its prices. */
  allowsMarkup: boolean;
  /** The listed promotions that are active; absent without one. */
  offers?: readonly ShownOffer[] | undefined;
  /** False once its feed no longer lists it, or an operator delisted it: it is not in search and takes no orders. */
  listed: boolean;
  /**
   * The only accounts whose sandboxes see the store; null for everyone. Set as long as only sandbox keys have added
   * its place (docs/sandbox.md#sandbox-places).
   */
  sandboxAccounts: readonly string[] | null;
};

/**
 * A promotion as stores show it: in words of its own, or in English with the others; with its code and its end where it
 * has them.
 */
export type ShownOffer = {
  promotionId: string;
  text: string;
  translations?: { fr: string; es: string };
  code?: string;
  endsEpochS?: number;
};

/** Whether a store exists for a sandbox or (null) for live callers. */
export function isVisibleTo({ sandboxAccounts }: Pick<Store, 'sandboxAccounts'>, sandbox: Sandbox): boolean {
  return sandboxAccounts === null || (sandbox !== null && sandboxAccounts.includes(sandbox));
}

/** Channels, courier and terms in a feed's line, with the names of the commands that set them. */
export type FeedSettings = {
  channels?: Readonly<Record<string, unknown>>;
  courier?: string;
  terms?: Readonly<Record<string, unknown>>;
};

/** Returns the store as callers see it: without an agreement that the service requires, it receives no live order. */
export function heldToAgreement(store: Store, isRequired: boolean): Store {
  return isRequired && !store.hasAgreement && store.hasChannel ? { ...store, hasChannel: false } : store;
}

/** How an order reaches its customer; prices, hours and fees may differ. */
export type Mode = 'delivery' | 'pickup';

/** A data source of open directories, and its license. */
export type StoreOrigin = {
  dataset: string;
  /** License as stated by the record, such as `ODbL-1.0` or `CDLA-Permissive-2.0`; null if unstated. */
  license: string | null;
  recordId: string | null;
  updatedAt: string | null;
};

/** A fee: flat cents plus a percentage (8.875 means 8.875 %) of the subtotal. */
export type DeliveryFee = {
  flatCents: number;
  percent: number;
  taxable: boolean;
  /** The entry with the largest minimum that the subtotal reaches replaces flat and percent. */
  thresholds: readonly { minimumSubtotalCents: number; flatCents: number; percent: number }[];
};

export type ServiceFee = {
  flatCents: number;
  percent: number;
  minCents: number;
  maxCents: number | null;
  taxable: boolean;
};

/** A fee for subtotals below the minimum. */
export type SmallOrderFee = { minimumOrderCents: number; flatCents: number; percent: number };

/** A tax rate, such as QST, without `classes` on every class but `exempt`. Rates of one name are one tax. */
export type TaxRate = { name: string; percent: number; classes?: readonly TaxClass[] };

/** A store's charges. `salesTaxPercent` null means the built-in rate of its state or province. */
export type Fees = {
  deliveryFee: DeliveryFee;
  serviceFee: ServiceFee;
  pickupServiceFee: ServiceFee | null;
  smallOrderFee: SmallOrderFee;
  orderMinimumCents: number;
  salesTaxPercent: number | null;
  /** Taxes by name; on the store's default class they add up to `salesTaxPercent`. Absent if the feed lists none. */
  taxes?: readonly TaxRate[];
};

/** A delivery party's fees; null falls back to the store's. */
export type PartyFees = {
  deliveryFee: DeliveryFee | null;
  serviceFee: ServiceFee | null;
  smallOrderFee: SmallOrderFee | null;
  orderMinimumCents: number | null;
};

/**
 * Defaults of a store (docs/feed-format.md#pickup-delivery-scheduling): a mode that its feed does not describe is not
 * offered.
 */
export const MODE_OFF: PickupSettings = { enabled: false, accepting: true, prepMinutes: [10, 20] };
export const DEFAULT_RADIUS_MILES = 5;

/** Creates a zone with its party's terms. */
export function plainZone(reach: Reach): DeliveryZone {
  return { reach, deliveryFee: null, orderMinimumCents: null, prepMinutes: null };
}

/** Creates a party that delivers within a distance, with the store's terms. */
export function plainParty(party: PartyKind = 'first', radiusMiles: number = DEFAULT_RADIUS_MILES): DeliveryParty {
  return { party, accepting: true, zones: [plainZone({ radiusMiles })], fees: null, prepMinutes: null };
}

export const NO_FEES: Fees = {
  deliveryFee: { flatCents: 0, percent: 0, taxable: false, thresholds: [] },
  serviceFee: { flatCents: 0, percent: 0, minCents: 0, maxCents: null, taxable: false },
  pickupServiceFee: null,
  smallOrderFee: { minimumOrderCents: 0, flatCents: 0, percent: 0 },
  orderMinimumCents: 0,
  salesTaxPercent: null,
};

export const NO_SCHEDULING: Scheduling = {
  enabled: false,
  slotMinutes: 30,
  leadMinutes: 60,
  daysAhead: 3,
  capacity: null,
};
