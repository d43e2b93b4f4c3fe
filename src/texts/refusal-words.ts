import type { RefusalCode } from '../platform/http/refusal.ts';
import type { Locale } from './catalogs.ts';

/** Wording of the pages for refused requests. */

export type PageRefusal = RefusalCode | 'internal_error';

type RefusalReason = 'busy' | 'unreadable' | 'unavailable';

/** The reason that a page gives for a refusal code. Codes not listed mean that the request is invalid. */
const REASONS: Readonly<Partial<Record<PageRefusal, RefusalReason>>> = {
  rate_limited: 'busy',
  not_ready: 'unavailable',
  upstream_unavailable: 'unavailable',
  tax_unavailable: 'unavailable',
  payment_gateway_not_configured: 'unavailable',
  internal_error: 'unavailable',
};

export const reasonOf = (code: PageRefusal): RefusalReason => REASONS[code] ?? 'unreadable';

export function refusalWords({ words }: Locale, code: PageRefusal): { title: string; detail: string } {
  const { refused } = words.checkout;
  const reason = reasonOf(code);
  return { title: refused[`${reason}Title`], detail: refused[reason] };
}
