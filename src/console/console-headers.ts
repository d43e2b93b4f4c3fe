import { pageSecurity, type SecurityOptions } from '../http/security-headers.ts';
import { TICKET_POLICY } from '../tickets/ticket-style.ts';

/** The pages are kept nowhere, found by no search engine, and ask the device for nothing but to keep its screen on. */
export const CONSOLE_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'permissions-policy': 'screen-wake-lock=(self), geolocation=(), camera=(), microphone=(), payment=(), usb=()',
  'x-robots-tag': 'noindex, nofollow',
};

/** Security headers of the console: beside its own files a page frames its own tickets, to print them. */
export function consoleSecurity(baseUrl: string) {
  const { contentSecurityPolicy, ...headers } = pageSecurity(baseUrl);
  const directives = { ...contentSecurityPolicy.directives, 'frame-src': ["'self'"] };
  return { ...headers, contentSecurityPolicy: { ...contentSecurityPolicy, directives } } satisfies SecurityOptions;
}

/** Security headers of a ticket: it has no script, and the console alone frames it. */
export function ticketSecurity(baseUrl: string) {
  return {
    ...pageSecurity(baseUrl),
    contentSecurityPolicy: { useDefaults: false, directives: TICKET_POLICY },
    xFrameOptions: { action: 'sameorigin' },
  } satisfies SecurityOptions;
}
