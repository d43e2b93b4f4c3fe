import type { KeyCaller } from '../../access/accounts/account.ts';
import { isTrackingKey, siteForKey, type TrackingSite, trackingQuery } from '../../access/accounts/tracking-site.ts';
import type { TokenSealer } from '../../platform/lib/tokens.ts';
import type { Order } from './order.ts';
import { orderNotFound } from './order-faults.ts';

/**
 * The hosted checkout's link, `{tracking_url}/checkout/{token}`. Its holder may finish one unplaced order. The token is
 * the order's id and a random key, encrypted and authenticated, so the database is not enough to open a checkout.
 */

/** Lifetime in hours of a new checkout link. */
const LINK_LIFETIME_HOURS = 24;
/** Length of the key: 160 random bits, which are 27 characters. */
export const CHECKOUT_KEY_BYTES = 20;
const KEY_LENGTH = 27;
const KIND = 'checkout-link';

/** The fields of an order that make up its link. Both are null for an order that was never stored unplaced. */
export type CheckoutLink = Pick<Order, 'checkoutKey' | 'checkoutUntil'>;

/** Returns an unplaced order's checkout link. Replacing the order keeps a live link and extends its lifetime. */
export function nextCheckoutLink(
  before: CheckoutLink | undefined,
  { freshKey, now }: { freshKey: string; now: Temporal.Instant },
): CheckoutLink {
  const isAlive = before?.checkoutUntil != null && Temporal.Instant.compare(now, before.checkoutUntil) < 0;
  return {
    checkoutKey: (isAlive && before.checkoutKey) || freshKey,
    checkoutUntil: now.add({ hours: LINK_LIFETIME_HOURS }),
  };
}

/** Whether the checkout link can still place the order. It ends with the placing, or when it expires. */
export function isCheckoutAlive(order: CheckoutLink & Pick<Order, 'status'>, now: Temporal.Instant): boolean {
  const { status, checkoutKey, checkoutUntil } = order;
  if (status !== 'unplaced' || checkoutKey === null || checkoutUntil === null) return false;
  return Temporal.Instant.compare(now, checkoutUntil) < 0;
}

/** Returns the token of an order's link; undefined if the order has none. */
export function checkoutTokenOf(
  tokens: Pick<TokenSealer, 'sealLink'>,
  { orderId, checkoutKey }: Pick<Order, 'orderId' | 'checkoutKey'>,
): string | undefined {
  return checkoutKey === null ? undefined : tokens.sealLink(KIND, Buffer.from(checkoutKey + orderId));
}

/** Returns the order and key in a token; undefined unless this service sealed it as a checkout's. */
export function openCheckoutToken(
  tokens: Pick<TokenSealer, 'openLink'>,
  token: string,
): { orderId: string; checkoutKey: string } | undefined {
  const payload = tokens.openLink(KIND, token)?.toString('utf8');
  if (payload === undefined || payload.length <= KEY_LENGTH) return undefined;
  return { checkoutKey: payload.slice(0, KEY_LENGTH), orderId: payload.slice(KEY_LENGTH) };
}

export type CheckoutLinkDeps = {
  tokens: Pick<TokenSealer, 'sealLink'>;
  site: TrackingSite;
  now: Temporal.Instant;
  /** Whether the caller has a customer's token, which changes orders by its scopes and by no link. */
  hasToken?: boolean;
};

type Sites = {
  tokens: Pick<TokenSealer, 'sealLink'>;
  trackingSites: { siteOf(accountId: string): TrackingSite };
  clock: { now(): Temporal.Instant };
};

/** Returns the data checkout links need in responses to a key. */
export function checkoutLinkDeps({ tokens, trackingSites, clock }: Sites, caller: KeyCaller) {
  const site = siteForKey(trackingSites, caller);
  return { tokens, site, now: clock.now(), hasToken: caller.userId !== undefined } satisfies CheckoutLinkDeps;
}

/** Returns `checkout_url` if the link works and the site's links may change orders; otherwise no member. */
export function checkoutMember(order: Order, { tokens, site, now }: CheckoutLinkDeps): { checkout_url?: string } {
  const token = site.keyOf && isCheckoutAlive(order, now) ? checkoutTokenOf(tokens, order) : undefined;
  return token === undefined ? {} : { checkout_url: checkoutUrlOf(site, token) };
}

export function checkoutUrlOf({ siteUrl }: Pick<TrackingSite, 'siteUrl'>, token: string): string {
  return `${siteUrl}/checkout/${token}`;
}

/** Returns the page where a customer enters another card, if the present one holds the money no longer. */
export function cardPageUrlOf({ siteUrl, keyOf }: TrackingSite, orderId: string, page: '' | '/back' = ''): string {
  return `${siteUrl}/checkout/card${page}?${trackingQuery(orderId, keyOf?.(orderId) ?? null)}`;
}

/**
 * Refuses with order_not_found unless the key is the order's: the `key` of its `tracking_link`, or the last part of its
 * `checkout_url`.
 */
export function requireOrderKey(tokens: TokenSealer, orderId: string, orderKey: string): void {
  const isOfOrder =
    isTrackingKey(tokens, orderId, orderKey) || openCheckoutToken(tokens, orderKey)?.orderId === orderId;
  if (!isOfOrder) throw orderNotFound();
}
