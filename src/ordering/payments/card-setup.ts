import type { KeyMode } from '../../access/accounts/account.ts';
import type { Fault } from '../../platform/http/refusal.ts';

/** How long a card page's link is valid, in minutes. */
export const SETUP_MINUTES = 60;

/**
 * A gateway page where a user enters a card. `setupId` in the link is the credential, with too many random bits to
 * guess. `gatewaySession` is the gateway's id for the page.
 */
export type CardSetup = {
  setupId: string;
  accountId: string;
  mode: KeyMode;
  userId: string;
  userEmail: string;
  returnUrl: string;
  /** The order on whose checkout the page was opened; null if a client opened it. */
  orderId: string | null;
  gatewaySession: string | null;
  state: 'open' | 'completed' | 'canceled';
  paymentMethodId: string | null;
  expiresAt: Temporal.Instant;
};

/** Outcome in the return URL. `pending`: the gateway did not answer, and its webhook will report the outcome. */
export type ReturnStatus = 'success' | 'canceled' | 'pending';

/** Outcome in the checkout's return URL. `changed`: the order cannot be placed as it is. */
export type CheckoutStatus = 'placed' | 'canceled' | 'changed';

const LOCAL_HOSTS: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];
/** Matches origins that a Content-Security-Policy can list. */
const PLAIN_ORIGIN = /^https?:\/\/[a-z0-9.:[\]-]+$/;

/** Maximum characters as encoded for the `Location` header, because proxies accept headers of 4 KiB. */
const MAX_URL_LENGTH = 2000;

/** Parses a return URL: https (http on this machine for development) without credentials. */
export function readReturnUrl(
  text: string,
  { name = 'return_url', allowsLocal = true } = {},
): { url: string } | { fault: Fault } {
  const fault = (message: string) => ({ fault: { in: 'body' as const, name, message } });
  const url = URL.parse(text);
  if (!url) return fault('must be a URL');
  if (url.username || url.password) return fault('must not hold a user or a password');
  const isLocal = allowsLocal && url.protocol === 'http:' && LOCAL_HOSTS.includes(url.hostname);
  if (url.protocol !== 'https:' && !isLocal)
    return fault(allowsLocal ? 'must be https, or http on localhost' : 'must be https');
  if (url.href.length > MAX_URL_LENGTH) return fault(`must have at most ${MAX_URL_LENGTH} characters once encoded`);
  return PLAIN_ORIGIN.test(url.origin) ? { url: url.href } : fault('must have a plain host');
}

/** Adds the outcome to the `return_url` as query parameters, which overwrite parameters of the same name. */
export function buildReturnUrl(
  returnUrl: string,
  outcome: { status: ReturnStatus | CheckoutStatus; order_id?: string },
): string {
  const url = new URL(returnUrl);
  for (const [name, value] of Object.entries(outcome)) {
    if (url.searchParams.has(name)) url.searchParams.delete(name);
    url.search = `${url.search}${url.search === '' ? '' : '&'}${name}=${value}`;
  }
  return url.href;
}

/** Whether a card can still be entered. */
export function isUsable({ state, expiresAt }: Pick<CardSetup, 'state' | 'expiresAt'>, now: Temporal.Instant): boolean {
  return state === 'open' && Temporal.Instant.compare(now, expiresAt) < 0;
}
