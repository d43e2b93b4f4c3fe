import { readE164 } from '../../platform/lib/phone.ts';
import { UNPRINTABLE } from '../../platform/lib/plain-text.ts';
import type { Branding } from './branding.ts';
import { parseHostName } from './dns-records.ts';

/** The parsed value, or the fault as a sentence for the person who entered it. */
export type Parsed<T> = { value: T } | { fault: string };

const MAX_DISPLAY_NAME = 60;
const MAX_URL = 2048;
const MAX_LOCAL_PART = 64;
const MAX_ADDRESS = 254;

const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;
/** The dot-atom of RFC 5322: the only local parts that every mail server accepts. */
const LOCAL_PART = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i;
const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/;
const IP_ADDRESS = /^(\d+(\.\d+){3}|\[[0-9a-f:.]+\])$/;

/** Parses a name of at most 60 characters, so that an SMS that begins with it has room for its message. */
export function parseDisplayName(text: string): Parsed<string> {
  const name = text.normalize('NFC').trim();
  if (UNPRINTABLE.test(name)) return { fault: 'It holds control characters.' };
  if (!VISIBLE.test(name)) return { fault: 'It has no visible character.' };
  if ([...name].length > MAX_DISPLAY_NAME) return { fault: `It has more than ${MAX_DISPLAY_NAME} characters.` };
  return { value: name };
}

/** Parses a color to `#rrggbb` in lower case. */
export function parseColor(text: string): Parsed<string> {
  const color = text.trim().toLowerCase();
  return /^#[0-9a-f]{6}$/.test(color) ? { value: color } : { fault: 'It is a color such as #0b6b4a.' };
}

/** Parses a phone number to E.164. */
export function parseHelpPhone(text: string): Parsed<string> {
  const value = readE164(text);
  return value === undefined ? { fault: 'It is a phone number such as +1 212 555 0123.' } : { value };
}

/**
 * Parses a link for customers' pages and emails: https, or http on loopback for development. Returns it
 * percent-encoded.
 */
export function parsePublicLink(text: string): Parsed<string> {
  const url = URL.parse(text.trim());
  if (!url || !/^https?:$/.test(url.protocol)) return { fault: 'It is an https URL.' };
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname)) {
    return { fault: 'It is an https URL; http is for this machine alone.' };
  }
  // The URL standard allows `;` and quotes in hosts, which would break the Content-Security-Policy that lists this
  // host.
  if (!parseHostName(url.hostname) && !LOOPBACK.test(url.hostname) && !IP_ADDRESS.test(url.hostname)) {
    return { fault: 'Its host is no host name.' };
  }
  if (url.username || url.password) return { fault: 'It holds a user or a password, which everybody would see.' };
  if (url.href.length > MAX_URL) return { fault: `It has more than ${MAX_URL} characters.` };
  return { value: url.href };
}

/** Parses one plain address without a name. Its domain is returned in ASCII and lower case. */
export function parseMailAddress(text: string): Parsed<string> {
  const fault = 'It is one email address such as orders@example.com, without a name.';
  const [, local = '', domain = ''] = /^(.+)@([^@]+)$/s.exec(text.trim()) ?? [];
  const host = parseHostName(domain);
  if (!host || local.length > MAX_LOCAL_PART || !LOCAL_PART.test(local)) return { fault };
  const address = `${local}@${host}`;
  return address.length > MAX_ADDRESS ? { fault } : { value: address };
}

export function parseTrackingHost(text: string): Parsed<string> {
  const value = parseHostName(text.trim());
  return value ? { value } : { fault: 'It is a host name such as tracking.example.com, without a port or a path.' };
}

/** The placeholders of a reorder link template. */
export type ReorderIds = { order_id: string; store_id: string; customer_order_id: string };

const MAX_TEMPLATE = 1000;
const PLACEHOLDER = /\{(order_id|store_id|customer_order_id)\}/g;

/**
 * Parses a reorder link template: an https URL with a fixed host, whose path, query or fragment may contain {order_id},
 * {store_id} and {customer_order_id}. Returned as given, because the URL standard would encode the braces.
 */
export function parseReorderUrl(text: string): Parsed<string> {
  const template = text.trim();
  const [first, second] = ['a', 'b'].map((id) => template.replace(PLACEHOLDER, id));
  if (/[{}]/.test(first ?? '')) {
    return { fault: 'It holds another placeholder than {order_id}, {store_id} and {customer_order_id}.' };
  }
  const parsed = parsePublicLink(first ?? '');
  if ('fault' in parsed) return parsed;
  if (URL.parse(first ?? '')?.origin !== URL.parse(second ?? '')?.origin)
    return { fault: 'It has a placeholder in its host.' };
  return template.length > MAX_TEMPLATE
    ? { fault: `It has more than ${MAX_TEMPLATE} characters.` }
    : { value: template };
}

export function reorderUrlOf(template: string, ids: ReorderIds): string {
  return template.replace(PLACEHOLDER, (_, name: keyof ReorderIds) => encodeURIComponent(ids[name]));
}

/** The texts of a branding that an account sets, and what parses each. */
export const BRANDING_TEXTS = {
  displayName: parseDisplayName,
  logoUrl: parsePublicLink,
  fromAddress: parseMailAddress,
  bccAddress: parseMailAddress,
  trackingHost: parseTrackingHost,
  color: parseColor,
  helpUrl: parsePublicLink,
  helpEmail: parseMailAddress,
  helpPhone: parseHelpPhone,
  termsUrl: parsePublicLink,
  privacyUrl: parsePublicLink,
  reorderUrl: parseReorderUrl,
} as const satisfies Partial<Record<keyof Branding, (text: string) => Parsed<string>>>;
export type BrandingText = keyof typeof BRANDING_TEXTS;
