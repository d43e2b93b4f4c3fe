import { randomBytes } from 'node:crypto';

/** Returns `prefix` and `bytes` random bytes as base64url. 16 bytes are 128 bits, too many to guess. */
export const randomId = (prefix: string, bytes = 16): string => `${prefix}${randomBytes(bytes).toString('base64url')}`;

/** Whether a text may be an ID with the prefix. */
export const isIdOf = (prefix: string, text: string): boolean =>
  text.startsWith(prefix) && /^[\w-]{1,60}$/.test(text.slice(prefix.length));
