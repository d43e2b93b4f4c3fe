import { isDeepStrictEqual } from 'node:util';
import { present } from 'doorstep/collections';
import { type Sandbox, sandboxOf } from '../../access/accounts/account.ts';
import type { Sql } from '../../platform/db/connect.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { instantOfEpochSeconds } from '../../platform/lib/time.ts';
import { unavailableBecause } from '../../supply/catalog/availability.ts';
import { openProduct, sealProduct } from '../../supply/catalog/catalog-tokens.ts';
import type { CatalogProduct } from '../../supply/catalog/product.ts';
import { findCatalogProducts } from '../../supply/catalog/products.db.ts';
import { findScalePrice } from '../../supply/catalog/scale-price.flow.ts';
import { returnStock, takeStock } from '../../supply/catalog/stock.db.ts';
import { sumByProduct } from '../../supply/catalog/stock.ts';
import { findStoreProduct } from '../../supply/catalog/store-products.db.ts';
import { findStorePreferences } from '../../supply/stores/set-store.db.ts';
import { findStore } from '../../supply/stores/stores.db.ts';
import { advanceOrder } from '../order/advance-order.ts';
import { fulfilledItems } from '../order/fulfilled-items.ts';
import { type HeldStock, type ItemAdjustment, isWeighedOrder, type Order } from '../order/order.ts';
import type { OrderDeps } from '../order/order-deps.ts';
import type { AdjustedBy, EventSource } from '../order/order-events.ts';
import { refusalOfFaults } from '../order/order-faults.ts';
import { requireLockedOrder } from '../order/require-order.flow.ts';
import { heaviest, openWeights } from '../order/weighed-order.ts';
import {
  adjustItem,
  type HandedOver,
  handedOver,
  type ItemChange,
  orderedItem,
  refuseNewAlcohol,
  refuseTooLate,
  refuseUnwantedSubstitute,
  weighedEvent,
} from './adjust-item.ts';
import { writeRefund } from './book-refund.flow.ts';
import { movedHolds } from './move-holds.ts';
import { owedRefund } from './owed-refund.ts';
import { MISSING, type Refund, withRefund } from './refund.ts';
import { findRefunds } from './refunds.db.ts';
import { substituteFor, weighSubstitute } from './substitute.ts';
import { type Alongside, recordStep } from './take-step.flow.ts';
import { readScale } from './weigh-item.ts';

/*
 * A store lacks units of an item: the order shrinks, or a substitute that the customer allowed takes their place, and
 * the difference is refunded.
 */

type AdjustItemDeps = Pick<OrderDeps, 'db' | 'clock' | 'tokens'> & { inventory: Pick<OrderDeps['inventory'], 'evict'> };

export type AdjustCommand = {
  change: ItemChange;
  by: AdjustedBy;
  source?: EventSource;
  reason?: string;
  /** Checks the locked order first; throws if the caller may not change it. */
  guard: (tx: Sql, order: Order, now: Temporal.Instant) => Promise<void>;
  alongside?: Alongside;
};

/**
 * Adjusts one item of an order for its store, in one transaction: price, stock, refund and event
 * (docs/orders.md#a-missing-item). Repeating an adjustment changes nothing. If no item is left, the order is canceled
 * and refunded in full.
 */
export async function adjustOrderItem(deps: AdjustItemDeps, orderId: string, command: AdjustCommand): Promise<Order> {
  const now = deps.clock.now();
  const { order, isChanged } = await deps.db.transaction().execute(async (tx) => {
    const locked = await requireLockedOrder(tx, orderId);
    await command.guard(tx, locked, now);
    const order = await changeItem(deps, tx, locked, command, now);
    const isChanged = order !== locked;
    if (isChanged) await command.alongside?.(tx, { before: locked, after: order }, now);
    return { order, isChanged };
  });
  if (isChanged) deps.inventory.evict(order.storeId, sandboxOf(order));
  return order;
}

async function changeItem(
  { tokens }: Pick<AdjustItemDeps, 'tokens'>,
  tx: Sql,
  order: Order,
  { change, by, source, reason }: AdjustCommand,
  now: Temporal.Instant,
): Promise<Order> {
  const { index } = change;
  const item = orderedItem(order, change);
  const orderedNo = openProduct(tokens, item.productId)?.productNo ?? 0;
  const productNo = await substituteNo(tokens, tx, order.storeId, change);
  const to: HandedOver = { productNo: productNo === orderedNo ? null : productNo, quantity: change.quantity };
  const from = handedOver(order, index);
  const isSame = from.productNo === to.productNo && from.quantity === to.quantity;
  if (isSame && !change.weighing) return order;
  refuseTooLate(order);
  if (to.productNo !== null) refuseUnwantedSubstitute(order, index, to.productNo);
  const known = order.adjustments.find((one) => one.index === index);
  const kept = known?.substitute ?? null;
  const isKept = to.productNo === (kept?.productNo ?? null) && !change.weighing;
  const scaled =
    to.productNo === null
      ? await weighOrdered(tx, order, { ...change, productNo: orderedNo, now })
      : isKept
        ? { substitute: kept }
        : await newSubstitute(tokens, tx, order, { change, productNo: to.productNo, now });
  const adjustment: ItemAdjustment = { index, quantity: to.quantity, substitute: null, ...scaled };
  if (isSame && isDeepStrictEqual(adjustment.scaled, known?.scaled)) return order;
  const step = adjustItem(order, adjustment, by);
  const isLast = fulfilledItems(step.order).every(({ quantity }) => quantity === 0);
  const ordered = { productNo: orderedNo, quantity: item.quantity };
  const stock = await moveStock(tx, order, { ordered, from, to, isLast });
  const adjusted: Order = { ...step.order, stockHeld: stock };
  const refund = isLast ? undefined : await writeAdjustmentRefund(tx, adjusted, { index, from, to }, now);
  const owing = refund ? withRefund(adjusted, refund) : adjusted;
  const more = present({ reason, source, shares: refund?.cents === 0 ? refund.shares : undefined });
  const data = { ...step.changed, ...more, refund_cents: refund?.cents ?? 0, is_last: isLast };
  const changed = await recordStep(tx, { order: owing, event: { type: 'order.item_changed', data } }, now);
  if (!isLast) return recordWeighed(tx, changed, now);
  const canceledBy = by === 'operator' ? by : 'store';
  return recordStep(tx, advanceOrder(changed, 'cancel', now, { reason: 'out_of_stock', by: canceledBy, source }), now);
}

/** Reports an order with all items sold by weight weighed, after each change. */
async function recordWeighed(tx: Sql, order: Order, now: Temporal.Instant): Promise<Order> {
  if (!isWeighedOrder(order.quote) || openWeights(order).length > 0) return order;
  return recordStep(tx, { order, event: { type: 'order.weighed', data: weighedEvent(order) } }, now);
}

/** The scale's reading of the ordered goods; empty for goods by the piece and for a missing item. */
async function weighOrdered(
  tx: Sql,
  { quote, storeId, request }: Order,
  { index, weighing, productNo, now }: ItemChange & { productNo: number; now: Temporal.Instant },
): Promise<Pick<ItemAdjustment, 'scaled'>> {
  const { weight, name, basePriceCents, listPriceCents = basePriceCents } = quote.items[index] ?? {};
  if (!weighing || !weight || listPriceCents === undefined || name === undefined) return {};
  const { scaleLabels } = await findStorePreferences(tx, storeId);
  const isLabel = 'labels' in weighing;
  const scale = isLabel ? await findScalePrice(tx, { storeId, productNo, mode: request.mode }, now) : null;
  return { scaled: readScale(weighing, { ...weight, name, listPriceCents, scale }, scaleLabels) };
}

/** Writes the refund of an adjustment, if one is due, in the name of its item and the units that changed. */
async function writeAdjustmentRefund(
  tx: Sql,
  order: Order,
  { index, from, to }: { index: number; from: HandedOver; to: HandedOver },
  now: Temporal.Instant,
): Promise<Refund | undefined> {
  const owed = owedRefund(order, await findRefunds(tx, [order.orderId]));
  if (!owed) return undefined;
  const key = `item_changed:${order.lastSequence + 1}`;
  const reason = to.productNo === null ? MISSING : 'substituted';
  const fewer = Math.max(0, from.quantity - to.quantity);
  const quantity = from.productNo === to.productNo ? fewer : from.quantity;
  const items = [{ index, quantity, ...owed, taxCents: 0, taxes: [] }];
  return writeRefund(tx, order, { ...owed, kind: 'item_changed', key, reason, items }, now);
}

/** The product number of the substitute; null if there is none, or no unit is handed off. */
async function substituteNo(
  tokens: AdjustItemDeps['tokens'],
  tx: Sql,
  storeId: string,
  { quantity, substitute }: ItemChange,
): Promise<number | null> {
  if (substitute === null || quantity === 0) return null;
  const ref = openProduct(tokens, substitute);
  if (ref?.storeId === storeId) return ref.productNo;
  const product = ref ? undefined : await findStoreProduct(tx, storeId, substitute);
  if (product) return product.productNo;
  throw new Refusal('product_not_found', "This store's menu has no product with this token or ID.");
}

type SubstituteRequest = { change: ItemChange; productNo: number; now: Temporal.Instant };

async function newSubstitute(
  tokens: AdjustItemDeps['tokens'],
  tx: Sql,
  order: Order,
  { change: { index, weighing }, productNo, now }: SubstituteRequest,
): Promise<Pick<ItemAdjustment, 'substitute' | 'scaled'>> {
  const {
    storeId,
    quote,
    request: { mode },
  } = order;
  const [product] = await findCatalogProducts(tx, storeId, [productNo], sandboxOf(order));
  const store = await findStore(tx, storeId);
  if (!product || !store) throw new Refusal('product_not_found', "This store's menu has no such product.");
  const at = quote.scheduled ? instantOfEpochSeconds(quote.scheduled.startEpochS) : now;
  if (unavailableBecause(product, mode, at, store)) throw notAvailable(product, 'is not available now');
  const productId = sealProduct(tokens, { storeId, productNo });
  const { taxes } = quote.terms.fees;
  const item = orderedItem(order, { index, quantity: 0, substitute: null });
  // Items sold by weight never cost more than their agreed maximum.
  const replaced = fulfilledItems({ quote, adjustments: heaviest(quote.items) })[index] ?? item;
  const { scaleLabels } = weighing ? await findStorePreferences(tx, storeId) : { scaleLabels: null };
  const scale = weighing ? await findScalePrice(tx, { storeId, productNo, mode }, now) : null;
  const scaled = weighSubstitute(item, product, { mode, weighing, scaleLabels, scale });
  const substitute = substituteFor(replaced, product, {
    mode,
    productId,
    storeClass: store.taxClass,
    ...(quote.taxCalculation && { taxClass: item.taxClass }),
    taxes,
    scaled,
  });
  refuseNewAlcohol(item, substitute);
  return { substitute, ...(scaled && { scaled }) };
}

function notAvailable({ name, externalId }: Pick<CatalogProduct, 'name' | 'externalId'>, why: string): Refusal {
  const message = `"${name}" ${why}.`;
  const fault = { code: 'product_unavailable' as const, name: 'substitute_product_id', message };
  return refusalOfFaults([{ ...fault, productIds: [externalId] }]);
}

/**
 * Moves the stock of an adjustment and returns the order's new holds. Locks products in the order of their numbers,
 * against deadlocks. If no units are left, the stock stays held: the cancelation that follows releases the order's time
 * slot first and then its products.
 */
async function moveStock(tx: Sql, order: Order, { ordered, from, to, isLast }: Move): Promise<readonly HeldStock[]> {
  const handedUnits = ({ productNo, quantity }: HandedOver) => ({
    productNo: productNo ?? ordered.productNo,
    quantity,
  });
  const { storeId } = order;
  const sandbox = sandboxOf(order);
  const { take, putBack, found, held } = movedHolds(order.stockHeld, {
    ordered,
    from: handedUnits(from),
    to: handedUnits(to),
  });
  if (isLast) return putBack.quantity > 0 ? sumByProduct([...held, putBack]) : held;
  const putsBackFirst = putBack.productNo < take.productNo;
  if (putBack.quantity > 0 && putsBackFirst) await returnStock(tx, storeId, [putBack], sandbox);
  if (take.quantity > 0) await takeUnits(tx, storeId, take, sandbox);
  if (putBack.quantity > 0 && !putsBackFirst) await returnStock(tx, storeId, [putBack], sandbox);
  if (take.quantity + found.quantity === 0) return held;
  // Read under the same lock, because an order must not hold uncounted stock.
  const [taken] = await findCatalogProducts(tx, storeId, [take.productNo], sandbox);
  return taken?.qtyAvailable == null ? held : sumByProduct([...held, take, found]);
}

type Move = { ordered: HeldStock; from: HandedOver; to: HandedOver; isLast: boolean };

async function takeUnits(tx: Sql, storeId: string, take: HeldStock, sandbox: Sandbox): Promise<void> {
  if ((await takeStock(tx, storeId, [take], sandbox)).length === 0) return;
  const [product] = await findCatalogProducts(tx, storeId, [take.productNo], sandbox);
  const left = product?.qtyAvailable ?? 0;
  throw notAvailable(product ?? { name: 'The product', externalId: '' }, `has only ${left} left`);
}
