import { type Branding, DEFAULT_DISPLAY_NAME, displayNameOf } from '../accounts/branding.ts';
import { safeHttpUrl } from '../lib/html.ts';

/** What of an account's branding the site shows. */
export type Brand = { name: string; logoUrl: string | undefined };

export const DEFAULT_BRAND: Brand = { name: DEFAULT_DISPLAY_NAME, logoUrl: undefined };

/** A logo that is not of the web is none. */
export function brandOf(branding: Branding): Brand {
  return { name: displayNameOf(branding), logoUrl: safeHttpUrl(branding.logoUrl) };
}

/** `Host` without its port, in small letters, without a final dot; empty where there is none. */
export function hostNameOf(header: string | undefined): string {
  const url = header ? URL.parse(`http://${header}`) : null;
  return url?.hostname.replace(/\.$/, '').toLowerCase() ?? '';
}
