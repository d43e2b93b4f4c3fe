import { isJsonObject, parseJsonObject } from '../../platform/lib/json-object.ts';
import { oneLine, shorten } from '../../platform/lib/plain-text.ts';
import type { TokenSealer } from '../../platform/lib/tokens.ts';
import type { OauthCode } from './oauth-error.ts';

/*
 * Clients of the sign-in: programs that act for customers. A client is a document at its own address (CIMD), registered
 * by the operator, or registered by itself (RFC 7591), which needs no row: its ID is what it registered, signed.
 */

/** How a client proves itself at the token endpoint; `none` by PKCE alone. */
export type ClientMethod = 'none' | 'client_secret' | 'private_key_jwt';

export type Client = {
  clientId: string;
  kind: 'document' | 'registered' | 'dynamic';
  name: string;
  /** The domain that the consent names; null for a client whose redirects all lead to the customer's device. */
  host: string | null;
  redirectUris: readonly string[];
  methods: readonly ClientMethod[];
  jwksUri: string | null;
};

const MAX_NAME = 80;
const MAX_URI = 2000;
const MAX_REDIRECTS = 50;

const LOOPBACK = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d{1,5})?(\/[^#]*)?$/;
/** The scheme of an app, which is a domain name backwards. */
const APP_SCHEME = /^[a-z][a-z\d+-]*(\.[a-z\d+-]+)+:\/[\x21-\x7e]*$/;
const PRINTABLE = /^[\x21-\x7e]+$/;
/** URLs allow separators of policies in hosts, which no certificate has. */
const PLAIN_HOST = /^([\w.-]+|\[[\da-f:.]+\])$/;

/** Whether a text may be the ID of a client. */
export const isClientId = (id: unknown): id is string =>
  typeof id === 'string' && id.length <= MAX_URI && PRINTABLE.test(id);

/** Whether a redirect may be registered: https, the customer's own device, or an app's own scheme. */
export function isRedirect(uri: string): boolean {
  if (uri.length > MAX_URI || !PRINTABLE.test(uri) || uri.includes('#')) return false;
  return isWebRedirect(uri) || APP_SCHEME.test(uri);
}

/** Whether a redirect is https or leads to the customer's own device. */
export function isWebRedirect(uri: string): boolean {
  if (uri.length > MAX_URI || !PRINTABLE.test(uri) || uri.includes('#')) return false;
  if (LOOPBACK.test(uri)) return true;
  const url = URL.parse(uri);
  return url?.protocol === 'https:' && url.username === '' && url.password === '' && PLAIN_HOST.test(url.hostname);
}

/** Whether a redirect is one of the client's, to the letter; a device's own address has any port (RFC 8252). */
export function takesRedirect({ redirectUris }: Pick<Client, 'redirectUris'>, uri: string): boolean {
  if (redirectUris.includes(uri)) return true;
  const [, origin, path = ''] = LOOPBACK.exec(uri) ?? [];
  if (origin === undefined) return false;
  return redirectUris.some((known) => {
    const [, knownOrigin, knownPath = ''] = LOOPBACK.exec(known) ?? [];
    return knownOrigin === origin && knownPath === path;
  });
}

/** The source of a redirect's target in a Content Security Policy. */
export function redirectSource(uri: string): string {
  return APP_SCHEME.test(uri) ? uri.slice(0, uri.indexOf(':') + 1) : new URL(uri).origin;
}

/** The domain that a redirect leads to; null for the customer's own device. */
export function redirectHost(uri: string): string | null {
  return APP_SCHEME.test(uri) || LOOPBACK.test(uri) ? null : new URL(uri).hostname;
}

/** Whether a text is the address of a client's document, in its one normal form; `http` where the guard allows it. */
export function isDocumentUrl(text: string, allowHttp: boolean): boolean {
  const url = text.length > MAX_URI ? null : URL.parse(text);
  if (url === null || url.href !== text || url.pathname === '/') return false;
  if (url.protocol !== 'https:' && !(allowHttp && url.protocol === 'http:')) return false;
  return !/[?#]/.test(text) && url.username === '' && url.password === '' && PLAIN_HOST.test(url.hostname);
}

/** Reads a client's document; `secret` if it demands a secret that nobody shares with it, undefined if it is none. */
export function readClientDocument(text: string, clientId: string): Client | 'secret' | undefined {
  const document = parseJsonObject(text);
  if (document === undefined || document.client_id !== clientId) return undefined;
  const redirectUris = readRedirects(document.redirect_uris)?.filter(isRedirect) ?? [];
  if (redirectUris.length === 0) return undefined;
  const { host } = new URL(clientId);
  const stated = [document.token_endpoint_auth_method ?? [], document.token_endpoint_auth_methods_supported ?? []];
  const names = stated.flat();
  const methods = (['none', 'private_key_jwt'] as const).filter((method) => names.includes(method));
  if (names.length > 0 && methods.length === 0) return 'secret';
  return {
    clientId,
    kind: 'document',
    name: readName(document.client_name) || host,
    host,
    redirectUris,
    methods: methods.length > 0 ? methods : ['none'],
    jwksUri: readJwksUri(document.jwks_uri, host),
  };
}

/** Only keys at the document's own host count: no other one speaks for it. */
function readJwksUri(value: unknown, host: string): string | null {
  const url = typeof value === 'string' && value.length <= MAX_URI ? URL.parse(value) : null;
  return url?.host === host && /^https?:$/.test(url.protocol) ? url.href : null;
}

function readRedirects(value: unknown): string[] | undefined {
  if (!Array.isArray(value) || value.length > MAX_REDIRECTS) return undefined;
  return value.every((uri) => typeof uri === 'string') ? value : undefined;
}

const readName = (value: unknown): string =>
  typeof value === 'string' ? shorten(oneLine(value.slice(0, 4 * MAX_NAME)), MAX_NAME) : '';

const DYNAMIC = 'dyn.';
const MAX_DYNAMIC_ID = 1500;
const MAX_DYNAMIC_REDIRECTS = 5;
const CLIENT_KIND = 'sign-in-client';
const SECRET_KIND = 'sign-in-client-secret';

/** What a client registers about itself (RFC 7591). */
export type Registration = { redirectUris: readonly string[]; name: string; method: string };

/** Reads a registration; a text says what is wrong with it. */
export function readRegistration(body: unknown): Registration | { error: OauthCode; description: string } {
  const metadata = isJsonObject(body) ? body : {};
  const redirectUris = readRedirects(metadata.redirect_uris) ?? [];
  if (redirectUris.length === 0 || redirectUris.length > MAX_DYNAMIC_REDIRECTS || !redirectUris.every(isWebRedirect)) {
    const description = `Send 1 to ${MAX_DYNAMIC_REDIRECTS} redirect_uris, each https or http on the loopback interface.`;
    return { error: 'invalid_redirect_uri', description };
  }
  const method = metadata.token_endpoint_auth_method ?? 'client_secret_basic';
  if (typeof method !== 'string' || !/^(none|client_secret_(basic|post))$/.test(method)) {
    const description = 'token_endpoint_auth_method is none, client_secret_basic or client_secret_post.';
    return { error: 'invalid_client_metadata', description };
  }
  return { redirectUris, name: readName(metadata.client_name), method };
}

/** Signs a registration into a client ID; undefined if it is too long for one. */
export function dynamicClientId(
  tokens: Pick<TokenSealer, 'sign'>,
  accountId: string,
  { redirectUris, name, method }: Registration,
  at: Temporal.Instant,
): string | undefined {
  const registered = [accountId, redirectUris, name, method, Math.floor(at.epochMilliseconds / 1000)];
  const bytes = Buffer.from(JSON.stringify(registered));
  const clientId = `${DYNAMIC}${bytes.toString('base64url')}.${tokens.sign(CLIENT_KIND, bytes)}`;
  return clientId.length > MAX_DYNAMIC_ID ? undefined : clientId;
}

/** Opens the ID of a client that registered itself, which is known by its redirect; undefined for any other text. */
export function openDynamicClient(
  tokens: Pick<TokenSealer, 'isSignature'>,
  accountId: string,
  clientId: string,
  redirectUri?: string,
): Client | undefined {
  if (!clientId.startsWith(DYNAMIC) || clientId.length > MAX_DYNAMIC_ID) return undefined;
  const [text = '', signature = '', ...others] = clientId.slice(DYNAMIC.length).split('.');
  const bytes = Buffer.from(text, 'base64url');
  if (others.length > 0 || !tokens.isSignature(CLIENT_KIND, bytes, signature)) return undefined;
  const [owner, redirectUris, name, method] = JSON.parse(bytes.toString()) as [string, string[], string, string];
  if (owner !== accountId) return undefined;
  const isMeant = (uri: string) => redirectUri === undefined || takesRedirect({ redirectUris: [uri] }, redirectUri);
  const hosts = redirectUris.filter(isMeant).map(redirectHost);
  const host = hosts.find((each) => each !== null) ?? null;
  const methods = [method === 'none' ? 'none' : 'client_secret'] as const;
  return { clientId, kind: 'dynamic', name: name || (host ?? ''), host, redirectUris, methods, jwksUri: null };
}

export const dynamicSecret = (tokens: Pick<TokenSealer, 'sign'>, clientId: string): string =>
  tokens.sign(SECRET_KIND, Buffer.from(clientId));

export const isDynamicSecret = (tokens: Pick<TokenSealer, 'isSignature'>, clientId: string, secret: string): boolean =>
  tokens.isSignature(SECRET_KIND, Buffer.from(clientId), secret);
