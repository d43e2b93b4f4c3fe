import { Type } from 'typebox';
import { orNull } from '../../platform/http/api-components.ts';
import type { Fault } from '../../platform/http/refusal.ts';
import { readE164 } from '../../platform/lib/phone.ts';
import { UNPRINTABLE } from '../../platform/lib/plain-text.ts';
import { CORNERS, FONTS } from './brand-look.ts';
import type { Branding } from './branding.ts';
import { parseHostName } from './dns-records.ts';

/** The parsed value, or the error as the text after the field's name. */
export type Parsed<T> = { value: T } | { fault: string };

const MAX_DISPLAY_NAME = 60;
const MAX_WELCOME = 80;
const MAX_URL = 2048;
const MAX_LOCAL_PART = 64;
const MAX_ADDRESS = 254;

const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;
/** The dot-atom of RFC 5322: the only local parts that every mail server accepts. */
const LOCAL_PART = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i;
const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/;
const IP_ADDRESS = /^(\d+(\.\d+){3}|\[[0-9a-f:.]+\])$/;

/** Parses a name of up to 60 characters, so that an SMS that begins with it has room for its message. */
export const parseDisplayName = (text: string): Parsed<string> => parseLine(text, MAX_DISPLAY_NAME);

/** Parses the first line of a shop: up to 80 characters, three lines of a phone. */
export const parseWelcome = (text: string): Parsed<string> => parseLine(text, MAX_WELCOME);

function parseLine(text: string, maxCharacters: number): Parsed<string> {
  const line = text.normalize('NFC').trim();
  if (UNPRINTABLE.test(line)) return { fault: 'must have no control characters' };
  if (!VISIBLE.test(line)) return { fault: 'must have a visible character' };
  if ([...line].length > maxCharacters) return { fault: `must have at most ${maxCharacters} characters` };
  return { value: line };
}

/** Parses a color to `#rrggbb` in lower case. */
export function parseColor(text: string): Parsed<string> {
  const color = text.trim().toLowerCase();
  return /^#[0-9a-f]{6}$/.test(color) ? { value: color } : { fault: 'must be a color such as #0b6b4a' };
}

/** Parses a phone number to E.164. */
export function parseHelpPhone(text: string): Parsed<string> {
  const value = readE164(text);
  return value === undefined ? { fault: 'must be a phone number such as +1 212 555 0123' } : { value };
}

/**
 * Parses a link for customers' pages and emails: https, or http on loopback for development. Returns it
 * percent-encoded.
 */
export function parsePublicLink(text: string): Parsed<string> {
  const url = URL.parse(text.trim());
  if (!url || !/^https?:$/.test(url.protocol)) return { fault: 'must be an https URL' };
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname)) {
    return { fault: 'must be an https URL; http is for this machine alone' };
  }
  // The URL standard allows `;` and quotes in hosts, which would break the Content-Security-Policy that lists this
  // host.
  if (!parseHostName(url.hostname) && !LOOPBACK.test(url.hostname) && !IP_ADDRESS.test(url.hostname)) {
    return { fault: 'must have a host name' };
  }
  if (url.username || url.password) return { fault: 'must have no user or password, which everybody would see' };
  if (url.href.length > MAX_URL) return { fault: `must have at most ${MAX_URL} characters` };
  return { value: url.href };
}

/** Parses one plain address without a name. Its domain is returned in ASCII and lower case. */
export function parseMailAddress(text: string): Parsed<string> {
  const fault = 'must be one email address such as orders@example.com, without a name';
  const [, local = '', domain = ''] = /^(.+)@([^@]+)$/s.exec(text.trim()) ?? [];
  const host = parseHostName(domain);
  if (!host || local.length > MAX_LOCAL_PART || !LOCAL_PART.test(local)) return { fault };
  const address = `${local}@${host}`;
  return address.length > MAX_ADDRESS ? { fault } : { value: address };
}

export function parseTrackingHost(text: string): Parsed<string> {
  const value = parseHostName(text.trim());
  return value ? { value } : { fault: 'must be a host name such as tracking.example.com, without a port or a path' };
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
    return { fault: 'must have no placeholder but {order_id}, {store_id} and {customer_order_id}' };
  }
  const parsed = parsePublicLink(first ?? '');
  if ('fault' in parsed) return parsed;
  if (URL.parse(first ?? '')?.origin !== URL.parse(second ?? '')?.origin)
    return { fault: 'must have no placeholder in its host' };
  return template.length > MAX_TEMPLATE
    ? { fault: `must have at most ${MAX_TEMPLATE} characters` }
    : { value: template };
}

export function reorderUrlOf(template: string, ids: ReorderIds): string {
  return template.replace(PLACEHOLDER, (_, name: keyof ReorderIds) => encodeURIComponent(ids[name]));
}

/** The texts of an account's branding, and the parser of each. */
export const BRANDING_TEXTS = {
  displayName: parseDisplayName,
  logoUrl: parsePublicLink,
  coverUrl: parsePublicLink,
  welcome: parseWelcome,
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

/** A link, the longest of the texts; `BRANDING_TEXTS` has the limit of each. */
export const brandText = (description: string) => orNull(Type.String({ maxLength: MAX_URL }), description);

/** The look of an account's pages, which operators and, where they may, owners of stores set. */
export const LOOK_FIELDS = {
  display_name: brandText('What customers read instead of Doorstep.'),
  logo_url: brandText('An https URL.'),
  cover_url: brandText('An https URL of a wide picture, at the top of the shop and of stores without one.'),
  welcome: brandText('The first line of the shop, at most 80 characters.'),
  color: brandText('`#rrggbb`, of buttons and accents.'),
  corners: Type.Enum([...CORNERS], { description: 'Of buttons, fields and cards.' }),
  font: Type.Enum([...FONTS], {
    description: 'A pair of fonts for headings and text; `system` are those of the device.',
  }),
};

/** Parses texts by their names in a request; null or an empty text clears, an absent one stays. */
export function readBrandingTexts(texts: object): {
  changes: Partial<Record<BrandingText, string | null>>;
  faults: Fault[];
} {
  const changes: Partial<Record<BrandingText, string | null>> = {};
  const faults: Fault[] = [];
  const given = new Map<string, string | null>(Object.entries(texts));
  for (const field of Object.keys(BRANDING_TEXTS) as BrandingText[]) {
    const name = field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    const text = given.get(name);
    if (text === undefined) continue;
    const parsed = text?.trim() ? BRANDING_TEXTS[field](text) : { value: null };
    if ('fault' in parsed) faults.push({ in: 'body', name, message: parsed.fault });
    else changes[field] = parsed.value;
  }
  return { changes, faults };
}
