import type { TrackingSites } from '../../access/accounts/tracking-sites.cache.ts';
import type { Merchant } from '../../access/sessions/merchant.ts';
import { driverLinkOf, isLinkAlive } from '../../fulfillment/deliveries/driver-link.ts';
import { presentStoreOrder, type StoreOrder } from '../../fulfillment/store-channels/present-store-order.ts';
import type { RefundsByOrder } from '../../ordering/money/refunds.db.ts';
import type { Order } from '../../ordering/order/order.ts';
import { orderNotFound } from '../../ordering/order/order-faults.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import type { TokenSealer } from '../../platform/lib/tokens.ts';

export type LinkDeps = {
  config: Config;
  clock: Clock;
  tokens: TokenSealer;
  trackingSites: Pick<TrackingSites, 'siteOf'>;
};

/** An order for its store, with its refunds, and the link of its driver's page while the link works. */
export function presentForStore(
  { config, clock, tokens, trackingSites }: LinkDeps,
  order: Order,
  refunds: RefundsByOrder,
): StoreOrder {
  const hasOwnDriver = order.driverLink > 0 && isLinkAlive(order, order.driverLink);
  const driverLink = hasOwnDriver ? driverLinkOf(order, { tokens, baseUrl: config.baseUrl }) : null;
  const { siteUrl } = trackingSites.siteOf(order.accountId);
  return presentStoreOrder(order, { siteUrl, driverLink, refunds: refunds.get(order.orderId) ?? [] }, clock.now());
}

/**
 * Whether a request may see and change an order now: a placed order of the store, in its mode, that has been offered to
 * the store.
 */
export function seesOrder(merchant: Merchant, order: SeenOrder, now: Temporal.Instant): boolean {
  const { storeId, mode, accountId, orderId } = merchant;
  return (
    order.storeId === storeId &&
    order.mode === mode &&
    order.placedAt !== null &&
    (order.offerAt === null || Temporal.Instant.compare(order.offerAt, now) <= 0) &&
    (accountId === null || order.accountId === accountId) &&
    (orderId === null || order.orderId === orderId)
  );
}

/** The order, if the request may see it now. Refuses with order_not_found. */
export function requireSeen(merchant: Merchant, order: Order | undefined, now: Temporal.Instant): Order {
  if (!order || !seesOrder(merchant, order, now)) throw orderNotFound();
  return order;
}

type SeenOrder = Pick<Order, 'orderId' | 'storeId' | 'mode' | 'accountId' | 'placedAt' | 'offerAt'>;
