import type { TrackingSite } from '../accounts/tracking-site.ts';

/**
 * `{tracking_url}/tracking?tracking_id=<order_id>&key=<key>`: the id shows the order, and the key is the customer's
 * permission to change it.
 */
export function trackingLinkOf({ siteUrl, keyOf }: TrackingSite, orderId: string): string {
  return `${siteUrl}/tracking?${trackingQuery(orderId, keyOf?.(orderId) ?? null)}`;
}

export function trackingQuery(orderId: string, key: string | null): string {
  return `tracking_id=${orderId}${key === null ? '' : `&key=${key}`}`;
}
