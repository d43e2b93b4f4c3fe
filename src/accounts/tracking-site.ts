/** Where the tracking links of an account's orders begin. */
export type TrackingSite = { readonly siteUrl: string };

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
