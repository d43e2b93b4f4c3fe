import { recordStep } from '../../ordering/money/take-step.flow.ts';
import { assignDriver as assignTo, type NamedDriver } from '../../ordering/order/advance-order.ts';
import type { Order } from '../../ordering/order/order.ts';
import type { OrderDeps } from '../../ordering/order/order-deps.ts';
import type { EventSource } from '../../ordering/order/order-events.ts';
import { findAnyOrder } from '../../ordering/order/orders.db.ts';
import { requireLockedOrder } from '../../ordering/order/require-order.flow.ts';
import type { Db } from '../../platform/db/connect.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import type { TokenSealer } from '../../platform/lib/tokens.ts';
import { type TextLinkDeps, textDriverLink } from './driver-link.job.ts';
import { type DriverLink, driverLinkOf, isLinkAlive, openDriverLink } from './driver-link.ts';
import type { Delivery } from './driver-view.ts';
import { findProof } from './proofs.db.ts';

/** The same refusal for a link that never existed, was replaced, or has ended. */
export function linkNotFound(): Refusal {
  return new Refusal('order_not_found', 'This link does not work, or not any more.');
}

/** The delivery of a link; undefined once the link has ended. */
export async function findDelivery(
  { db, tokens }: { db: Db; tokens: TokenSealer },
  token: string,
): Promise<Delivery | undefined> {
  const link = openDriverLink(tokens, token);
  const order = link && (await findAnyOrder(db, link.orderId));
  if (!order || !isLinkAlive(order, link.link)) return undefined;
  return { order, proof: await findProof(db, order.orderId) };
}

/** The order and the assignment of a link. Refuses a token that this service has not sealed as a link. */
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
