import { type Static, Type } from 'typebox';
import type { KeyMode } from '../../access/accounts/account.ts';
import { findShopsOfStore, shopUrlOf } from '../../access/accounts/shops.db.ts';
import { type Merchant, refuseLink, refuseSandbox } from '../../access/sessions/merchant.ts';
import { listChannels } from '../../fulfillment/store-channels/store-channels.db.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Db, Sql } from '../../platform/db/connect.ts';
import { component, describedObject, orNull } from '../../platform/http/api-components.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { LANGUAGES, type Language } from '../../platform/languages/language.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { recordByName } from '../../platform/lib/records.ts';
import { epochSeconds } from '../../platform/lib/time.ts';
import type { InventoryCache } from '../../supply/catalog/inventory.cache.ts';
import { DeliveryPartiesSchema, presentParties } from '../../supply/stores/delivery-parties.ts';
import { formatDay, formatHours } from '../../supply/stores/format-hours.ts';
import { HOURS_KINDS, type HoursException, type OwnHours } from '../../supply/stores/hours.ts';
import { busyMinutesAt, KITCHEN_LIMITS, PREPARATIONS, preparationSetting } from '../../supply/stores/kitchen.ts';
import { isPausedAt, storeOpenStateAt } from '../../supply/stores/open-state.ts';
import { findOwnHours, findStorePreferences } from '../../supply/stores/set-store.db.ts';
import type { Store } from '../../supply/stores/store.ts';
import { WeekHoursSchema } from '../../supply/stores/store-element.ts';
import { findStore } from '../../supply/stores/stores.db.ts';
import { missingNeeds, STORE_NEEDS } from './missing-needs.ts';

/*
 * Settings that a store changes itself: hours, pauses, phone, photos and confirmation, checked as the same fields of a
 * feed are.
 */

const HoursExceptionSchema = component('HoursException', 'Hours that replace the weekly hours on some dates.', {
  from: Type.String({ description: "The first date, `YYYY-MM-DD` in the store's time zone." }),
  to: Type.String({ description: 'The last date, inclusive.' }),
  hours: Type.String({ description: "The hours of each of these dates, in a weekday's notation." }),
  channel: orNull(Type.Enum([...HOURS_KINDS]), 'Null for every channel.'),
});

/** `store` shows the place or its atmosphere; `logo` and `food` are what they say. */
export const PHOTO_KINDS = ['logo', 'store', 'food'] as const;

const perQuarter = (what: string) =>
  orNull(
    Type.Integer({ minimum: 1, maximum: KITCHEN_LIMITS.perQuarter }),
    `${what} per quarter of an hour; null: no limit.`,
  );

/** A kitchen's capacity (docs/quotes.md#kitchen-capacity). */
export const KitchenSchema = component('Kitchen', "A store's kitchen capacity.", {
  orders: perQuarter('Orders'),
  items: perQuarter('Items'),
});

/** The caller's store, as the Store API shows it. */
export const StoreSettingsSchema = component(
  'StoreSettings',
  "A store's own view: its hours, its pause and its switches.",
  {
    store_id: Type.String(),
    name: Type.String(),
    type: Type.Enum(['restaurant', 'grocery']),
    mode: Type.Enum(['live', 'sandbox'], {
      description: "The orders that the caller sees: live orders, or one account's sandbox orders.",
    }),
    time_zone: Type.String({ description: 'The IANA name.' }),
    language: Type.Enum([...LANGUAGES], {
      description: 'The language of its console, kitchen tickets, emails and text messages.',
    }),
    is_open: Type.Boolean({ description: 'Whether the store is open by its hours and its pause.' }),
    paused_until: orNull(Type.Integer(), "Epoch seconds. Null if the store isn't paused."),
    busy: orNull(
      Type.Object({ extra_minutes: Type.Integer(), until: Type.Integer({ description: 'Epoch seconds.' }) }),
      "The extra minutes for every new order, and until when. Null if the kitchen isn't busy.",
    ),
    hours: describedObject(
      'The current hours, as `PUT /store/hours` accepts them. Null if unknown.',
      recordByName(HOURS_KINDS, () => Type.Union([WeekHoursSchema, Type.Null()])),
    ),
    own_hours: Type.Boolean({ description: 'Whether the store set these hours. Otherwise, they come from the feed.' }),
    hours_exceptions: Type.Array(HoursExceptionSchema, {
      description: 'The current hours for single dates, as `PUT /store/hours` accepts them.',
    }),
    own_hours_exceptions: Type.Boolean({
      description: 'Whether the store set these exceptions. Otherwise, they come from the feed.',
    }),
    photos: describedObject(
      "The current photos' URLs, as `PUT /store/photos` accepts them.",
      recordByName(PHOTO_KINDS, () => Type.Array(Type.String())),
    ),
    online_ordering: Type.Boolean({ description: "The store's main switch." }),
    delivery_enabled: Type.Boolean({ description: 'Whether the store offers delivery at all.' }),
    accept_delivery: Type.Boolean({ description: 'Whether the store accepts delivery orders now.' }),
    pickup_enabled: Type.Boolean({ description: 'Whether the store offers pickup at all.' }),
    accept_pickup: Type.Boolean({ description: 'Whether the store accepts pickup orders now.' }),
    delivery_parties: DeliveryPartiesSchema,
    kitchen: KitchenSchema,
    preparation: Type.Enum([...PREPARATIONS], {
      description:
        "`auto`: quotes use prep-time estimates from the store's orders (docs/quotes.md#prep-time-estimates).",
    }),
    missing: Type.Array(Type.Enum([...STORE_NEEDS]), {
      description: 'The missing requirements before customers can order. `photo` is only a recommendation.',
    }),
    shop_pages: Type.Array(Type.String(), {
      description: 'The URLs of its pages in shops (docs/storefront.md). Append `/code.svg` for a printable QR code.',
    }),
  },
);

type OwnSettings = { ownHours: OwnHours; language: Language; hasChannel: boolean; shopPages: string[] };

function presentStoreSettings(
  store: Store,
  { ownHours, language, hasChannel, shopPages, mode, now }: OwnSettings & { mode: KeyMode; now: Temporal.Instant },
): Static<typeof StoreSettingsSchema> {
  const { hours, hoursExceptions, pausedUntil, busy, delivery, pickup, kitchen } = store;
  return {
    store_id: store.storeId,
    name: store.name,
    type: store.type,
    mode,
    time_zone: store.timeZone,
    language,
    is_open: storeOpenStateAt(store, 'operational', now).open,
    paused_until: pausedUntil !== null && isPausedAt(store, now) ? epochSeconds(pausedUntil) : null,
    busy:
      busy && busyMinutesAt(busy, now) > 0 ? { extra_minutes: busy.minutes, until: epochSeconds(busy.until) } : null,
    hours: recordByName(HOURS_KINDS, (channel) => (hours[channel] === null ? null : formatHours(hours[channel]))),
    own_hours: ownHours.hours !== null,
    hours_exceptions: hoursExceptions.map(presentException),
    own_hours_exceptions: ownHours.exceptions !== null,
    photos: recordByName(PHOTO_KINDS, (kind) => [...store.photos[kind]]),
    online_ordering: store.onlineOrdering,
    delivery_enabled: delivery.enabled,
    accept_delivery: delivery.accepting,
    pickup_enabled: pickup.enabled,
    accept_pickup: pickup.accepting,
    delivery_parties: presentParties(delivery),
    kitchen: { orders: kitchen?.orders ?? null, items: kitchen?.items ?? null },
    preparation: preparationSetting(store),
    missing: missingNeeds(store, { hasChannel }),
    shop_pages: shopPages,
  };
}

function presentException({ from, to, ranges, channel }: HoursException): Static<typeof HoursExceptionSchema> {
  return { from, to, hours: formatDay(ranges), channel };
}

export type StoreDeps = {
  db: Db;
  clock: Clock;
  config: Pick<Config, 'baseUrl' | 'trackingUrl'>;
  inventory: Pick<InventoryCache, 'evict'>;
};

/**
 * Changes the caller's store in one transaction; the next answer of this node shows the change. Refuses sandbox keys
 * and links with `live_only`.
 */
export async function changeStore<T>(
  { db, clock, inventory }: StoreDeps,
  merchant: Merchant,
  change: (tx: Sql, storeId: string, at: Temporal.Instant) => Promise<T>,
): Promise<T> {
  refuseSandbox(merchant);
  const { storeId } = merchant;
  const changed = await db.transaction().execute((tx) => change(tx, storeId, clock.now()));
  inventory.evict(storeId);
  return changed;
}

/** The caller's store in its current state. Refuses one-order links with `live_only`. */
export async function readStoreSettings(
  { db, clock, config }: Pick<StoreDeps, 'db' | 'clock' | 'config'>,
  merchant: Merchant,
): Promise<Static<typeof StoreSettingsSchema>> {
  refuseLink(merchant);
  const { storeId, mode } = merchant;
  const [store, ownHours, { language }, channels, shops] = await Promise.all([
    findStore(db, storeId),
    findOwnHours(db, storeId),
    findStorePreferences(db, storeId),
    listChannels(db, storeId),
    findShopsOfStore(db, storeId),
  ]);
  if (!store) throw storeGone();
  const shopPages = shops.map(({ host, ...shop }) => `${shopUrlOf(config, shop, host)}/s/${storeId}`);
  const hasChannel = channels.length > 0;
  return presentStoreSettings(store, { ownHours, language, hasChannel, shopPages, mode, now: clock.now() });
}

/** Changes the caller's store (`changeStore`), and shows it as it is then. */
export async function changeSettings(
  deps: StoreDeps,
  merchant: Merchant,
  change: (tx: Sql, storeId: string, at: Temporal.Instant) => Promise<unknown>,
): Promise<Static<typeof StoreSettingsSchema>> {
  await changeStore(deps, merchant, change);
  return readStoreSettings(deps, merchant);
}

export const storeGone = () => new Refusal('store_not_found', 'This store no longer exists.');
