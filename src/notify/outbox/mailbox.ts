import { type Branding, DEFAULT_DISPLAY_NAME } from '../../access/accounts/branding.ts';
import { oneLine, shorten } from '../../platform/lib/plain-text.ts';

export type Mailbox = { name: string; address: string };

const MAX_NAME = 78;

/** Splits `Name <address>`, or just an address. */
export function parseMailbox(text: string): Mailbox {
  const [, name = '', address = text] = /^(.*)<([^<>]*)>\s*$/s.exec(text) ?? [];
  return { name: safeName(name.trimEnd().replace(/^"(.*)"$/s, '$1')), address: oneLine(address) };
}

/** Formats `Name <address>` and quotes the name if needed. `parseMailbox` is the inverse. */
export function formatMailbox({ name, address }: Mailbox): string {
  if (name === '') return address;
  return /^[\p{L}\p{N}!#$%&'*+/=?^_`{|}~ -]+$/u.test(name) ? `${name} <${address}>` : `"${name}" <${address}>`;
}

/** Returns the sender of an account's email: its own name and address, otherwise MAIL_FROM's. */
export function senderOf(branding: Branding, mailFrom: string): Mailbox {
  const fallback = parseMailbox(mailFrom);
  return {
    name: safeName(branding.displayName ?? (fallback.name || DEFAULT_DISPLAY_NAME)),
    address: oneLine(branding.fromAddress ?? fallback.address),
  };
}

/** Strips line breaks, quotes, backslashes and angle brackets, so that a display name needs no escaping. */
const safeName = (name: string): string => shorten(oneLine(oneLine(name).replace(/["\\<>]/g, '')), MAX_NAME);

const ADDRESS = /^[^\s@<>,;:"()[\]\\\p{Cc}]+@[^\s@<>,;:"()[\]\\\p{Cc}]+$/u;

/** Whether a text is exactly one plain address, which prevents header injection and recipient lists. */
export const isPlainAddress = (address: string): boolean => ADDRESS.test(address);
