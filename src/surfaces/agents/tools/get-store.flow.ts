import { present } from 'doorstep/collections';
import { Type } from 'typebox';
import { sandboxOf } from '../../../access/accounts/account.ts';
import { Refusal } from '../../../platform/http/refusal.ts';
import type { Clock } from '../../../platform/lib/clock.ts';
import { instantOfEpochSeconds } from '../../../platform/lib/time.ts';
import type { TokenSealer } from '../../../platform/lib/tokens.ts';
import type { Geocoding } from '../../../supply/addresses/geocoding.cache.ts';
import { requirePickup } from '../../../supply/catalog/availability.ts';
import { sealSlot } from '../../../supply/catalog/catalog-tokens.ts';
import type { InventoryCache } from '../../../supply/catalog/inventory.cache.ts';
import { QUOTE_QUERY } from '../../../supply/catalog/quote-query.ts';
import type { SlotList } from '../../../supply/catalog/slot-list.ts';
import { waitOfSnapshot } from '../../../supply/catalog/store-snapshots.cache.ts';
import { availableAt } from '../../../supply/pricing/available-at.ts';
import { QUOTE_ERROR_MESSAGES, type Quote, type QuoteFailure, quoteFor } from '../../../supply/pricing/quote.ts';
import type { Slot } from '../../../supply/pricing/slots.ts';
import { withSharedOffers } from '../../../supply/promotions/shared-offers.ts';
import { formatHours } from '../../../supply/stores/format-hours.ts';
import { storeOpenStateAt } from '../../../supply/stores/open-state.ts';
import { currencyOf, type Mode, type Store } from '../../../supply/stores/store.ts';
import {
  addressLine,
  clip,
  clockTime,
  DOOR_NAMES,
  defineTool,
  MAX_NAME,
  money,
  READ_ONLY,
  resolvedAddress,
  type Tool,
  takeFitting,
} from '../tool.ts';

/* Tool `get_store`: when and how a store takes orders, with its next slots and its fees. */

const NEXT_SLOTS = 8;
const MAX_SLOTS_BYTES = 6 * 1024;
const MAX_DAYS = 14;

const input = {
  store_id: Type.String({ maxLength: 64, description: 'A store_id from a search' }),
  pickup: Type.Boolean({ description: 'true: pickup; false: delivery' }),
  user_latitude: QUOTE_QUERY.user_latitude,
  user_longitude: QUOTE_QUERY.user_longitude,
  address: QUOTE_QUERY.address,
  day: Type.Optional(
    Type.String({
      pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$',
      description: `A day from slot_days: returns its slots instead of the next ${NEXT_SLOTS}`,
    }),
  ),
};

type Deps = { clock: Clock; tokens: TokenSealer; inventory: InventoryCache; geocoding: Geocoding };

/** Defines the tool that says when a store takes orders, now and later (docs/quotes.md). */
export function getStoreTool(deps: Deps): Tool {
  return defineTool({
    name: 'get_store',
    description:
      'Gets hours, order minimum, whether the store takes orders now and how fast, and later slots. A delivery requires a coordinate or address.',
    annotations: READ_ONLY,
    input,
    dependentRequired: { user_latitude: ['user_longitude'], user_longitude: ['user_latitude'] },
    names: DOOR_NAMES,
    async run(caller, { store_id: storeId, pickup, day, ...given }) {
      const snapshot = await deps.inventory.snapshot(storeId, sandboxOf(caller));
      if (!snapshot) throw new Refusal('store_not_found', 'There is no store with this store_id.');
      const { store } = snapshot;
      const { offers } = withSharedOffers(store, caller);
      if (pickup) requirePickup(store);
      const mode = pickup ? 'pickup' : 'delivery';
      const { user_latitude: latitude, user_longitude: longitude, address } = given;
      const isNear = !pickup && (latitude !== undefined || address !== undefined);
      const door = isNear
        ? await deps.geocoding.locate(caller, { latitude, longitude, address, prefix: 'user_', in: 'body' })
        : null;
      const now = deps.clock.now();
      const list = await deps.inventory.slots(snapshot, mode, now);
      const { slots } = list;
      const ofNow = { now, wait: waitOfSnapshot(snapshot, now), slots };
      const question = { store, mode, keyMode: caller.mode, door, preference: 'first_available', ...ofNow } as const;
      const quote = quoteFor(question);
      const offered = 'error' in quote ? [] : slots;
      const shown = showSlots(deps.tokens, { store, mode, slots: offered, day });
      return {
        store_id: storeId,
        store: clip(store.name, MAX_NAME),
        address: addressLine(store),
        time_zone: store.timeZone,
        hours: formatHours(store.hours[mode]),
        ...showOpening(store, now),
        ...showTerms(quote),
        currency: currencyOf(store.address.country),
        ...present({ offers: offers?.map(({ text, code }) => ({ text, ...present({ code }) })) }),
        slots: takeFitting(shown, MAX_SLOTS_BYTES),
        slot_days: countByDay(store, offered),
        ...resolvedAddress(door),
        hint: hintOf(quote, { store, mode, now, fullStarts: list.fullStarts }),
      };
    },
  });
}

const startOf = (store: Store, slot: Slot) => clockTime(store.timeZone, instantOfEpochSeconds(slot.startEpochS));

function showOpening(store: Store, now: Temporal.Instant) {
  const { open, changesAt } = storeOpenStateAt(store, 'operational', now);
  if (changesAt === null) return { is_open: open };
  return { is_open: open, [open ? 'closes_at' : 'opens_at']: clockTime(store.timeZone, changesAt) };
}

function showTerms(quote: Quote | QuoteFailure) {
  if ('error' in quote) return { takes_orders_now: false };
  const { asapAvailable, estimate, orderMinimumCents } = quote;
  return {
    takes_orders_now: asapAvailable,
    ...(asapAvailable ? { minutes: `${estimate.minMinutes} to ${estimate.maxMinutes}` } : {}),
    ...money('order_minimum', orderMinimumCents),
  };
}

type ShownSlots = { store: Store; mode: Mode; slots: readonly Slot[]; day: string | undefined };

function showSlots(tokens: TokenSealer, { store, mode, slots, day }: ShownSlots) {
  const wanted =
    day === undefined ? slots.slice(0, NEXT_SLOTS) : slots.filter((slot) => startOf(store, slot).startsWith(day));
  return wanted.map((slot) => ({
    scheduled_id: sealSlot(tokens, { storeId: store.storeId, mode, ...slot }),
    from: startOf(store, slot),
    to: clockTime(store.timeZone, instantOfEpochSeconds(slot.endEpochS)),
  }));
}

function countByDay(store: Store, slots: readonly Slot[]) {
  const counts = new Map<string, number>();
  for (const slot of slots) {
    const day = startOf(store, slot).slice(0, 10);
    if (!counts.has(day) && counts.size === MAX_DAYS) break;
    counts.set(day, (counts.get(day) ?? 0) + 1);
  }
  return [...counts].map(([day, count]) => ({ day, slots: count }));
}

function hintOf(
  quote: Quote | QuoteFailure,
  question: { store: Store; mode: Mode; now: Temporal.Instant; fullStarts: SlotList['fullStarts'] },
): string {
  if ('error' in quote) {
    const atS = availableAt(quote, question);
    const again =
      atS === null ? '' : ` It takes orders from ${clockTime(question.store.timeZone, instantOfEpochSeconds(atS))} on.`;
    return `${QUOTE_ERROR_MESSAGES[quote.error]}${again}`;
  }
  const later = quote.slots.length > 0 ? 'with a `scheduled_id` of `slots`, or of another day' : '';
  if (!quote.asapAvailable) return `The store takes no orders for as soon as possible: call quote_order ${later}.`;
  return later === ''
    ? 'Continue with get_menu. The store takes no orders for later.'
    : `Continue with get_menu. To order for later, call quote_order ${later}.`;
}
