import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import manifest from '../../../package.json' with { type: 'json' };
import type { Config } from '../../platform/config/config.ts';
import type { Http } from '../../platform/http/http.ts';
import { parseJsonBody } from '../../platform/http/json-body.ts';
import { rawBodyOf } from '../../platform/http/raw-body.ts';
import { invalidRequest } from '../../platform/http/request-schema.ts';
import { pageLanguage } from '../../platform/languages/page-language.ts';
import { isJsonObject, objectIn, parseJsonObject } from '../../platform/lib/json-object.ts';
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
import { admitPlatform, type PlatformDeps, profileOfHeader } from './admit-platform.flow.ts';
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

/** The REST and MCP bindings of locations (docs/ucp.md#locations). */
export function locationRoutes(http: Http, deps: Deps): void {
  const onSend = answerPlatform(deps, (_request, { code, content }) => ({ code, content }));
  for (const operation of OPERATIONS) {
    http.post(operation.path, { ...AS_SIGNED, onSend }, async (request) => {
      await deps.signingKeys();
      const profileUrl = profileOfHeader(request.headers['ucp-agent']);
      return perform(deps, operation, { request, profileUrl, body: () => bodyOf(request) });
    });
  }
  mcpRoute(http, deps);
}

type Call = { request: FastifyRequest; profileUrl: string; body: () => unknown };

async function perform(deps: Deps, operation: Operation, { request, profileUrl, body }: Call): Promise<object> {
  const { capability, run } = operation;
  const { name: client } = request.client;
  const admitted = await admitPlatform(deps, { profileUrl, capability, client, signed: signedRequest(deps, request) });
  if ('ucp' in admitted) return admitted;
  const given = body();
  const context = isJsonObject(given) ? objectIn(given, 'context') : {};
  const preferred = typeof context.language === 'string' ? context.language : undefined;
  const language = pageLanguage([preferred], request.headers['accept-language']);
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

/** POST /ucp/mcp: the same operations as tools. A refusal is an error of JSON-RPC with the status that REST has. */
function mcpRoute(http: Http, deps: Deps): void {
  const options = { ...AS_SIGNED, bodyLimit: MAX_MESSAGE_BYTES, onSend: answerPlatform(deps, writeRpcFault) };
  http.post('/ucp/mcp', options, async (request, reply) => {
    refuseForeignOrigin(request.headers.origin, deps.config.baseUrl);
    await deps.signingKeys();
    const parsed = readMessage(bodyOf(request));
    if ('error' in parsed) throw parsed.error;
    const message = {
      body: protocolMembers(isJsonObject(parsed.value) ? parsed.value : {}),
      requestId: request.id,
      headers: protocolHeaders(request.headers),
    };
    let failure: unknown;
    const { status, body } = await exchangeMcp(deps.log, message, {
      title: 'Universal Commerce Protocol',
      version: manifest.version,
      instructions: INSTRUCTIONS,
      tools: TOOLS,
      call(name, given) {
        const operation = OPERATIONS.find(({ tool }) => tool === name);
        return (
          operation &&
          callOperation(deps, operation, request, given).catch((error) => {
            failure = error;
            throw error;
          })
        );
      },
    });
    if (failure !== undefined) throw failure;
    if (body === '') return reply.code(202).send();
    return reply.code(status).type('application/json').send(body);
  });
}

async function callOperation(
  deps: Deps,
  operation: Operation,
  request: FastifyRequest,
  { meta, location }: Readonly<Record<string, unknown>>,
): Promise<ToolResult> {
  const agent = isJsonObject(meta) ? objectIn(meta, 'ucp-agent') : {};
  const profileUrl = typeof agent.profile === 'string' ? agent.profile : profileOfHeader(undefined);
  const body = () => {
    if (location === undefined) throw invalidRequest([{ in: 'body', name: 'location', message: 'is required' }]);
    return location;
  };
  const structuredContent = { ...(await perform(deps, operation, { request, profileUrl, body })) };
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
