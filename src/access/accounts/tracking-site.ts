import type { TokenSealer } from '../../platform/lib/tokens.ts';
import { type KeyCaller, mayAct } from './account.ts';

/**
 * Base URL of an account's links. With `keyOf`, links can change orders: for the customer, keys with the scope `order`
 * and the account's webhook endpoints. Without it, they are read-only: for other keys, stores, drivers and operators.
 */
export type TrackingSite = { readonly siteUrl: string; readonly keyOf?: ((orderId: string) => string) | undefined };

type OwnHost = { trackingHost: string | null; trackingHostVerifiedAt: Temporal.Instant | null };

/** Returns the account's own host if verified, otherwise the service's tracking site. */
export function trackingSiteOf({ trackingHost, trackingHostVerifiedAt }: OwnHost, trackingUrl: string): TrackingSite {
  if (trackingHost === null || trackingHostVerifiedAt === null) return { siteUrl: trackingUrl };
  return { siteUrl: hostSiteUrl(trackingHost, trackingUrl) };
}

/** Returns the site for answers to a key. */
export function siteForKey(sites: { siteOf(accountId: string): TrackingSite }, caller: KeyCaller): TrackingSite {
  const site = sites.siteOf(caller.accountId);
  return mayAct(caller) ? site : { siteUrl: site.siteUrl };
}

/** Returns the tracking URL of an account's own host: TRACKING_URL's scheme and port, without its path. */
export function hostSiteUrl(host: string, trackingUrl: string): string {
  const { protocol, port } = new URL(trackingUrl);
  return `${protocol}//${host}${port === '' ? '' : `:${port}`}`;
}

/**
 * Returns `{tracking_url}/tracking?tracking_id=<order_id>&key=<key>`. The id shows the order; the key lets the customer
 * change it.
 */
export function trackingLinkOf({ siteUrl, keyOf }: TrackingSite, orderId: string): string {
  return `${siteUrl}/tracking?${trackingQuery(orderId, keyOf?.(orderId) ?? null)}`;
}

export function trackingQuery(orderId: string, key: string | null): string {
  return `tracking_id=${orderId}${key === null ? '' : `&key=${key}`}`;
}

const TRACKING_KEY = 'tracking-key';

/**
 * Creates the signing function for order ids. The signature in a tracking link authorizes the customer and cannot be
 * forged without the secret.
 */
export function createTrackingKeys(tokens: Pick<TokenSealer, 'sign'>): (orderId: string) => string {
  return (orderId) => tokens.sign(TRACKING_KEY, Buffer.from(orderId));
}

export function isTrackingKey(tokens: Pick<TokenSealer, 'isSignature'>, orderId: string, key: string): boolean {
  return tokens.isSignature(TRACKING_KEY, Buffer.from(orderId), key);
}
