import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import manifest from '../../../package.json' with { type: 'json' };
import type { Caller } from '../../access/accounts/account.ts';
import { CHALLENGE, readApiKey, readPlatformKey } from '../../access/accounts/key-in.ts';
import { visitorOfCustomer } from '../../access/accounts/visitors.hook.ts';
import type { AuthenticateAtSite, CustomerCaller } from '../../access/customers/authenticate-customer.hook.ts';
import { isAccessToken } from '../../access/customers/give-tokens.flow.ts';
import { isRepeated, readIdempotencyKey } from '../../access/idempotency/idempotency.hook.ts';
import { KEY_MAX_LENGTH, MAX_REPLAY_HOURS } from '../../access/idempotency/idempotency.ts';
import type { Http } from '../../platform/http/http.ts';
import { parseJsonBody } from '../../platform/http/json-body.ts';
import { rawBodyOf } from '../../platform/http/raw-body.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { invalidRequest } from '../../platform/http/request-schema.ts';
import type { Language } from '../../platform/languages/language.ts';
import { pageLanguage } from '../../platform/languages/page-language.ts';
import { isJsonObject, type JsonObject, memberOf, objectIn, parseJsonObject } from '../../platform/lib/json-object.ts';
import { sha256 } from '../../platform/lib/sha256.ts';
import { nextSlice } from '../../platform/load/event-loop-scheduler.ts';
import {
  type DescribedTool,
  exchangeMcp,
  isKey,
  protocolHeaders,
  protocolMembers,
  readMessage,
  refuseRebinding,
  replayedTo,
  useKeyOfCall,
} from '../agents/mcp-exchange.flow.ts';
import type { ToolResult } from '../agents/tool.ts';
import { signInSiteAt } from '../tracking/own-host.hook.ts';
import {
  type Admitted,
  admitPlatform,
  type Operation,
  type Outcome,
  type PlatformDeps,
  profileOfHeader,
} from './admit-platform.flow.ts';
import { answerPlatform, isProblem, type Transport } from './answer-platform.hook.ts';
import { type Business, type BusinessDeps, findBusiness, siteOf } from './business.flow.ts';
import { CART_OPERATIONS, type CartDeps } from './change-cart.flow.ts';
import type { CheckoutDeps } from './change-checkout.flow.ts';
import { LOCATION_OPERATIONS, type LocationDeps } from './find-locations.flow.ts';
import { type OwnCapabilities, ownCapabilities, PATH, VERSION } from './profile.ts';
import { ORDER_OPERATIONS } from './read-order.flow.ts';
import { CATALOG_OPERATIONS, type CatalogDeps } from './search-catalog.flow.ts';
import { CHECKOUT_OPERATIONS, IS_KNOWN } from './shop-checkout.flow.ts';
import type { ReadSigningKeys } from './signing-keys.cache.ts';

/* UCP over REST and MCP: the operations, with the platform's profile and signature checked before. */

export type Deps = BusinessDeps &
  LocationDeps &
  CatalogDeps &
  CartDeps &
  CheckoutDeps &
  PlatformDeps & { log: Logger; signingKeys: ReadSigningKeys; authenticateAtSite: AuthenticateAtSite };
type OwnOperation = Operation<Deps>;

const MAX_BODY_BYTES = 256 * 1024;
const BELOW = new RegExp(`^${PATH}(?:[/?]|$)`);

/** Requests are signed over their bytes; answers are signed, so nothing may compress them afterwards. */
const CONFIG = { public: true, mayHaveKey: true, countsCallers: true, rawBody: true } as const;
const AS_SIGNED = { compress: false, schema: { hide: true }, bodyLimit: MAX_BODY_BYTES } as const;

/** The platform of a request before its handler; the buyer's language once the body is read. */
type Known = { isSigned?: boolean; admission?: Admitted | Outcome; caller?: Caller; language?: Language };
const known = new WeakMap<FastifyRequest, Known>();
const knownOf = (request: FastifyRequest): Known => known.get(request) ?? {};

export const OPERATIONS: readonly OwnOperation[] = [
  ...LOCATION_OPERATIONS,
  ...CATALOG_OPERATIONS,
  ...CART_OPERATIONS,
  ...CHECKOUT_OPERATIONS,
  ...ORDER_OPERATIONS,
];

/**
 * The REST and MCP bindings (docs/ucp.md). Platforms are admitted before the handler, because a handler without a key
 * has one of few slots, and a profile may take long; and before idempotency keys are read, which are the account's.
 */
export function ucpOperationRoutes(http: Http, deps: Deps): void {
  const transports = new Map<string, Transport>();
  // Before early answers, which refuse a body that is too large while it is sent; the protocol has a form of errors.
  http.addHook('onSend', (request, reply, payload, done) => {
    const { is404, url, routeOptions } = request;
    const isOther = is404 && BELOW.test(url) && isProblem(reply);
    const transport = isOther ? REST : transports.get(routeOptions.url ?? '');
    if (!transport) return done(null, payload);
    answerPlatform(deps, transport)(request, reply, payload).then((written) => done(null, written), done);
  });
  for (const operation of OPERATIONS) restRoutes(http, deps, operation, transports);
  mcpRoute(http, deps, transports);
}

function restRoutes(http: Http, deps: Deps, operation: OwnOperation, transports: Map<string, Transport>): void {
  const preValidation = async (request: FastifyRequest) => {
    await countStranger(request);
    const site = await findSite(deps, request);
    if (!isServed(operation, site)) throw new Refusal('route_not_found', 'This business has no such operation.');
    await admit(deps, operation, request, site, profileOfHeader(request.headers['ucp-agent']));
    useKeyOfPlatform(operation, request);
    requireKey(operation, request, false);
  };
  const config = operation.idempotency ? { ...CONFIG, replayHours: MAX_REPLAY_HOURS } : CONFIG;
  const { method } = operation;
  for (const path of operation.paths) {
    const url = PATH + path;
    transports.set(url, REST);
    http.route({
      method,
      url,
      ...AS_SIGNED,
      config,
      preValidation,
      handler: async (request, reply) => {
        const { searchParams } = new URL(request.url, deps.config.baseUrl);
        const given = {
          ...Object.fromEntries(searchParams),
          ...(isJsonObject(request.params) ? request.params : {}),
        };
        const body = () => (method === 'GET' ? undefined : bodyOf(request));
        const answer = await perform(deps, operation, request, { given, body });
        if (operation.creates && 'id' in answer && (isRepeated(request) || !(IS_KNOWN in answer))) reply.code(201);
        return answer;
      },
    });
  }
}

/** The business at the host of a request, and its capabilities for platforms. */
type FoundSite = { business: Business; own: OwnCapabilities; path: string };

async function findSite(deps: Deps, request: FastifyRequest, below = ''): Promise<FoundSite> {
  const business = await findBusiness(deps, request.headers.host);
  return { business, own: ownCapabilities(siteOf(business)), path: PATH + below };
}

/** Counts a request by its address that neither has a valid key or token nor says that it is signed. */
async function countStranger(request: FastifyRequest): Promise<void> {
  if (!request.caller && request.headers['signature-input'] === undefined) await countAddress(request);
}

async function countAddress(request: FastifyRequest): Promise<void> {
  if (request.client.kind === 'single') await request.server.countClient(request);
}

const isServed = ({ capability }: OwnOperation, { own }: FoundSite) => capability in own;

/** Errors that a customer can resolve. */
const NEEDS_SIGN_IN: ReadonlySet<string> = new Set(['identity_required', 'insufficient_scope']);

const languageOf = (request: FastifyRequest) =>
  knownOf(request).language ?? pageLanguage([], request.headers['accept-language']);

const isSigned = (request: FastifyRequest) => knownOf(request).isSigned ?? true;

const REST: Transport = {
  languageOf,
  isSigned,
  fault: (_request, { code, content }) => ({
    code,
    content,
    ...(NEEDS_SIGN_IN.has(code)
      ? { messages: [{ type: 'error', code, content, severity: 'requires_buyer_review' }] }
      : {}),
  }),
  replayed: (_request, body) => body,
};

async function admit(
  deps: Deps,
  operation: OwnOperation,
  request: FastifyRequest,
  site: FoundSite,
  profileUrl: string,
): Promise<void> {
  // Read before the response is written, which must not fail.
  await deps.signingKeys();
  const { method, url, headers, holder } = request;
  const given = readPlatformKey(headers);
  // A platform may prove who it is by its key, and act for a customer.
  const token = [given, readApiKey(headers)].find(isAccessToken);
  const customer = token === undefined ? undefined : await requireCustomer(deps, site, request, token);
  const key = given === token ? '' : given;
  const authority = new URL(site.business.siteUrl).host;
  const signed = { method, target: url, authority, headers, body: rawBodyOf(request) };
  const received = { ...site, profileUrl, operation, client: holder, key, customer, signed };
  const countUnproven = () => request.caller || headers['signature-input'] === undefined || countAddress(request);
  const admission = await admitPlatform(deps, received).catch(async (error) => {
    await countUnproven();
    throw error;
  });
  if (!('business' in admission && admission.isProven)) await countUnproven();
  const caller = 'business' in admission ? callerOf(admission, request) : undefined;
  known.set(request, { isSigned: !operation.isUnsigned, admission, ...(caller ? { caller } : {}) });
  caller?.visitor?.count('requests');
}

/** The customer of a token, which is valid only at its own host. */
async function requireCustomer(
  { trackingSites, config, authenticateAtSite }: Deps,
  { business, path }: FoundSite,
  request: FastifyRequest,
  token: string,
): Promise<CustomerCaller> {
  const site = business.hosted && signInSiteAt(trackingSites, config, request.headers.host);
  if (!site) throw new Refusal('invalid_api_key', 'This host has no sign-in.', CHALLENGE);
  return (await authenticateAtSite(site, path, token, request)) as CustomerCaller;
}

/** A verified platform's limits, as a multiple of an address's. */
const TIMES_OF_PLATFORM = 20;

/**
 * In whose name a request acts: the customer, the platform's account, or the account whose shop it visits. A platform
 * that has proven nothing is bounded as the shop's visitors are, by its address; others share few addresses.
 */
function callerOf(
  { bound, customer, isProven, profileUrl, business: { hosted } }: Admitted,
  { server, client }: FastifyRequest,
): Caller | undefined {
  if (customer) return { ...customer, visitor: visitorOfCustomer(server.visitorOf, customer) };
  if (bound || !hosted) return bound?.caller;
  const { accountId, mode, keyId } = hosted.shop;
  const caller = { accountId, mode, keyId };
  const proven = { name: profileUrl, kind: 'single' } as const;
  const visitor = isProven ? server.visitorOf(caller, proven, TIMES_OF_PLATFORM) : server.visitorOf(caller, client);
  return { ...caller, visitor };
}

/** Keys are the platform's own: in a shop, where platforms are not bound, each has its own; others, their address's. */
function useKeyOfPlatform({ idempotency }: OwnOperation, request: FastifyRequest): void {
  const { admission, caller } = knownOf(request);
  if (!idempotency || !admission || !('business' in admission)) return;
  const key = readIdempotencyKey(request);
  if (caller) request.caller = { scopes: [], origins: null, ...caller };
  if (key === undefined || !admission.business.hosted) return;
  const stranger = admission.isProven ? undefined : { holder: request.holder };
  request.headers['idempotency-key'] = sha256(
    JSON.stringify([admission.profileUrl, admission.customer?.userId ?? stranger, key]),
  ).toString('base64url');
}

function requireKey({ idempotency }: OwnOperation, request: FastifyRequest, isTool: boolean): void {
  const isNeeded = idempotency === 'needed' || (isTool && idempotency === 'needed by tool');
  if (!isNeeded || readIdempotencyKey(request) !== undefined) return;
  throw new Refusal(
    'idempotency_key_required',
    'Send an Idempotency-Key, so that a repeated request does nothing twice.',
  );
}

type ReceivedInput = { given: JsonObject; body: () => unknown };

async function perform(
  deps: Deps,
  { run }: OwnOperation,
  request: FastifyRequest,
  { given, body: readBody }: ReceivedInput,
): Promise<object> {
  const { admission, caller } = knownOf(request);
  if (!admission || 'ucp' in admission) return admission ?? {};
  // The slice where the request began ended while it waited for its platform.
  await nextSlice();
  const body = readBody();
  const context = isJsonObject(body) ? objectIn(body, 'context') : {};
  const preferred = typeof context.language === 'string' ? context.language : undefined;
  const accepted = request.headers['accept-language'];
  const language = pageLanguage([preferred], accepted);
  known.set(request, { ...knownOf(request), language });
  const asking = {
    caller,
    storeIds: admission.business.hosted?.shop.storeIds ?? null,
    client: request.holder,
    language,
    isLanguageGiven: preferred !== undefined || accepted !== undefined,
    isRepeated: isRepeated(request),
  };
  const answer = await run(deps, { body, given, admitted: admission, asking });
  return 'ucp' in answer ? answer : { ucp: admission.envelope, ...answer };
}

const bodyOf = (request: FastifyRequest) => parseJsonBody(rawBodyOf(request), { exactIntegers: false });

const describeTool = ({ tool, title, description, hints, input, output }: OwnOperation): DescribedTool => ({
  name: tool,
  title,
  description,
  annotations: hints,
  inputSchema: {
    type: 'object',
    properties: { meta: { type: 'object' }, ...input.properties },
    required: ['meta', ...(input.required ?? [])],
  } as DescribedTool['inputSchema'],
  ...(output ? { outputSchema: output as { type: 'object' } } : {}),
});

const INSTRUCTIONS = `The Universal Commerce Protocol ${VERSION}: name your platform's profile in meta["ucp-agent"].profile.`;

/** A message of MCP, with the operation that it calls. */
type McpCall = { message: JsonObject; operation: OwnOperation | undefined; tools: readonly DescribedTool[] };

/** POST to `/mcp`: the operations as tools. An error is an error of JSON-RPC with REST's status. */
function mcpRoute(http: Http, deps: Deps, transports: Map<string, Transport>): void {
  const calls = new WeakMap<FastifyRequest, McpCall>();
  const described = OPERATIONS.map((operation) => ({ operation, tool: describeTool(operation) }));
  const preValidation = async (request: FastifyRequest) => {
    await countStranger(request);
    const site = await findSite(deps, request, '/mcp');
    refuseRebinding(request.headers, site.business.siteUrl);
    const message = messageOf(request);
    const params = objectIn(message, 'params');
    const { name } = params;
    const served = described.filter(({ operation }) => isServed(operation, site));
    const called = message.method === 'tools/call' ? served.find(({ tool }) => tool.name === name) : undefined;
    const operation = called?.operation;
    calls.set(request, { message, operation, tools: served.map(({ tool }) => tool) });
    if (!operation) return;
    await admit(deps, operation, request, site, profileOfCall(message, request.headers['ucp-agent']));
    const { meta: _, ...given } = objectIn(params, 'arguments');
    useKeyOfCall(request, keyOfCall(message), [name, given], operation.idempotency !== undefined);
    useKeyOfPlatform(operation, request);
    requireKey(operation, request, true);
  };
  const messageOfCall = (request: FastifyRequest) =>
    calls.get(request)?.message ?? parseJsonObject(rawBodyOf(request).toString()) ?? {};
  const url = `${PATH}/mcp`;
  transports.set(url, mcpTransport(messageOfCall));
  const options = { ...AS_SIGNED, config: { ...CONFIG, replayHours: MAX_REPLAY_HOURS }, preValidation };
  http.post(url, options, async (request, reply) => {
    const { message = {}, operation, tools = [] } = calls.get(request) ?? {};
    const { id: requestId, headers } = request;
    const sent = { body: protocolMembers(message), requestId, headers: protocolHeaders(headers) };
    let failure: unknown;
    const { status, body } = await exchangeMcp(deps.log, sent, {
      title: 'Universal Commerce Protocol',
      version: manifest.version,
      instructions: INSTRUCTIONS,
      tools,
      call: (_name, given) =>
        operation &&
        callTool(deps, operation, request, given).catch((error) => {
          failure = error;
          throw error;
        }),
    });
    if (failure !== undefined) throw failure;
    if (body === '') return reply.code(202).send();
    return reply.code(status).type('application/json').send(body);
  });
}

function messageOf(request: FastifyRequest): JsonObject {
  const parsed = readMessage(bodyOf(request));
  if ('error' in parsed) throw parsed.error;
  return isJsonObject(parsed.value) ? parsed.value : {};
}

const metaOf = (message: JsonObject) => objectIn(objectIn(objectIn(message, 'params'), 'arguments'), 'meta');

/** The profile that a call names, in its `meta`, by the header, or by both alike. */
function profileOfCall(message: JsonObject, header: string | string[] | undefined): string {
  const { profile } = objectIn(metaOf(message), 'ucp-agent');
  if (typeof profile !== 'string') return profileOfHeader(header);
  if (header === undefined || profileOfHeader(header) === profile) return profile;
  throw new Refusal('invalid_profile_url', 'UCP-Agent names another profile than meta["ucp-agent"].profile.');
}

/** The key of a call is in its `meta`. Read once the signature, which covers the header, is verified. */
function keyOfCall(message: JsonObject): unknown {
  const key = memberOf(metaOf(message), 'idempotency-key');
  if (key === undefined || isKey(key)) return key;
  const fault = { in: 'body', name: 'meta["idempotency-key"]' } as const;
  throw invalidRequest([{ ...fault, message: `must be a string of up to ${KEY_MAX_LENGTH} characters` }]);
}

function bodyOfCall({ bodyName }: OwnOperation, given: JsonObject): unknown {
  if (bodyName === undefined) return undefined;
  const body = memberOf(given, bodyName);
  if (body !== undefined) return body;
  throw invalidRequest([{ in: 'body', name: bodyName, message: 'is required' }]);
}

async function callTool(
  deps: Deps,
  operation: OwnOperation,
  request: FastifyRequest,
  given: JsonObject,
): Promise<ToolResult> {
  const body = () => bodyOfCall(operation, given);
  const structuredContent = { ...(await perform(deps, operation, request, { given, body })) };
  return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
}

const NEGOTIATION =
  /^(invalid_profile_url|profile_unreachable|profile_malformed|version_unsupported|signature_invalid|key_not_found|digest_mismatch|algorithm_unsupported)$/;
/** Errors of a call's arguments. */
const ARGUMENTS = /^(invalid_request|request_too_large|unsupported_credential|idempotency_key_required|session_ended)$/;

function mcpTransport(messageOfCall: (request: FastifyRequest) => JsonObject): Transport {
  const idOf = (request: FastifyRequest) => {
    const { id = null } = messageOfCall(request);
    return typeof id === 'string' || typeof id === 'number' ? id : null;
  };
  return {
    languageOf,
    isSigned,
    fault(request, { code, content, retryAfter }) {
      const data = { code, content, ...(retryAfter === undefined ? {} : { retry_after: retryAfter }) };
      return { jsonrpc: '2.0', id: idOf(request), error: { code: rpcCode(code), message: content, data } };
    },
    replayed: (request, body) => replayedTo(messageOfCall(request), body),
  };
}

function rpcCode(code: string): number {
  if (NEGOTIATION.test(code)) return -32001;
  if (code === 'internal_error') return -32603;
  return ARGUMENTS.test(code) ? -32602 : -32000;
}
