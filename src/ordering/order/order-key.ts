import { isTrackingKey } from '../../access/accounts/tracking-site.ts';
import type { TokenSealer } from '../../platform/lib/tokens.ts';
import { openCheckoutToken } from './checkout-link.ts';
import { orderNotFound } from './order-faults.ts';

/**
 * Refuses with order_not_found unless the key is the order's: the `key` of its `tracking_link`, or the last part of its
 * `checkout_url`.
 */
export function requireOrderKey(tokens: TokenSealer, orderId: string, orderKey: string): void {
  const isOfOrder =
    isTrackingKey(tokens, orderId, orderKey) || openCheckoutToken(tokens, orderKey)?.orderId === orderId;
  if (!isOfOrder) throw orderNotFound();
}
