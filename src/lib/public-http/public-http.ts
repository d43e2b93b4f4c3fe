import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIPv6, type LookupFunction } from 'node:net';
import { isPublicAddress } from './public-address.ts';
import { type PublicUrl, readPublicUrl } from './public-url.ts';
import { createPublicResolver, createSystemResolver, type ResolveName } from './resolve-name.ts';

const TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 64 * 1024;
const MAX_HEADER_BYTES = 16 * 1024;
/** Idle connections to one host, and how long they wait for the next call. */
const IDLE_SOCKETS = 32;
const IDLE_MS = 10_000;

/** The status of an answer, or the reason for no answer in a word. */
export type Answer = { status: number } | { failure: string };

/** What a page answered, as text: at most 64 KiB of it. */
export type Page = { status: number; text: string } | { failure: string };

/**
 * What a URL is found to be when its owner names it: the reason why it may not be called, as a sentence for its owner; or
 * the URL as it will be called (its host in its plain spelling, without a fragment), and whether its name has an address
 * now. A name without an address is no refusal: the name may come later, and each call looks it up again.
 */
export type UrlCheck = { refusal: string } | { url: string; isFound: boolean };

/** Calls URLs that accounts chose; reaches public hosts only. */
export type PublicHttp = {
  /** Reads a URL by the rules of calls, and looks its name up. */
  checkUrl(url: string): Promise<UrlCheck>;
  /**
   * Posts within `timeoutMs` in all: look-up, connection, request, answer. Follows no redirect and reads at most 64 KiB
   * of the answer; only the status is returned. Never rejects.
   */
  post(url: string, request: { headers: Readonly<Record<string, string>>; body: string }): Promise<Answer>;
  /** Reads a page by the rules of `post`, and its text. */
  get(url: string, headers: Readonly<Record<string, string>>): Promise<Page>;
  /** Drops idle connections. */
  close(): void;
};

export type PublicHttpOptions = {
  /** Lifts https and the refusal of private addresses, for development. */
  allowPrivate: boolean;
  resolveName?: ResolveName;
  timeoutMs?: number;
};

type Target = { url: PublicUrl; addresses: readonly string[] };
type Call = { target: Target; headers: Readonly<Record<string, string>>; body?: string; signal: AbortSignal };
type Agents = { http: http.Agent; https: https.Agent };

export function createPublicHttp({ allowPrivate, resolveName, timeoutMs = TIMEOUT_MS }: PublicHttpOptions): PublicHttp {
  const resolve = resolveName ?? (allowPrivate ? createSystemResolver() : createPublicResolver());
  const options = { keepAlive: true, maxFreeSockets: IDLE_SOCKETS, timeout: IDLE_MS };
  const agents: Agents = { http: new http.Agent(options), https: new https.Agent(options) };

  const targetOf = (text: string) => findTarget(text, allowPrivate, resolve);
  const request = async (text: string, message: Pick<Call, 'headers' | 'body'>): Promise<Page> => {
    const signal = AbortSignal.timeout(timeoutMs);
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
      const page = await request(text, { headers, body });
      return 'failure' in page ? page : { status: page.status };
    },
    get: (text, headers) => request(text, { headers }),
    close() {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

/**
 * Looks the name up once; the connection goes to that address, so that the name cannot change its meaning in between. The
 * target of a name without an address has none.
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

/** Repeats a call on a fresh connection: the other side may have closed a kept connection a moment ago. */
async function withFreshConnection(call: Call): Promise<Page> {
  const answer = await exchange(call);
  return answer === 'stale' ? { failure: 'ECONNRESET' } : answer;
}

function exchange({ target, headers, body, signal }: Call, agents?: Agents): Promise<Page | 'stale'> {
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
  const finish = (failure: string) =>
    resolve(status === undefined ? { failure } : { status, text: Buffer.concat(chunks).toString() });
  request.on('response', (response) => {
    status = response.statusCode ?? 0;
    // The answer of an endpoint to a call is not read.
    readSome(response, body === undefined ? chunks : undefined, () => finish(''));
  });
  request.on('error', (error: NodeJS.ErrnoException) => {
    const wasStale = request.reusedSocket && /^(ECONNRESET|EPIPE)$/.test(error.code ?? '');
    if (wasStale && status === undefined && !signal.aborted) resolve('stale');
    else finish(signal.aborted ? 'timeout' : (error.code ?? error.name));
  });
  // The answer may be no HTTP answer, such as an unrequested upgrade.
  request.on('close', () => (status === undefined ? finish('closed') : undefined));
  request.end(body);
  return promise;
}

/** Reads to the end, so that the connection can be reused, or to the limit, where the connection is dropped. */
function readSome(response: IncomingMessage, chunks: Buffer[] | undefined, done: () => void): void {
  let bytes = 0;
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES) response.destroy();
    else chunks?.push(chunk);
  });
  response.on('error', done);
  response.on('end', done);
  response.on('close', done);
}

function lookupOf(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  return (_name, options, callback) => {
    const [first] = all;
    if (options.all || !first) callback(null, all);
    else callback(null, first.address, first.family);
  };
}
