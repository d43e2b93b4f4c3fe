/**
 * Where the tracking links of an account's orders begin. With `keyOf` the links have the customer's key: for what goes to
 * the account and the customer. Without, they only show the order: for stores, drivers and operators.
 */
export type TrackingSite = { readonly siteUrl: string; readonly keyOf?: ((orderId: string) => string) | undefined };

/** The members of a branding that decide it. */
type OwnHost = { trackingHost: string | null; trackingHostVerifiedAt: Temporal.Instant | null };

/** The account's own host from its verification on; until then, and without one, the tracking site of the service. */
export function trackingSiteOf({ trackingHost, trackingHostVerifiedAt }: OwnHost, trackingUrl: string): TrackingSite {
  if (trackingHost === null || trackingHostVerifiedAt === null) return { siteUrl: trackingUrl };
  return { siteUrl: hostSiteUrl(trackingHost, trackingUrl) };
}

/** The site at an account's host: with the scheme and the port of TRACKING_URL, without its path. */
export function hostSiteUrl(host: string, trackingUrl: string): string {
  const { protocol, port } = new URL(trackingUrl);
  return `${protocol}//${host}${port === '' ? '' : `:${port}`}`;
}

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
