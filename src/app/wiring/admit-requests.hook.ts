import type { IncomingMessage } from 'node:http';
import { memoized } from 'doorstep/collections';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type KeyCaller, keyRefusal, ownerOf } from '../../access/accounts/account.ts';
import { corsHeaders, isForAnyOrigin, preflightHeaders, preflightOrigin } from '../../access/accounts/cross-origin.ts';
import { readApiKey, readPlatformKey } from '../../access/accounts/key-in.ts';
import { isLocalOrigin, originNotAllowed, takesOrigin } from '../../access/accounts/publishable-key.ts';
import type { VisitorOf } from '../../access/accounts/visitors.hook.ts';
import { isAccessToken } from '../../access/customers/give-tokens.flow.ts';
import { readSessionToken } from '../../access/sessions/console-cookie.ts';
import { findStoreCaller } from '../../access/sessions/store-caller.flow.ts';
import { type Client, clientOf } from '../../platform/http/client-of.ts';
import { endpointOf } from '../../platform/http/endpoint-of.ts';
import type { Http } from '../../platform/http/http.ts';
import type { KnownEndpoints } from '../../platform/http/known-endpoints.ts';
import { isFromThisMachine } from '../../platform/http/plaintext-request.ts';
import { Refusal, retryAfter } from '../../platform/http/refusal.ts';
import { invalidField } from '../../platform/http/request-schema.ts';
import type { RateLimits } from '../../platform/load/limit-rates.hook.ts';
import { isHiddenAt, signInSiteAt } from '../../surfaces/tracking/own-host.hook.ts';
import type { Deps } from './deps.ts';

/* Admission of requests before their bodies are read: client, host, key, rate limits and turns. */

const MAX_KNOWN_HOSTS = 100;
/** The one path of an account's own host whose other methods are 405: its programs send GET first, and give up at 404. */
const MCP_PATH = '/mcp';

/** Characters that end a URL's host, so that two programs could read different hosts. */
const HOST_TERMINATORS = /[\s/?#@\\]/;

type AdmissionDeps = Pick<
  Deps,
  | 'authenticate'
  | 'authenticateAtSite'
  | 'authenticateConsole'
  | 'config'
  | 'db'
  | 'listsOrigin'
  | 'trackingSites'
  | 'quietBecause'
> & { limits: RateLimits; visitorOf: VisitorOf; endpoints: KnownEndpoints };

/** The owner of all operators' sessions together. */
const OPERATORS = 'operators';

/** Assigns each request its client, the holder of its limits and the owner of its work. */
export function resolveClientAddress(http: Http, { config }: Pick<Deps, 'config'>): void {
  const { trustProxy } = config;
  // Requests of a connection share the parsed address: parsing takes 3 µs, and each request needs its client several
  // times.
  const known = new WeakMap<object, { forwardedFor: string | string[] | undefined; client: Client }>();
  http.decorateRequest('client', {
    getter() {
      const { socket, headers } = this as unknown as FastifyRequest['raw'];
      const forwardedFor = trustProxy.length > 0 ? headers['x-forwarded-for'] : undefined;
      const last = known.get(socket);
      if (last !== undefined && last.forwardedFor === forwardedFor) return last.client;
      const client = clientOf({ peer: socket.remoteAddress, forwardedFor }, trustProxy);
      known.set(socket, { forwardedFor, client });
      return client;
    },
  });
  http.decorateRequest('holder', {
    getter() {
      const request = this as unknown as FastifyRequest;
      const { caller } = request;
      if (caller) return caller.visitor ? `${caller.keyId} ${caller.visitor.name}` : caller.keyId;
      return request.merchant?.id ?? request.session?.sessionId ?? request.client.name;
    },
  });
  http.decorateRequest('owner', {
    getter() {
      const { caller, merchant, session } = this as unknown as FastifyRequest;
      if (caller) return ownerOf(caller);
      if (merchant) return `store ${merchant.storeId} ${merchant.mode}`;
      return session ? OPERATORS : undefined;
    },
  });
}

/**
 * Refuses requests that can be refused without their body: bad Host, changes on a quiet node, unknown path or method,
 * missing or invalid key, too many requests without a key (docs/requests.md#before-the-key). A callback hook, so that a
 * known key costs no turn of the event loop.
 */
export function admitRequests(http: Http, deps: AdmissionDeps): void {
  requireDecisions(http);
  http.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    const { config, url = request.url === MCP_PATH ? MCP_PATH : undefined } = endpointOf(request);
    const path = url ?? request.url.replace(/\?.*/, '');
    const preflight = preflightOrigin(request.method, request.headers);
    if (preflight !== undefined) {
      return void answerPreflight(deps, request, reply, { origin: preflight, path }).then(undefined, done);
    }
    showToOrigins(request, reply, path);
    const fault = hostFault(request.raw) ?? quietFault(deps, request);
    // Similar paths are searched only after counting, so that a flood of unknown paths stays cheap.
    const refuse = () => done(fault ?? deps.endpoints.refusalOf(request));
    if (!fault && isHiddenAt(deps.trackingSites, request.headers.host, path)) {
      const refusal = new Refusal('route_not_found', 'This host serves only tracking pages.');
      countAnywhere(deps, request).then(() => done(refusal), done);
    } else if (fault || request.is404) countAnywhere(deps, request).then(refuse, done);
    else if (config.localOnly && !isFromThisMachine(request.raw)) {
      countAnywhere(deps, request).then(() => done(elsewhere()), done);
    } else if (config.public) admitUnauthenticated(deps, request, done);
    else admitCaller(deps, request, reply, done);
  });
}

/** Stops the start if an operators' endpoint names no role, or an endpoint for account keys no scope. */
function requireDecisions(http: Http): void {
  http.addHook('onRoute', ({ url, config }) => {
    if (config?.audience === 'operator' && config.role === undefined)
      throw new Error(`${url} names no operator's role`);
    const takesKey = !config?.public && config?.audience === undefined;
    if (takesKey && config?.scope === undefined) throw new Error(`${url} names no scope of keys`);
  });
}

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

function quietFault({ quietBecause }: AdmissionDeps, { method }: FastifyRequest): Refusal | undefined {
  if (quietBecause === undefined || READS.has(method)) return undefined;
  return new Refusal('not_ready', quietBecause, retryAfter(60));
}

function elsewhere(): Refusal {
  return new Refusal(
    'route_not_found',
    'Available only from this machine. Set METRICS_PORT to serve metrics at a separate port.',
  );
}

/**
 * Counts a request without a key. An address that may be a proxy, with any number of visitors, is not counted. A valid
 * key that is sent all the same counts in its place, so unauthenticated clients at its address use up none of its
 * limit.
 */
function admitUnauthenticated(deps: AdmissionDeps, request: FastifyRequest, done: (error?: Error) => void): void {
  const { mayHaveKey, uncounted, countsCallers } = endpointOf(request).config;
  const count = () => {
    if (request.caller) deps.limits.countKey(request).then(() => done(), done);
    else if (!uncounted && !countsCallers && request.client.kind === 'single')
      deps.limits.countClient(request).then(() => done(), done);
    else done();
  };
  const key = mayHaveKey ? readPlatformKey(request.headers) : '';
  if (key === '') count();
  else recognize(deps, request, key).then(count);
}

/** Sets the caller of a valid key. The endpoint itself refuses any other one. */
async function recognize(deps: AdmissionDeps, request: FastifyRequest, key: string): Promise<void> {
  const site = isAccessToken(key) && signInSiteAt(deps.trackingSites, deps.config, request.headers.host);
  const found = site
    ? deps.authenticateAtSite(site, endpointOf(request).url ?? '', key, request)
    : Promise.try(deps.authenticate, key, request);
  const caller = await found.catch(() => undefined);
  // A publishable key is bounded by visitor, and orders nothing here.
  if (caller?.origins === null) request.caller = caller;
}

/** Answers a preflight, which has no key, for every origin that the path or some publishable key takes. */
async function answerPreflight(
  deps: AdmissionDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { origin, path }: { origin: string; path: string },
) {
  const isAny = isForAnyOrigin(path);
  await deps.limits.countClient(request);
  const isOwnHost = deps.trackingSites.ownHosts().get(URL.parse(origin)?.hostname ?? '')?.isVerified;
  const isKnown = isAny || isOwnHost || isLocalOrigin(origin) || (await deps.listsOrigin(origin, request.client));
  if (!isKnown) throw originNotAllowed();
  reply.code(204).headers(preflightHeaders(origin, isAny)).send();
}

function showToOrigins({ headers }: FastifyRequest, reply: FastifyReply, path: string): void {
  if (isForAnyOrigin(path)) reply.headers(corsHeaders(headers.origin ?? '*'));
}

/** Sets the visitor of a publishable key. Returns the error of another origin's page or of too many requests. */
function visitorRefusal({ visitorOf, trackingSites }: AdmissionDeps, request: FastifyRequest, reply: FastifyReply) {
  const { caller, client } = request;
  const { origin } = request.headers;
  const isForeign =
    origin !== undefined && !takesOrigin(caller, origin, trackingSites.siteOf(caller.accountId).siteUrl);
  if (isForeign) return originNotAllowed();
  if (origin !== undefined) reply.headers(corsHeaders(origin));
  const visitor = visitorOf(caller, client);
  request.caller = { ...caller, visitor };
  try {
    visitor.count('requests');
    return undefined;
  } catch (error) {
    return error as Error;
  }
}

function admitCaller(deps: AdmissionDeps, request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) {
  const { config } = endpointOf(request);
  const refuse = (error: Error) => {
    if (isWithoutKey(error)) deps.limits.countClient(request).then(() => done(error), done);
    else done(error);
  };
  if (config.audience) {
    deps.authenticateConsole(request, config.audience).then(() => done(), refuse);
    return;
  }
  const admit = (caller: KeyCaller) => {
    request.caller = caller;
    const isVisitor = caller.origins !== null && !caller.visitor;
    const refusal = isVisitor ? visitorRefusal(deps, request, reply) : undefined;
    done(refusal ?? keyRefusal(caller, config));
  };
  const site = config.takesCustomers && signInSiteAt(deps.trackingSites, deps.config, request.headers.host);
  if (site) {
    deps
      .authenticateAtSite(site, endpointOf(request).url ?? '', readApiKey(request.headers), request)
      .then(admit, refuse);
    return;
  }
  try {
    const key = readApiKey(request.headers);
    if (key === '' && isReadInConsole(deps, request)) {
      callerOfStore(deps, request).then(admit, refuse);
      return;
    }
    const caller = deps.authenticate(key, request);
    if (caller instanceof Promise) caller.then(admit, refuse);
    else admit(caller);
  } catch (error) {
    refuse(error as Error);
  }
}

/** Whether a browser with a console session may read the data of publishable keys. */
function isReadInConsole({ config: { baseUrl } }: AdmissionDeps, request: FastifyRequest): boolean {
  const { publishable, scope } = endpointOf(request).config;
  const isReadable = publishable === true && scope === 'read';
  return isReadable && readSessionToken(request.headers.cookie, baseUrl) !== undefined;
}

/** A signed-in store reads for a customer's order, with the reach of a publishable key and within its session's limits. */
async function callerOfStore(deps: AdmissionDeps, request: FastifyRequest): Promise<KeyCaller> {
  await deps.authenticateConsole(request, 'store');
  const caller = await findStoreCaller(deps.db, request.merchant);
  if (!caller) return deps.authenticate('', request);
  return {
    ...caller,
    scopes: [],
    origins: [],
    visitor: { name: request.merchant.id, isSingle: true, count: () => {} },
  };
}

const isWithoutKey = (error: Error) =>
  error instanceof Refusal && ['missing_api_key', 'invalid_api_key'].includes(error.code);

/** Counts a request without an endpoint against its valid key, otherwise against its client. */
async function countAnywhere(deps: AdmissionDeps, request: FastifyRequest): Promise<void> {
  if (await hasKey(deps, request)) await deps.limits.countKey(request);
  else await deps.limits.countClient(request);
}

/** Whether the request has an account's or store's key, or a console session. */
async function hasKey({ authenticate, authenticateConsole }: AdmissionDeps, request: FastifyRequest): Promise<boolean> {
  const key = readApiKey(request.headers);
  if (key === '' && request.headers.cookie === undefined) return false;
  const ways = [
    async () => {
      request.caller = await authenticate(key, request);
    },
    () => authenticateConsole(request, 'store'),
    () => authenticateConsole(request, 'operator'),
  ];
  for (const way of ways) {
    const isKnown = await way().then(
      () => true,
      () => false,
    );
    if (isKnown) return true;
  }
  return false;
}

/**
 * Refuses several `Host` headers, an invalid one, and HTTP/1.1 without one (RFC 9112, section 3.2), because proxies
 * could disagree on the host.
 */
function hostFault({ rawHeaders, httpVersion }: IncomingMessage): Refusal | undefined {
  let hosts = 0;
  let host = '';
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length !== 4 || name.toLowerCase() !== 'host') continue;
    hosts += 1;
    host = rawHeaders[index + 1] ?? '';
  }
  if (hosts > 1) return hostRefusal('must be sent once');
  if (hosts === 1) return isHost(host) ? undefined : hostRefusal('must be a host, and may have a port');
  return httpVersion === '1.1' ? hostRefusal('is required') : undefined;
}

/** Memoized, because nearly all requests have the same few hosts. */
const isHost = memoized((text) => !HOST_TERMINATORS.test(text) && URL.canParse(`http://${text}/`), MAX_KNOWN_HOSTS);

const hostRefusal = (message: string): Refusal => invalidField('header', 'Host', message);
