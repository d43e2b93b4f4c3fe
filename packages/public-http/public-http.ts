import { lookup, Resolver } from 'node:dns/promises';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIP, isIPv6, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import { readCertificateEnd } from './certificate.ts';

/**
 * SSRF-safe calls to URLs from others: http or https, names resolved once and checked, no private address, no redirect.
 */

const TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 64 * 1024;
const MAX_HEADER_BYTES = 16 * 1024;
/** Maximum idle connections per host, and their lifetime. */
const IDLE_SOCKETS = 32;
const IDLE_MS = 10_000;

/** The status of a response, or a word for the failure. */
export type HttpAnswer = { status: number } | { failure: string };

/** A page's answer as text, cut at the limit. */
type Page = { status: number; text: string } | { failure: string };

/**
 * The result of checking a URL for its owner: why it cannot be called, or the normalized URL and whether its name
 * resolves now. An unresolved name is accepted, because each call looks it up again.
 */
type UrlCheck = { refusal: string } | { url: string; isFound: boolean };

/** Calls URLs chosen by accounts; reaches only public hosts. */
export type PublicHttp = {
  /** Validates a URL by the rules of calls, and resolves its name. */
  checkUrl(url: string): Promise<UrlCheck>;
  /**
   * Posts within `timeoutMs` for look-up, connection, request and answer together. Follows no redirect and reads up to
   * 64 KiB of the response; returns only the status. Never rejects.
   */
  post(url: string, request: { headers: Readonly<Record<string, string>>; body: string }): Promise<HttpAnswer>;
  /** Reads a page as text, by the rules of `post`; up to `maxBytes` of it, 64 KiB by default, within `withinMs`. */
  get(url: string, headers: Readonly<Record<string, string>>, maxBytes?: number, withinMs?: number): Promise<Page>;
  /** Reads when a host's certificate ends, accepted by browsers or not; undefined without a response. Never rejects. */
  readCertificateEnd(url: string): Promise<Temporal.Instant | undefined>;
  /** Closes idle connections. */
  close(): void;
};

export type PublicHttpOptions = { allowPrivate: boolean; resolveName?: ResolveName; timeoutMs?: number };

type Target = { url: PublicUrl; addresses: readonly string[] };
type Call = {
  target: Target;
  headers: Readonly<Record<string, string>>;
  body?: string;
  maxBytes: number;
  signal: AbortSignal;
};
type Agents = { http: http.Agent; https: https.Agent };

export function createPublicHttp({ allowPrivate, resolveName, timeoutMs = TIMEOUT_MS }: PublicHttpOptions): PublicHttp {
  const resolve = resolveName ?? (allowPrivate ? createSystemResolver() : createPublicResolver());
  const options = { keepAlive: true, maxFreeSockets: IDLE_SOCKETS, timeout: IDLE_MS };
  const agents: Agents = { http: new http.Agent(options), https: new https.Agent(options) };

  const targetOf = (text: string) => findTarget(text, allowPrivate, resolve);
  const request = async (
    text: string,
    message: Pick<Call, 'headers' | 'body' | 'maxBytes'>,
    withinMs = timeoutMs,
  ): Promise<Page> => {
    const signal = AbortSignal.timeout(withinMs);
    const target = await Promise.race([targetOf(text), aborted(signal)]);
    if (target === undefined) return { failure: 'timeout' };
    if ('refusal' in target) return { failure: 'endpoint not allowed' };
    if (target.addresses.length === 0) return { failure: 'host not found' };
    const call = { ...message, target, signal };
    const answer = await exchange(call, agents);
    return answer === 'stale' ? withFreshConnection(call) : answer;
  };
  return {
    async checkUrl(text) {
      const target = await targetOf(text);
      return 'refusal' in target ? target : { url: target.url.href, isFound: target.addresses.length > 0 };
    },
    async post(text, { headers, body }) {
      const page = await request(text, { headers, body, maxBytes: MAX_ANSWER_BYTES });
      return 'failure' in page ? page : { status: page.status };
    },
    get: (text, headers, maxBytes = MAX_ANSWER_BYTES, withinMs = timeoutMs) =>
      request(text, { headers, maxBytes }, withinMs),
    async readCertificateEnd(text) {
      const target = await targetOf(text);
      if ('refusal' in target || target.addresses.length === 0) return undefined;
      const options = { timeoutMs, lookup: lookupOf(target.addresses), acceptsAny: true };
      return readCertificateEnd(new URL(target.url.href), options).catch(() => undefined);
    },
    close() {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

/**
 * Resolves the name once; the connection uses that address, so the name cannot be re-pointed in between. Undefined for
 * a name without an address.
 */
async function findTarget(
  text: string,
  allowPrivate: boolean,
  resolve: ResolveName,
): Promise<Target | { refusal: string }> {
  const read = readPublicUrl(text, allowPrivate);
  if ('refusal' in read) return read;
  const { url } = read;
  const addresses = url.isAddress ? [url.host] : await resolve(url.host).catch(() => []);
  if (allowPrivate || addresses.every(isPublicAddress)) return { url, addresses };
  return { refusal: 'The host name of the endpoint leads to an address that is not public.' };
}

function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(undefined), { once: true }));
}

/** Retries once on a fresh connection, because the server may have just closed the kept-alive one. */
async function withFreshConnection(call: Call): Promise<Page> {
  const answer = await exchange(call);
  return answer === 'stale' ? { failure: 'ECONNRESET' } : answer;
}

function exchange({ target, headers, body, maxBytes, signal }: Call, agents?: Agents): Promise<Page | 'stale'> {
  const { promise, resolve } = Promise.withResolvers<Page | 'stale'>();
  const { isTls, href } = target.url;
  const options = {
    method: body === undefined ? 'GET' : 'POST',
    headers,
    signal,
    agent: agents ? agents[isTls ? 'https' : 'http'] : false,
    lookup: lookupOf(target.addresses),
    maxHeaderSize: MAX_HEADER_BYTES,
  };
  const request = (isTls ? https : http).request(href, options);
  let status: number | undefined;
  const chunks: Buffer[] = [];
  const finish = (failure: string, isWhole = false) =>
    // A webhook endpoint has responded with its status, even if the rest fails; half a page is no page.
    resolve(
      status === undefined || (body === undefined && !isWhole)
        ? { failure }
        : { status, text: Buffer.concat(chunks).toString() },
    );
  request.on('response', (response) => {
    status = response.statusCode ?? 0;
    // A webhook endpoint's answer is discarded.
    readSome(response, { chunks: body === undefined ? chunks : undefined, maxBytes }, (isWhole) =>
      finish(signal.aborted ? 'timeout' : 'closed', isWhole),
    );
  });
  request.on('error', (error: NodeJS.ErrnoException) => {
    const wasStale = request.reusedSocket && /^(ECONNRESET|EPIPE)$/.test(error.code ?? '');
    if (wasStale && status === undefined && !signal.aborted) resolve('stale');
    else finish(signal.aborted ? 'timeout' : (error.code ?? error.name));
  });
  // Some answers are not HTTP, such as an unrequested upgrade.
  request.on('close', () => (status === undefined ? finish('closed') : undefined));
  request.end(body);
  return promise;
}

/**
 * Reads to the end, so that the connection can be reused, or to the limit, then closes it. `done` gets whether the
 * response was complete up to there.
 */
function readSome(
  response: IncomingMessage,
  { chunks, maxBytes }: { chunks: Buffer[] | undefined; maxBytes: number },
  done: (isWhole: boolean) => void,
): void {
  let bytes = 0;
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > maxBytes) response.destroy();
    else chunks?.push(chunk);
  });
  response.on('error', () => done(bytes > maxBytes));
  response.on('end', () => done(true));
  response.on('close', () => done(bytes > maxBytes));
}

function lookupOf(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  return (_name, options, callback) => {
    const [first] = all;
    if (options.all || !first) callback(null, all);
    else callback(null, first.address, first.family);
  };
}

const MAX_URL_LENGTH = 2048;
const MAX_NAME_LENGTH = 253;
const HTTPS_PORT = 443;
/** Lower ports belong to other services, which accounts must not reach through this one. */
const FIRST_FREE_PORT = 1024;
/** Names with a meaning only inside of a network (RFC 6761, RFC 6762, RFC 8375 and common use). */
const INSIDE_NAMES = /(^|\.)(localhost|local|localdomain|internal|intranet|lan|home|corp|private|arpa|onion|alt)$/;
const LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/;

type PublicUrl = {
  href: string;
  /** Host name or address, without the brackets of IPv6. */
  host: string;
  isAddress: boolean;
  isTls: boolean;
};

type ReadUrl = { url: PublicUrl } | { refusal: string };

/**
 * Parses a URL chosen by an account. Requires https, a public host, port 443 or from 1024, and no credentials;
 * `allowPrivate` lifts all but the last. IP spellings are normalized first; errors repeat nothing of the URL.
 */
export function readPublicUrl(text: string, allowPrivate: boolean): ReadUrl {
  if (text.length > MAX_URL_LENGTH) return refuse(`must not be longer than ${MAX_URL_LENGTH} characters`);
  // URL parsers skip these characters or turn them into slashes: the URL would differ from how it reads.
  if (/[\s\p{Cc}\\]/u.test(text)) return refuse('must not contain spaces, control characters or backslashes');
  const parsed = URL.parse(text);
  if (!parsed || !/^https?:\/\/[^/]/i.test(text)) return refuse('must be an https URL');
  if (/^[^/]*\/\/[^/?#]*@/.test(text)) return refuse('must not contain a user or a password');
  parsed.hash = '';
  const host = parsed.hostname.replace(/^\[(.*)\]$/, '$1');
  const isTls = parsed.protocol === 'https:';
  const url = { href: parsed.href, host, isAddress: isIP(host) !== 0, isTls };
  const refusal = allowPrivate ? undefined : urlRefusal(url, parsed.port === '' ? HTTPS_PORT : Number(parsed.port));
  return refusal === undefined ? { url } : refuse(refusal);
}

function urlRefusal({ host, isAddress, isTls }: PublicUrl, port: number): string | undefined {
  if (!isTls) return 'must be an https URL';
  if (port !== HTTPS_PORT && port < FIRST_FREE_PORT)
    return `must be on port ${HTTPS_PORT} or one from ${FIRST_FREE_PORT}`;
  if (isAddress) return isPublicAddress(host) ? undefined : 'must be on a public address';
  const labels = host.split('.');
  const isName =
    host.length <= MAX_NAME_LENGTH &&
    labels.length > 1 &&
    labels.every((label) => LABEL.test(label)) &&
    !INSIDE_NAMES.test(host);
  return isName ? undefined : 'must be on a public host name';
}

function refuse(what: string): { refusal: string } {
  return { refusal: `The endpoint ${what}.` };
}

/** Global unicast (RFC 4291). Other addresses are local, private or unassigned. */
const GLOBAL_UNICAST_V6 = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number];
/** Public addresses of a cloud's own services: Azure's virtual host. */
const NOT_PUBLIC_V4: readonly string[] = ['168.63.129.16'];

/**
 * Whether an IP address is public: not private, loopback, link-local (cloud metadata), carrier NAT, multicast,
 * documentation or benchmark, nor IPv6 with an embedded IPv4 address, which a translator would route.
 */
export function isPublicAddress(text: string): boolean {
  // Accepts only plain addresses: no zone, no abbreviated or octal IPv4.
  if (isIP(text) === 0 || text.includes('%')) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast') return false;
  if (address.kind() === 'ipv4') return !NOT_PUBLIC_V4.includes(address.toString());
  return (address as ipaddr.IPv6).match(GLOBAL_UNICAST_V6);
}

/** Resolves a host name to all of its addresses; rejects or is empty without one. */
type ResolveName = (name: string) => Promise<readonly string[]>;

const LOOKUP_TIMEOUT_MS = 2000;
const LOOKUP_TRIES = 2;
/** How long look-ups are cached, so that a busy endpoint's name is not resolved at every call. */
const DNS_CACHE_MS = 10_000;
const MAX_CACHED_NAMES = 1000;

/** Uses name servers only: no hosts file, no search domains, no system resolver thread. */
function createPublicResolver(): ResolveName {
  const resolver = new Resolver({ timeout: LOOKUP_TIMEOUT_MS, tries: LOOKUP_TRIES });
  return cacheAddresses(async (name) => {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  });
}

/** Creates the system resolver, for development: it resolves `localhost` and container names. */
function createSystemResolver(): ResolveName {
  return cacheAddresses(async (name) => (await lookup(name, { all: true })).map(({ address }) => address));
}

/** Shares running look-ups and caches a name's addresses for seconds; a name without an address is not cached. */
export function cacheAddresses(resolve: ResolveName): ResolveName {
  const known = new LRUCache<string, readonly string[]>({
    max: MAX_CACHED_NAMES,
    ttl: DNS_CACHE_MS,
    // An evicted look-up still answers the calls waiting for it.
    ignoreFetchAbort: true,
    fetchMethod: (name) => resolve(name),
  });
  return async (name) => {
    const addresses = await known.forceFetch(name);
    if (addresses.length === 0) known.delete(name);
    return addresses;
  };
}
