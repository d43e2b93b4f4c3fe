import type { TrackingSites } from '../accounts/tracking-sites.cache.ts';
import type { Config } from '../config.ts';
import { driverLinkOf, isLinkAlive } from '../deliveries/driver-link.ts';
import type { TokenSealer } from '../lib/tokens.ts';
import { presentStoreOrder, type StoreOrder } from '../offers/present-store-order.ts';
import type { Order } from '../orders/order.ts';

/** What an order's links are made of. */
export type LinkDeps = { config: Config; tokens: TokenSealer; trackingSites: Pick<TrackingSites, 'siteOf'> };

/** An order for its store, with the link of its driver's page while that works. */
export function presentForStore({ config, tokens, trackingSites }: LinkDeps, order: Order): StoreOrder {
  const hasOwnDriver = order.driverLink > 0 && isLinkAlive(order, order.driverLink);
  const link = hasOwnDriver ? driverLinkOf(order, { tokens, baseUrl: config.baseUrl }) : null;
  return presentStoreOrder(order, trackingSites.siteOf(order.accountId).siteUrl, link);
}
