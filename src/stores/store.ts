import type { Sandbox } from '../accounts/account.ts';
import type { Area } from '../lib/geo/area.ts';
import type { DeliveryFee, Fees, PartyFees } from './fees.ts';
import type { StoreHours } from './hours.ts';
import type { HoursException } from './hours-exceptions.ts';

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
export type PickupOffer = { enabled: boolean; accepting: boolean; prepMinutes: readonly [number, number] };

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
export type DeliveryOffer = PickupOffer & { parties: readonly DeliveryParty[] };

/** Windows a customer may order ahead for; capacity counts orders per window, null is unlimited. */
export type Scheduling = {
  enabled: boolean;
  slotMinutes: number;
  leadMinutes: number;
  daysAhead: number;
  capacity: number | null;
};

/** A store as its feed describes it, complete with defaults, without its catalogue. */
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
  hours: StoreHours;
  /** Hours of single dates, which win over `hours`. */
  hoursExceptions: readonly HoursException[];
  cuisines: readonly string[];
  dollarSigns: number | null;
  photos: { food: readonly string[]; logo: readonly string[]; store: readonly string[] };
  rating: { value: number; count: number | null } | null;
  onlineOrdering: boolean;
  pickup: PickupOffer;
  delivery: DeliveryOffer;
  fees: Fees;
  scheduling: Scheduling;
};

/** A store: its profile with the live switches, and the hours and exceptions that it set itself, applied. */
export type Store = StoreProfile & {
  storeId: string;
  /** Until then it reads as closed; null, or a moment that has passed, where it has not paused. */
  pausedUntil: Temporal.Instant | null;
  supportsUpcCodes: boolean;
  /** Whether a catalogue has been imported; without a catalogue the store takes no orders. */
  hasCatalogue: boolean;
  /** Whether something receives the store's live orders: its console, a printer, an address. Live keys order from no other. */
  hasChannel: boolean;
  /** False once its feed no longer lists the store: search does not show it, and it takes no orders. */
  listed: boolean;
  /**
   * The accounts for whose sandbox keys alone the store exists; null: the store is everyone's. A store has accounts while
   * sandbox keys alone have added its place (docs/behaviour.md#sandbox-places).
   */
  sandboxAccounts: readonly string[] | null;
};

/** Whether a store exists for callers who act in a sandbox, or live (null). */
export function existsFor({ sandboxAccounts }: Pick<Store, 'sandboxAccounts'>, sandbox: Sandbox): boolean {
  return sandboxAccounts === null || (sandbox !== null && sandboxAccounts.includes(sandbox));
}
