import { recordStep } from '../../ordering/money/take-step.flow.ts';
import { assignDriver as assignTo, type NamedDriver } from '../../ordering/order/advance-order.ts';
import { isChargedHere } from '../../ordering/order/money-plan.ts';
import type { Order } from '../../ordering/order/order.ts';
import type { OrderDeps } from '../../ordering/order/order-deps.ts';
import type { EventSource } from '../../ordering/order/order-events.ts';
import { tipOf } from '../../ordering/order/order-view.ts';
import { findAnyOrder } from '../../ordering/order/orders.db.ts';
import { requireLockedOrder } from '../../ordering/order/require-order.flow.ts';
import { localDay } from '../../ordering/statements/month.ts';
import { sumDriverTips } from '../../ordering/statements/statements.db.ts';
import type { Sql } from '../../platform/db/connect.ts';
import type { Context } from '../../platform/db/context.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import type { TokenSealer } from '../../platform/lib/tokens.ts';
import { findStorePreferences } from '../../supply/stores/set-store.db.ts';
import { type TextLinkDeps, textDriverLink } from './driver-link.job.ts';
import { type DriverLink, driverLinkOf, isLinkAlive, openDriverLink } from './driver-link.ts';
import { type Delivery, TIP_DAYS } from './driver-view.ts';
import { findProof } from './proofs.db.ts';

/** Creates the one error for a link that never existed, was replaced, or has ended. */
export const linkNotFound = (): Refusal => new Refusal('order_not_found', "This link isn't valid, or no longer valid.");

/** Finds the delivery of a link; undefined once the link has ended. */
export async function findDelivery(
  { db, clock, tokens }: Context & { tokens: TokenSealer },
  token: string,
): Promise<Delivery | undefined> {
  const link = openDriverLink(tokens, token);
  const order = link && (await findAnyOrder(db, link.orderId));
  if (!order || !isLinkAlive(order, link.link)) return undefined;
  return readDelivery(db, order, clock.now());
}

/** Reads a delivery with the proof, the driver's tips and the store's pay. The ledger may not have this order's yet. */
export async function readDelivery(sql: Sql, order: Order, now: Temporal.Instant): Promise<Delivery> {
  const { orderId, storeId, mode, driver, quote, status } = order;
  const proof = await findProof(sql, orderId);
  const accountId = mode === 'sandbox' ? order.accountId : null;
  const day = localDay(now, quote.store.timeZone);
  const days = { day, since: `${Temporal.PlainDate.from(day).subtract({ days: TIP_DAYS - 1 })}` };
  const others = await sumDriverTips(sql, { storeId, mode, accountId }, { driver, ...days, except: orderId });
  const ownCents = status === 'completed' && isChargedHere(order) ? tipOf(order) : 0;
  const tips = { dayCents: others.dayCents + ownCents, sinceCents: others.sinceCents + ownCents };
  return { order, proof, tips, payCents: (await findStorePreferences(sql, storeId)).driverPayCents };
}

/** Returns the order and the assignment of a link. Refuses a token that this service has not sealed as a link. */
export function linkOf(tokens: TokenSealer, token: string): DriverLink {
  const link = openDriverLink(tokens, token);
  if (!link) throw linkNotFound();
  return link;
}

/**
 * Assigns a store's driver, who gets the link of the driver's page by SMS where it can be sent. Returns the order and
 * the link. Until pick-up, another driver replaces the first, whose link ends. `guard` checks the locked order. Refuses
 * with order_not_found and transition_not_allowed.
 */
export async function assignDriver(
  deps: Pick<OrderDeps, 'db' | 'clock' | 'tokens'> & TextLinkDeps,
  orderId: string,
  driver: NamedDriver,
  { guard, source }: { guard?: (order: Order) => void; source?: EventSource } = {},
): Promise<{ order: Order; driverLink: string }> {
  const { db, clock, config, tokens } = deps;
  const now = clock.now();
  const order = await db.transaction().execute(async (tx) => {
    const locked = await requireLockedOrder(tx, orderId);
    guard?.(locked);
    const step = assignTo(locked, driver, now, source);
    if (!step) return locked;
    const isLinkTexted = await textDriverLink(deps, tx, step.order, now);
    const assigned = { ...step.order, driver: { ...step.order.driver, isLinkTexted } };
    return recordStep(tx, { ...step, order: assigned }, now);
  });
  return { order, driverLink: driverLinkOf(order, { tokens, baseUrl: config.baseUrl }) };
}
