import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import manifest from '../../../package.json' with { type: 'json' };
import type { Config } from '../../platform/config/config.ts';
import type { Http } from '../../platform/http/http.ts';
import { parseJsonBody } from '../../platform/http/json-body.ts';
import { rawBodyOf } from '../../platform/http/raw-body.ts';
import { invalidRequest } from '../../platform/http/request-schema.ts';
import { pageLanguage } from '../../platform/languages/page-language.ts';
import { isJsonObject, type JsonObject, objectIn, parseJsonObject } from '../../platform/lib/json-object.ts';
import {
  type DescribedTool,
  exchangeMcp,
  MAX_MESSAGE_BYTES,
  protocolHeaders,
  protocolMembers,
  readMessage,
  refuseForeignOrigin,
} from '../agents/mcp-exchange.flow.ts';
import { READ_ONLY, type ToolResult } from '../agents/tool.ts';
import {
  admitPlatform,
  type Envelope,
  type Incompatible,
  type PlatformDeps,
  profileOfHeader,
} from './admit-platform.flow.ts';
import { answerPlatform, type WriteFault } from './answer-platform.hook.ts';
import { type Asking, type LocationDeps, lookUpLocations, searchLocations } from './find-locations.flow.ts';
import { LookupRequest, readLookup, readSearch, SearchRequest } from './locations.ts';
import type { SignedRequest } from './message-signature.ts';
import { LOCATION_LOOKUP, LOCATION_SEARCH, VERSION } from './profile.ts';
import type { ReadSigningKeys } from './signing-keys.cache.ts';

type Deps = LocationDeps &
  PlatformDeps & { config: Pick<Config, 'baseUrl'>; log: Logger; signingKeys: ReadSigningKeys };

/** An operation: how it is called by either transport, what it reads, and what it answers beside the envelope. */
type Operation = {
  path: string;
  tool: string;
  title: string;
  description: string;
  capability: string;
  input: object;
  run(deps: Deps, body: unknown, asking: Asking): Promise<object>;
};

const OPERATIONS: readonly Operation[] = [
  {
    path: '/ucp/locations/search',
    tool: 'search_locations',
    title: 'Search locations',
    description: 'Search for physical locations by text, distance, service and filters.',
    capability: LOCATION_SEARCH,
    input: SearchRequest,
    run: (deps, body, asking) => searchLocations(deps, readSearch(body), asking),
  },
  {
    path: '/ucp/locations/lookup',
    tool: 'lookup_locations',
    title: 'Look up locations',
    description: 'Look up physical locations by identifier.',
    capability: LOCATION_LOOKUP,
    input: LookupRequest,
    run: (deps, body, asking) => lookUpLocations(deps, readLookup(body), asking),
  },
];

const MAX_BODY_BYTES = 64 * 1024;

/** Requests are signed over their bytes; answers are signed, so nothing may compress them afterwards. */
const CONFIG = { public: true, rawBody: true } as const;
const AS_SIGNED = { compress: false, schema: { hide: true }, config: CONFIG, bodyLimit: MAX_BODY_BYTES } as const;

/** What is known of a request before its handler. */
type Admitted = Envelope | Incompatible;

/**
 * The REST and MCP bindings of locations (docs/ucp.md#locations). Platforms are admitted before the handler, because
 * a handler without a key has one of few slots, and a profile may take long.
 */
export function locationRoutes(http: Http, deps: Deps): void {
  restRoutes(http, deps);
  mcpRoute(http, deps);
}

function restRoutes(http: Http, deps: Deps): void {
  const onSend = answerPlatform(deps, (_request, { code, content }) => ({ code, content }));
  const admitted = new WeakMap<FastifyRequest, Admitted>();
  for (const operation of OPERATIONS) {
    const preHandler = async (request: FastifyRequest) => {
      const profileUrl = profileOfHeader(request.headers['ucp-agent']);
      admitted.set(request, await admit(deps, operation, request, profileUrl));
    };
    http.post(operation.path, { ...AS_SIGNED, onSend, preHandler }, async (request) =>
      perform(deps, operation, request, { admitted: admitted.get(request), body: () => bodyOf(request) }),
    );
  }
}

async function admit(
  deps: Deps,
  { capability }: Operation,
  request: FastifyRequest,
  profileUrl: string,
): Promise<Admitted> {
  // Read before the answer is written, which must not fail.
  await deps.signingKeys();
  const { name: client } = request.client;
  return admitPlatform(deps, { profileUrl, capability, client, signed: signedRequest(deps, request) });
}

type Asked = { admitted: Admitted | undefined; body: () => unknown };

async function perform(
  deps: Deps,
  { run }: Operation,
  request: FastifyRequest,
  { admitted, body }: Asked,
): Promise<object> {
  if (!admitted || 'ucp' in admitted) return admitted ?? {};
  const given = body();
  const context = isJsonObject(given) ? objectIn(given, 'context') : {};
  const preferred = typeof context.language === 'string' ? context.language : undefined;
  const language = pageLanguage([preferred], request.headers['accept-language']);
  const { name: client } = request.client;
  return { ucp: admitted, ...(await run(deps, given, { caller: undefined, client, language })) };
}

function signedRequest({ config }: Deps, request: FastifyRequest): SignedRequest {
  const { method, url, headers } = request;
  return { method, target: url, authority: new URL(config.baseUrl).host, headers, body: rawBodyOf(request) };
}

const bodyOf = (request: FastifyRequest) => parseJsonBody(rawBodyOf(request), { exactIntegers: false });

const TOOLS: readonly DescribedTool[] = OPERATIONS.map(({ tool, title, description, input }) => ({
  name: tool,
  title,
  description,
  annotations: READ_ONLY,
  inputSchema: {
    type: 'object',
    properties: { meta: { type: 'object' }, location: input },
    required: ['meta', 'location'],
  },
  outputSchema: { type: 'object' },
}));

const INSTRUCTIONS = `The Universal Commerce Protocol ${VERSION}: name your platform's profile in meta["ucp-agent"].profile.`;

/** A message of MCP, with the operation that it calls. */
type Call = { message: JsonObject; operation: Operation | undefined; admitted: Admitted | undefined };

/** POST /ucp/mcp: the same operations as tools. A refusal is an error of JSON-RPC with the status that REST has. */
function mcpRoute(http: Http, deps: Deps): void {
  const calls = new WeakMap<FastifyRequest, Call>();
  const preHandler = async (request: FastifyRequest) => {
    refuseForeignOrigin(request.headers.origin, deps.config.baseUrl);
    const message = messageOf(request);
    const { name } = objectIn(message, 'params');
    const operation = message.method === 'tools/call' ? OPERATIONS.find(({ tool }) => tool === name) : undefined;
    const admitted = operation && (await admit(deps, operation, request, profileOfCall(message)));
    calls.set(request, { message, operation, admitted });
  };
  const options = {
    ...AS_SIGNED,
    bodyLimit: MAX_MESSAGE_BYTES,
    preHandler,
    onSend: answerPlatform(deps, writeRpcFault),
  };
  http.post('/ucp/mcp', options, async (request, reply) => {
    const { message = {}, operation, admitted } = calls.get(request) ?? {};
    const { id: requestId, headers } = request;
    const sent = { body: protocolMembers(message), requestId, headers: protocolHeaders(headers) };
    let failure: unknown;
    const { status, body } = await exchangeMcp(deps.log, sent, {
      title: 'Universal Commerce Protocol',
      version: manifest.version,
      instructions: INSTRUCTIONS,
      tools: TOOLS,
      call: (_name, { location }) =>
        operation &&
        callTool(deps, operation, request, { admitted, body: () => requireLocation(location) }).catch((error) => {
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

function profileOfCall(message: JsonObject): string {
  const { profile } = objectIn(objectIn(objectIn(objectIn(message, 'params'), 'arguments'), 'meta'), 'ucp-agent');
  return typeof profile === 'string' ? profile : profileOfHeader(undefined);
}

function requireLocation(location: unknown): unknown {
  if (location !== undefined) return location;
  throw invalidRequest([{ in: 'body', name: 'location', message: 'is required' }]);
}

async function callTool(deps: Deps, operation: Operation, request: FastifyRequest, asked: Asked): Promise<ToolResult> {
  const structuredContent = { ...(await perform(deps, operation, request, asked)) };
  return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
}

const NEGOTIATION = /^(invalid_profile_url|profile_unreachable|profile_malformed|version_unsupported)$/;

const writeRpcFault: WriteFault = (request, { code, content, retryAfter }) => {
  const { id = null } = parseJsonObject(rawBodyOf(request).toString()) ?? {};
  const data = { code, content, ...(retryAfter === undefined ? {} : { retry_after: retryAfter }) };
  const known = typeof id === 'string' || typeof id === 'number' ? id : null;
  return { jsonrpc: '2.0', id: known, error: { code: rpcCode(code), message: content, data } };
};

function rpcCode(code: string): number {
  if (NEGOTIATION.test(code)) return -32001;
  if (code === 'internal_error') return -32603;
  if (code === 'invalid_request') return -32602;
  return /^(digest_mismatch|algorithm_unsupported)$/.test(code) ? -32600 : -32000;
}
