import { isEmail } from '../../platform/http/request-schema.ts';
import { readE164 } from '../../platform/lib/phone.ts';
import type { KeyMode } from '../accounts/account.ts';

/* An account's customer who signs in at its host, and the permissions of programs for one (docs/sign-in.md). */

/** The account's site that a customer signs in at; `issuer` is its URL without a slash at the end. */
export type SignInSite = { accountId: string; mode: KeyMode; host: string; issuer: string };

export type Customer = {
  accountId: string;
  mode: KeyMode;
  userId: string;
  /** Verified contacts: an email in lower case, and a phone number in E.164. */
  email: string | null;
  phone: string | null;
  firstName: string | null;
  lastName: string | null;
};

/** First and last name in one; '' without any. */
export const nameOf = ({ firstName, lastName }: Pick<Customer, 'firstName' | 'lastName'>): string =>
  [firstName, lastName].filter(Boolean).join(' ');

const MAX_NAME = 100;

/** A name that was typed as one: its first word, and the rest. */
export function namesIn(name: string): Pick<Customer, 'firstName' | 'lastName'> {
  const [firstName = '', ...others] = name.trim().split(/\s+/);
  return { firstName: firstName.slice(0, MAX_NAME) || null, lastName: others.join(' ').slice(0, MAX_NAME) || null };
}

const PREFIX = 'dev.ucp.shopping.';
/** A token's permissions, under the names of the Universal Commerce Protocol. */
export const CUSTOMER_SCOPES = [
  'catalog.search:read',
  'catalog.lookup:read',
  'cart:manage',
  'checkout:manage',
  'checkout:complete',
  'order:read',
  'order:manage',
] as const;
export type CustomerScope = (typeof CUSTOMER_SCOPES)[number];

/** The default scopes of a client that names none. */
const DEFAULT_SCOPES = CUSTOMER_SCOPES.filter((scope) => scope !== 'order:manage' && scope !== 'checkout:complete');

export const scopeText = (scopes: readonly CustomerScope[]): string =>
  scopes.map((scope) => `${PREFIX}${scope}`).join(' ');

export const DEFAULT_SCOPE_TEXT = scopeText(DEFAULT_SCOPES);

/** Reads `scope`: unknown ones are dropped, and a text without any known one is the default. */
export function readScopes(text: string | undefined, unnamed: readonly CustomerScope[] = DEFAULT_SCOPES) {
  const names = (text ?? '').split(/\s+/);
  const scopes = CUSTOMER_SCOPES.filter((scope) => names.includes(`${PREFIX}${scope}`));
  return scopes.length > 0 ? scopes : [...unnamed];
}

/** A contact that a code can be sent to: `email` in lower case, `phone` in E.164. */
export type Contact = { kind: 'email' | 'phone'; value: string };

/** Parses typed contact data; undefined if it is neither an email nor a phone number. */
export function readContact(text: string): Contact | undefined {
  const typed = text.trim();
  if (isEmail(typed)) return { kind: 'email', value: typed.toLowerCase() };
  const phone = readE164(typed);
  return phone === undefined ? undefined : { kind: 'phone', value: phone };
}

export const isPhoneContact = (contact: string): boolean => contact.startsWith('+');

/** The paths of an account's site that a token may name as its resource. */
export const RESOURCE_PATHS = ['', '/mcp', '/ucp', '/ucp/mcp'] as const;

/** Reads `resource` (RFC 8707) as URLs are compared; the site itself when absent, undefined for another place. */
export function readResource({ issuer }: Pick<SignInSite, 'issuer'>, text: string | undefined): string | undefined {
  const plain = (URL.parse(text || issuer)?.href ?? '').replace(/\/$/, '');
  return RESOURCE_PATHS.map((path) => `${issuer}${path}`).find((resource) => resource === plain);
}

/** The metadata of a protected resource (RFC 9728). */
export const resourceMetadataUrl = ({ issuer }: Pick<SignInSite, 'issuer'>, path: string): string =>
  `${issuer}/.well-known/oauth-protected-resource${path}`;
