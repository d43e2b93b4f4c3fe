import { isJsonObject, parseJsonObject } from '../../platform/lib/json-object.ts';
import { oneLine, shorten } from '../../platform/lib/plain-text.ts';
import type { TokenSealer } from '../../platform/lib/tokens.ts';
import type { OauthCode } from './oauth-error.ts';

/*
 * Clients of the sign-in: programs that act for customers. A client is a document at its own address (CIMD), registered
 * by the operator, or registered by itself (RFC 7591), which needs no row: its ID is its registration, signed.
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

const LOOPBACK = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d+)?([/?].*)?$/;
/** A scheme that an app on the customer's device has claimed (RFC 8252, section 7.1), with or without a host. */
const APP = /^([a-z][a-z\d+.-]*):\/(?!\/$)/i;
/** Schemes that are no app's own: browsers run them, read them, send them over a network, or open a phone's handler. */
const NO_APP =
  /^(?:about|blob|data|file|filesystem|s?ftp|https?|intent|javascript|mailto|resource|sms|ssh|tel|urn|view-source|vbscript|wss?)$/i;
const PRINTABLE = /^[\x21-\x7e]+$/;
/** URLs allow separators of policies in hosts, which no certificate has. */
const PLAIN_HOST = /^([\w.-]+|\[[\da-f:.]+\])$/;

/** Whether a text may be the ID of a client. */
export const isClientId = (id: unknown): id is string =>
  typeof id === 'string' && id.length <= MAX_URI && PRINTABLE.test(id);

/**
 * Where a redirect leads: `host` is null for the customer's device, and `device` an address of it without its port.
 * `source` is the target in a Content Security Policy.
 */
type Redirect = { host: string | null; source: string; device?: string };

/** Reads a redirect: https, http on loopback, or an app's own scheme; undefined for any other text. */
function readRedirect(uri: string): Redirect | undefined {
  const url = uri.length > MAX_URI || !PRINTABLE.test(uri) || uri.includes('#') ? null : URL.parse(uri);
  if (url === null || url.username !== '' || url.password !== '' || url.port === '0') return undefined;
  const [, origin, path = ''] = LOOPBACK.exec(uri) ?? [];
  if (origin !== undefined) return { host: null, source: url.origin, device: `${origin}${path}` };
  if (url.protocol === 'https:')
    return PLAIN_HOST.test(url.hostname) ? { host: url.hostname, source: url.origin } : undefined;
  const scheme = APP.exec(uri)?.[1];
  return scheme === undefined || NO_APP.test(scheme) ? undefined : { host: null, source: url.protocol };
}

/** Whether a redirect may be registered. */
export const isRedirect = (uri: string): boolean => readRedirect(uri) !== undefined;

/** Whether a redirect is one of the client's, to the letter; a device's own address has any port (RFC 8252). */
export function takesRedirect({ redirectUris }: Pick<Client, 'redirectUris'>, uri: string): boolean {
  const wanted = readRedirect(uri);
  if (wanted === undefined || redirectUris.includes(uri)) return wanted !== undefined;
  return wanted.device !== undefined && redirectUris.some((known) => readRedirect(known)?.device === wanted.device);
}

/** The source of a redirect's target in a Content Security Policy. */
export const redirectSource = (uri: string): string => readRedirect(uri)?.source ?? "'none'";

/** The domain that a redirect leads to; null for the customer's own device. */
export const redirectHost = (uri: string): string | null => readRedirect(uri)?.host ?? null;

/** Whether a text is the address of a client's document, in its one normal form; `http` where the guard allows it. */
export function isDocumentUrl(text: string, allowHttp: boolean): boolean {
  const url = text.length > MAX_URI ? null : URL.parse(text);
  if (url === null || url.href !== text || url.pathname === '/') return false;
  if (url.protocol !== 'https:' && !(allowHttp && url.protocol === 'http:')) return false;
  return !/[?#]/.test(text) && url.username === '' && url.password === '' && PLAIN_HOST.test(url.hostname);
}

/** Reads a client's document; `secret` if it demands a secret that no one shares with it, undefined if it is none. */
export function readClientDocument(text: string, clientId: string): Client | 'secret' | undefined {
  const document = parseJsonObject(text);
  if (document === undefined || document.client_id !== clientId) return undefined;
  const redirectUris = readRedirects(document.redirect_uris, MAX_REDIRECTS);
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

/** The first redirects of a list that may be registered. */
const readRedirects = (value: unknown, limit: number): string[] =>
  (Array.isArray(value) ? value : []).filter((uri) => typeof uri === 'string' && isRedirect(uri)).slice(0, limit);

const readName = (value: unknown): string =>
  typeof value === 'string' ? shorten(oneLine(value.slice(0, 4 * MAX_NAME)), MAX_NAME) : '';

const DYNAMIC = 'dyn.';
const MAX_DYNAMIC_ID = 1500;
const MAX_DYNAMIC_REDIRECTS = 10;
const CLIENT_KIND = 'sign-in-client';
const SECRET_KIND = 'sign-in-client-secret';

/** A client's registered metadata (RFC 7591). */
export type Registration = { redirectUris: readonly string[]; name: string; method: string };

/** Reads a registration; a text says what is wrong with it. */
export function readRegistration(body: unknown): Registration | { error: OauthCode; description: string } {
  const metadata = isJsonObject(body) ? body : {};
  const redirectUris = readRedirects(metadata.redirect_uris, MAX_DYNAMIC_REDIRECTS);
  if (redirectUris.length === 0) {
    const description = `Send redirect_uris that are https, http on loopback, or an app's own scheme.`;
    return { error: 'invalid_redirect_uri', description };
  }
  const method = metadata.token_endpoint_auth_method ?? 'client_secret_basic';
  if (typeof method !== 'string' || !/^(none|client_secret_(basic|post))$/.test(method)) {
    const description = 'token_endpoint_auth_method is none, client_secret_basic or client_secret_post.';
    return { error: 'invalid_client_metadata', description };
  }
  return { redirectUris, name: readName(metadata.client_name), method };
}

/** Signs a registration into a client ID, with the first redirects that fit; undefined if none does. */
export function registerDynamicClient(
  tokens: Pick<TokenSealer, 'sign'>,
  accountId: string,
  { redirectUris, name, method }: Registration,
  at: Temporal.Instant,
): { clientId: string; redirectUris: readonly string[] } | undefined {
  if (redirectUris.length === 0) return undefined;
  const registered = [accountId, redirectUris, name, method, Math.floor(at.epochMilliseconds / 1000)];
  const bytes = Buffer.from(JSON.stringify(registered));
  const clientId = `${DYNAMIC}${bytes.toString('base64url')}.${tokens.sign(CLIENT_KIND, bytes)}`;
  if (clientId.length <= MAX_DYNAMIC_ID) return { clientId, redirectUris };
  return registerDynamicClient(tokens, accountId, { redirectUris: redirectUris.slice(0, -1), name, method }, at);
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
