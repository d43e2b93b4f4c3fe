import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import { listen } from '../given/listen.ts';

/** A platform for conformance cases: it publishes profiles, signs requests, and reads the responses. */

export type Answer = {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a case reads expected fields of a response and fails without them
  body: any;
};

export type Key = { kid: string; privateKey: KeyObject; jwk: object };

export const VERSION = '2026-08-25';
const SITE = `https://ucp.dev/${VERSION}`;
export const SEARCH = 'dev.ucp.common.location.search';
export const LOOKUP = 'dev.ucp.common.location.lookup';

export function newKey(kid: string, kind: 'P-256' | 'Ed25519' | 'P-384' = 'P-256'): Key {
  const pair = kind === 'Ed25519' ? generateKeyPairSync('ed25519') : generateKeyPairSync('ec', { namedCurve: kind });
  return { kid, privateKey: pair.privateKey, jwk: { ...pair.publicKey.export({ format: 'jwk' }), kid } };
}

/** A platform's profile with these capabilities and keys. */
export function profileOf(keys: readonly Key[] = [], names = [SEARCH, LOOKUP], version = VERSION): object {
  const capability = { version: VERSION, spec: `${SITE}/specification/x`, schema: `${SITE}/schemas/x.json` };
  return {
    ucp: {
      version,
      services: {},
      capabilities: Object.fromEntries(names.map((name) => [name, [capability]])),
      payment_handlers: {},
    },
    keys: keys.map(({ jwk }) => jwk),
  };
}

export type Platform = Awaited<ReturnType<typeof givenPlatform>>;

/** Serves profiles by path. A text is sent as it is; a function answers itself. */
export async function givenPlatform() {
  const pages = new Map<string, object | string | ((response: ServerResponse) => void)>();
  const reads = new Map<string, number>();
  const server = createServer((request, response) => {
    response.on('error', () => {});
    const [path = ''] = (request.url ?? '').split('?');
    reads.set(path, (reads.get(path) ?? 0) + 1);
    const page = pages.get(path);
    if (typeof page === 'function') return page(response);
    if (page === undefined) return response.writeHead(404).end();
    return response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(typeof page === 'string' ? page : JSON.stringify(page));
  });
  const { baseUrl: url, close } = await listen(server);
  return {
    /** Publishes a page and returns its address. */
    publish(path: string, page: object | string | ((response: ServerResponse) => void)): string {
      pages.set(path, page);
      return url + path;
    },
    readsOf: (path: string) => reads.get(path) ?? 0,
    close,
  };
}

export type Sent = {
  url: string;
  /** POST by default. */
  method?: string;
  body: string;
  headers: Record<string, string>;
};

/** A request to an operation, in the name of a profile. */
export function requestTo(
  url: string,
  body: object | string,
  profile?: string,
  more: Record<string, string> = {},
): Sent {
  const agent: Record<string, string> = profile === undefined ? {} : { 'ucp-agent': `profile="${profile}"` };
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { url, body: text, headers: { 'content-type': 'application/json', ...agent, ...more } };
}

export async function send({ url, method = 'POST', body, headers }: Sent): Promise<Answer> {
  const content = method === 'GET' ? {} : { body };
  const response = await fetch(url, { method, headers, ...content, redirect: 'manual' });
  const text = await response.text();
  const isJson = /json/.test(response.headers.get('content-type') ?? '');
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined };
}

export const digestOf = (body: string) => `sha-256=:${createHash('sha256').update(body).digest('base64')}:`;

type Jwk = { kid: string; kty: string; crv: string; x: string; y: string };

/** Whether a response is signed by one of these keys over status, digest and type. */
export function isSignedBy(keys: readonly Jwk[], { status, headers, text }: Answer): boolean {
  const input = headers.get('signature-input') ?? '';
  const [, list = '', keyId] = /^sig1=(\(.*\);created=\d+;keyid="([^"]+)")$/.exec(input) ?? [];
  const jwk = keys.find(({ kid }) => kid === keyId);
  if (!jwk || headers.get('content-digest') !== digestOf(text)) return false;
  const values = [status, digestOf(text), headers.get('content-type')];
  const lines = ['@status', 'content-digest', 'content-type'].map((name, nth) => `"${name}": ${values[nth]}`);
  const base = Buffer.from([...lines, `"@signature-params": ${list}`].join('\n'));
  const [, signature = ''] = /^sig1=:([^:]+):$/.exec(headers.get('signature') ?? '') ?? [];
  const key = createPublicKey({ key: jwk, format: 'jwk' });
  return verify('sha256', base, { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64'));
}

type SignOptions = { components?: readonly string[]; parameters?: string };
const COMPONENTS = ['@method', '@authority', '@path', 'ucp-agent', 'content-digest', 'content-type'];

/** Adds the signature headers of RFC 9421 to a request. */
export function signed(sent: Sent, key: Key, { components = COMPONENTS, parameters = '' }: SignOptions = {}): Sent {
  const { host, pathname, search } = new URL(sent.url);
  const { method = 'POST' } = sent;
  const headers: Record<string, string> = { 'content-digest': digestOf(sent.body), ...sent.headers };
  const values: Record<string, string> = {
    ...headers,
    '@method': method,
    '@authority': host,
    '@path': pathname,
    '@query': search || '?',
  };
  const list = `(${components.map((name) => `"${name}"`).join(' ')})${parameters};keyid="${key.kid}"`;
  const base = [...components.map((name) => `"${name}": ${values[name]}`), `"@signature-params": ${list}`].join('\n');
  const digest = key.privateKey.asymmetricKeyType === 'ed25519' ? null : 'sha256';
  const signature = sign(digest, Buffer.from(base), { key: key.privateKey, dsaEncoding: 'ieee-p1363' });
  return {
    ...sent,
    headers: { ...headers, 'signature-input': `sig1=${list}`, signature: `sig1=:${signature.toString('base64')}:` },
  };
}
