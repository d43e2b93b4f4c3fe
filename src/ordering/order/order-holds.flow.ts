import { sandboxOf } from '../../access/accounts/account.ts';
import type { Sql } from '../../platform/db/connect.ts';
import { instantOfEpochSeconds } from '../../platform/lib/time.ts';
import { openProduct } from '../../supply/catalog/catalog-tokens.ts';
import { returnStock, takeStock } from '../../supply/catalog/stock.db.ts';
import { lockLoad, releaseRoom, replaceLoad } from '../../supply/pricing/kitchen.db.ts';
import { busyUntil } from '../../supply/pricing/quote.ts';
import { countOf, holdSlot, releaseSlot } from '../../supply/pricing/slots.db.ts';
import { usesOf } from '../../supply/promotions/promotion-use.ts';
import { promotionUserOf } from '../../supply/promotions/promotion-user.ts';
import { giveBackUses, lowerUses, takeUses } from '../../supply/promotions/promotion-uses.db.ts';
import {
  type CookedPart,
  type Cooking,
  countItems,
  findRoom,
  type KitchenLoad,
  minutesOf,
  type Room,
  waitOf,
  withParts,
} from '../../supply/stores/kitchen.ts';
import type { Store } from '../../supply/stores/store.ts';
import { cardOf } from '../payments/decline.ts';
import type { CardIdentity } from '../payments/payment-methods.db.ts';
import type { FrozenQuote, HeldStock, Order, OrderRequest, QuotedSlot } from './order.ts';
import type { OrderDeps } from './order-deps.ts';
import { type OrderFault, refusalOfFaults } from './order-faults.ts';
import { formatEta, orderZone } from './order-times.ts';
import { finalDiscounts, heldDiscounts } from './weighed-order.ts';

/*
 * An order's holds from its first charge attempt to its end: capacity of its slot, room in the kitchen, counted stock
 * and uses of promotions, live or of its sandbox. Lock order against deadlocks: the order's row, its slot, the kitchen,
 * products by number, the counter of order numbers, promotions by id.
 */

/** Thrown if a promotion of the quote has ended or run out since. Nothing is held. */
export class PromotionGone extends Error {}

/** When an order is cooked, and how much of it there is. */
export const cookingOf = ({ items }: Pick<OrderRequest, 'items'>, slot: QuotedSlot | null): Cooking => ({
  items: countItems(items),
  slotStartS: slot?.startEpochS ?? null,
});

/** What an order takes with its quote. `hasLimitedUses`: its promotions are used before the charge, not counted later. */
type HeldParts = {
  store: Store;
  stock: readonly HeldStock[];
  room: Room | undefined;
  hasLimitedUses: boolean;
  paymentMethod: CardIdentity | undefined;
};

/**
 * Holds the order's slot, room and stock, or refuses and names everything that is gone. Throws PromotionGone if that is
 * a promotion of the quote.
 */
export async function takeHolds(
  { tokens }: Pick<OrderDeps, 'tokens'>,
  tx: Sql,
  order: Order,
  { store, stock, room, hasLimitedUses, paymentMethod }: HeldParts,
  now: Temporal.Instant,
): Promise<Order> {
  const slot = order.quote.scheduled;
  const sandbox = sandboxOf(order);
  const faults: OrderFault[] = [];
  if (slot) {
    const startsAt = instantOfEpochSeconds(slot.startEpochS);
    const hold = { storeId: store.storeId, sandbox, pickup: order.request.mode === 'pickup', startsAt };
    const isHeld = await holdSlot(tx, { ...hold, capacity: store.scheduling.capacity });
    if (!isHeld)
      faults.push({ code: 'slot_unavailable', name: 'scheduled_id', message: 'Another order just took this slot.' });
  }
  const isFull = faults.length > 0;
  const roomed = room && !isFull ? await takeRoom(tx, order, { store, room }, now) : order;
  if (roomed === undefined) faults.push(noRoomFault(order));
  for (const productNo of await takeStock(tx, store.storeId, stock, sandbox)) {
    const item = order.quote.items.find(({ productId }) => openProduct(tokens, productId)?.productNo === productNo);
    const message = `The last of ${item ? `"${item.name}"` : 'a product'} has just been sold.`;
    faults.push({ code: 'product_unavailable', name: 'items', message, productIds: item ? [item.productId] : [] });
  }
  if (faults.length > 0 || roomed === undefined) throw refusalOfFaults(faults);
  if (hasLimitedUses && !(await usePromotions({ tokens }, tx, order, paymentMethod, now))) throw new PromotionGone();
  return { ...roomed, stockHeld: stock, slotHeld: slot !== null };
}

function usePromotions(
  { tokens }: Pick<OrderDeps, 'tokens'>,
  tx: Sql,
  { orderId, accountId, mode, storeId, request, quote }: Order,
  card: CardIdentity | undefined,
  now: Temporal.Instant,
): Promise<boolean> {
  const held = heldDiscounts(quote);
  const using = {
    orderId,
    accountId,
    mode,
    storeId,
    sandbox: countOf(sandboxOf({ accountId, mode })),
    salesCents: held.subtotalCents,
    user: promotionUserOf(tokens, accountId, request.customer),
    card: card ? cardOf(card) : null,
  };
  return takeUses(tx, using, usesOf(held), now);
}

/**
 * Takes the room that the order was quoted with. If other orders have changed the load since, takes the first free
 * capacity, so the order may arrive at another time than quoted. Undefined if there is none.
 */
async function takeRoom(tx: Sql, order: Order, { store, room }: { store: Store; room: Room }, now: Temporal.Instant) {
  const { kitchen } = store;
  if (!kitchen) return order;
  const hold = { storeId: store.storeId, sandbox: sandboxOf(order) };
  const nowS = now.epochMilliseconds / 1000;
  const next = (load: KitchenLoad, parts: readonly CookedPart[]) => withParts(load, parts, 1, nowS);
  const quoted = { read: room.load, next: next(room.load, room.parts) };
  if (await replaceLoad(tx, hold, quoted)) return { ...order, roomHeld: room.parts };
  const load = await lockLoad(tx, hold);
  const { scheduled } = order.quote;
  const parts = findRoom(kitchen, load, cookingOf(order.request, scheduled), nowS);
  if (!parts) return undefined;
  const wait = waitOf(kitchen, parts, nowS);
  if (!scheduled && busyUntil(store, order.request.mode, wait, now) !== undefined) return undefined;
  await replaceLoad(tx, hold, { read: load, next: next(load, parts) });
  const minutes = scheduled ? 0 : minutesOf(wait, now) - minutesOf(waitOf(kitchen, room.parts, nowS), now);
  return { ...order, roomHeld: parts, quote: delayedQuote(order, minutes) };
}

/** The quote of an ASAP order that arrives so many minutes later than quoted; earlier if negative. */
function delayedQuote({ request, quote }: Order, minutes: number): FrozenQuote {
  if (minutes === 0) return quote;
  const { minimum, maximum } = quote.minutes;
  const etaEpochS = quote.etaEpochS + minutes * 60;
  return {
    ...quote,
    minutes: { minimum: minimum + minutes, maximum: maximum + minutes },
    etaEpochS,
    expectedTimeOfArrival: formatEta(instantOfEpochSeconds(etaEpochS), orderZone({ request, quote })),
  };
}

function noRoomFault({ quote, request: { mode } }: Order): OrderFault {
  const message = 'The kitchen just reached its capacity for this time.';
  if (quote.scheduled) return { code: 'slot_unavailable', name: 'scheduled_id', message };
  const quoteError = mode === 'pickup' ? 'PICKUP_NOT_AVAILABLE' : 'DELIVERY_NOT_AVAILABLE';
  return { code: 'quote_unavailable', name: 'pickup', message, quoteError };
}

export async function releaseHolds(tx: Sql, order: Order): Promise<Order> {
  const { storeId, quote, request } = order;
  const sandbox = sandboxOf(order);
  if (order.slotHeld && quote.scheduled) {
    const startsAt = instantOfEpochSeconds(quote.scheduled.startEpochS);
    await releaseSlot(tx, { storeId, sandbox, pickup: request.mode === 'pickup', startsAt });
  }
  if (order.roomHeld.length > 0) await releaseRoom(tx, { storeId, sandbox }, order.roomHeld);
  await returnStock(tx, storeId, order.stockHeld, sandbox);
  await releaseUses(tx, order);
  return { ...order, stockHeld: [], slotHeld: false, roomHeld: [] };
}

/** Returns unused promotion budgets of items sold by weight; their sales become final. */
export async function lowerOrderUses(tx: Sql, order: Order): Promise<void> {
  if (usesOf(order.quote).length === 0) return;
  const final = finalDiscounts(order);
  await lowerUses(tx, order.orderId, usesOf(final), final.subtotalCents);
}

/** Returns an order's promotion uses, once. */
export async function releaseUses(tx: Sql, { orderId, quote }: Order): Promise<void> {
  if (usesOf(quote).length > 0) await giveBackUses(tx, orderId);
}
