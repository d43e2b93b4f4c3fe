import { type Branding, DEFAULT_DISPLAY_NAME, displayNameOf } from '../accounts/branding.ts';
import { safeHttpUrl } from '../lib/html.ts';

/** The part of an account's branding that every page of the site shows. */
export type Brand = { name: string; logoUrl: string | undefined; color: string | undefined };

export const DEFAULT_BRAND: Brand = { name: DEFAULT_DISPLAY_NAME, logoUrl: undefined, color: undefined };

/** The brand of a page; a logo whose URL is not http or https is left out. */
export function brandOf(branding: Branding): Brand {
  return {
    name: displayNameOf(branding),
    logoUrl: safeHttpUrl(branding.logoUrl),
    color: branding.color ?? undefined,
  };
}

/** The `Host` header without port, in lower case, without a final dot; empty without the header. */
export function hostNameOf(header: string | undefined): string {
  const url = header ? URL.parse(`http://${header}`) : null;
  return url?.hostname.replace(/\.$/, '').toLowerCase() ?? '';
}
