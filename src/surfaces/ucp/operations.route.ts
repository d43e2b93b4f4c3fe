import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import manifest from '../../../package.json' with { type: 'json' };
import { readPlatformKey } from '../../access/accounts/key-in.ts';
import { readIdempotencyKey } from '../../access/idempotency/idempotency.hook.ts';
import { MAX_REPLAY_HOURS } from '../../access/idempotency/idempotency.ts';
import type { Http } from '../../platform/http/http.ts';
import { parseJsonBody } from '../../platform/http/json-body.ts';
import { rawBodyOf } from '../../platform/http/raw-body.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { invalidRequest } from '../../platform/http/request-schema.ts';
import { pageLanguage } from '../../platform/languages/page-language.ts';
import { isJsonObject, type JsonObject, memberOf, objectIn, parseJsonObject } from '../../platform/lib/json-object.ts';
import { nextSlice } from '../../platform/load/event-loop-scheduler.ts';
import {
  type DescribedTool,
  exchangeMcp,
  MAX_MESSAGE_BYTES,
  protocolHeaders,
  protocolMembers,
  readMessage,
  refuseForeignOrigin,
} from '../agents/mcp-exchange.flow.ts';
import type { ToolResult } from '../agents/tool.ts';
import {
  type Admitted,
  admitPlatform,
  type Operation,
  type Outcome,
  type PlatformDeps,
  profileOfHeader,
} from './admit-platform.flow.ts';
import { answerPlatform, type Transport } from './answer-platform.hook.ts';
import { CHECKOUT_OPERATIONS, type CheckoutDeps } from './change-checkout.flow.ts';
import { LOCATION_OPERATIONS, type LocationDeps } from './find-locations.flow.ts';
import { VERSION } from './profile.ts';
import { menuOperation } from './read-menu.flow.ts';
import type { ReadSigningKeys } from './signing-keys.cache.ts';

/* UCP over REST: its operations below `/ucp`, with the platform's profile and signature checked before each. */

export type Deps = LocationDeps & CheckoutDeps & PlatformDeps & { log: Logger; signingKeys: ReadSigningKeys };
type OwnOperation = Operation<Deps>;

const MAX_BODY_BYTES = 64 * 1024;

/** Requests are signed over their bytes; answers are signed, so nothing may compress them afterwards. */
const CONFIG = { public: true, mayHaveKey: true, rawBody: true } as const;
const AS_SIGNED = { compress: false, schema: { hide: true }, bodyLimit: MAX_BODY_BYTES } as const;

/** What is known of requests before their handlers. */
const admissions = new WeakMap<FastifyRequest, Admitted | Outcome>();

/**
 * The REST and MCP bindings (docs/ucp.md). Platforms are admitted before the handler, because a handler without a key
 * has one of few slots, and a profile may take long; and before idempotency keys are read, which are the account's.
 */
export function operationRoutes(http: Http, deps: Deps): void {
  const { ucp, baseUrl } = deps.config;
  const draft = ucp === 'draft' ? [...CHECKOUT_OPERATIONS, menuOperation(baseUrl)] : [];
  const operations = [...LOCATION_OPERATIONS, ...draft];
  restRoutes(http, deps, operations);
  mcpRoute(http, deps, operations);
}

function restRoutes(http: Http, deps: Deps, operations: readonly OwnOperation[]): void {
  const onSend = answerPlatform(deps, REST);
  for (const operation of operations) {
    const preValidation = async (request: FastifyRequest) => {
      await admit(deps, operation, request, profileOfHeader(request.headers['ucp-agent']));
      requireKey(operation, request);
    };
    const config = operation.idempotency ? { ...CONFIG, replayHours: MAX_REPLAY_HOURS } : CONFIG;
    for (const url of operation.paths) {
      const { method } = operation;
      http.route({
        method,
        url,
        ...AS_SIGNED,
        config,
        onSend,
        preValidation,
        handler: async (request, reply) => {
          const { searchParams } = new URL(request.url, deps.config.baseUrl);
          const given = {
            ...Object.fromEntries(searchParams),
            ...(isJsonObject(request.params) ? request.params : {}),
          };
          const body = () => (method === 'GET' ? undefined : bodyOf(request));
          const answer = await perform(deps, operation, request, { given, body });
          if (operation.tool === 'create_checkout' && 'id' in answer) reply.code(CREATED);
          return answer;
        },
      });
    }
  }
}

const CREATED = 201;

const REST: Transport = {
  fault: (_request, { code, content }) => ({ code, content }),
  replayed: (_request, body) => body,
};

async function admit(deps: Deps, operation: OwnOperation, request: FastifyRequest, profileUrl: string): Promise<void> {
  // Read before the answer is written, which must not fail.
  await deps.signingKeys();
  const { method, url, headers, holder } = request;
  const key = readPlatformKey(headers);
  const authority = new URL(deps.config.baseUrl).host;
  const signed = { method, target: url, authority, headers, body: rawBodyOf(request) };
  const admission = await admitPlatform(deps, { profileUrl, operation, client: holder, key, signed });
  admissions.set(request, admission);
  if (operation.idempotency && 'bound' in admission && admission.bound) request.caller = admission.bound.caller;
}

function requireKey({ idempotency }: OwnOperation, request: FastifyRequest): void {
  if (idempotency !== 'needed' || readIdempotencyKey(request) !== undefined) return;
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
  const admission = admissions.get(request);
  if (!admission || 'ucp' in admission) return admission ?? {};
  // The slice in which the request began ended while it waited for its platform.
  await nextSlice();
  const body = readBody();
  const context = isJsonObject(body) ? objectIn(body, 'context') : {};
  const preferred = typeof context.language === 'string' ? context.language : undefined;
  const accepted = request.headers['accept-language'];
  const asking = {
    caller: admission.bound?.caller,
    client: request.holder,
    language: pageLanguage([preferred], accepted),
    isLanguageGiven: preferred !== undefined || accepted !== undefined,
  };
  const answer = await run(deps, { body, given, admitted: admission, asking });
  return 'ucp' in answer ? answer : { ucp: admission.envelope, ...answer };
}

const bodyOf = (request: FastifyRequest) => parseJsonBody(rawBodyOf(request), { exactIntegers: false });

const describeTool = ({ tool, title, description, hints, input }: OwnOperation): DescribedTool => ({
  name: tool,
  title,
  description,
  annotations: hints,
  inputSchema: {
    type: 'object',
    properties: { meta: { type: 'object' }, ...input.properties },
    required: ['meta', ...(input.required ?? [])],
  } as DescribedTool['inputSchema'],
});

const INSTRUCTIONS = `The Universal Commerce Protocol ${VERSION}: name your platform's profile in meta["ucp-agent"].profile.`;

/** A message of MCP, with the operation that it calls. */
type McpCall = { message: JsonObject; operation: OwnOperation | undefined };

/** POST /ucp/mcp: the same operations as tools. A refusal is an error of JSON-RPC with the status that REST has. */
function mcpRoute(http: Http, deps: Deps, operations: readonly OwnOperation[]): void {
  const calls = new WeakMap<FastifyRequest, McpCall>();
  const tools = operations.map(describeTool);
  const preValidation = async (request: FastifyRequest) => {
    refuseForeignOrigin(request.headers.origin, deps.config.baseUrl);
    const message = messageOf(request);
    const { name } = objectIn(message, 'params');
    const operation = message.method === 'tools/call' ? operations.find(({ tool }) => tool === name) : undefined;
    calls.set(request, { message, operation });
    if (!operation) return;
    await admit(deps, operation, request, profileOfCall(message));
    useKeyOfCall(operation, request, message);
    requireKey(operation, request);
    // A repeated call may have another ID.
    if (operation.idempotency) request.body = Buffer.from(JSON.stringify(objectIn(message, 'params')));
  };
  const messageOfCall = (request: FastifyRequest) =>
    calls.get(request)?.message ?? parseJsonObject(rawBodyOf(request).toString()) ?? {};
  const transport = mcpTransport(messageOfCall);
  const options = {
    ...AS_SIGNED,
    config: { ...CONFIG, replayHours: MAX_REPLAY_HOURS },
    bodyLimit: MAX_MESSAGE_BYTES,
    preValidation,
    onSend: answerPlatform(deps, transport),
  };
  http.post('/ucp/mcp', options, async (request, reply) => {
    const { message = {}, operation } = calls.get(request) ?? {};
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

function profileOfCall(message: JsonObject): string {
  const { profile } = objectIn(metaOf(message), 'ucp-agent');
  return typeof profile === 'string' ? profile : profileOfHeader(undefined);
}

/** The key of a call stands in its `meta`, where REST has a header. Called once the signature is verified. */
function useKeyOfCall({ idempotency }: OwnOperation, request: FastifyRequest, message: JsonObject): void {
  const key = memberOf(metaOf(message), 'idempotency-key');
  if (idempotency && typeof key === 'string') request.headers['idempotency-key'] = key;
  else if (!idempotency) delete request.headers['idempotency-key'];
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

const NEGOTIATION = /^(invalid_profile_url|profile_unreachable|profile_malformed|version_unsupported)$/;

function mcpTransport(messageOfCall: (request: FastifyRequest) => JsonObject): Transport {
  const idOf = (request: FastifyRequest) => {
    const { id = null } = messageOfCall(request);
    return typeof id === 'string' || typeof id === 'number' ? id : null;
  };
  return {
    fault(request, { code, content, retryAfter }) {
      const data = { code, content, ...(retryAfter === undefined ? {} : { retry_after: retryAfter }) };
      return { jsonrpc: '2.0', id: idOf(request), error: { code: rpcCode(code), message: content, data } };
    },
    replayed(request, body) {
      const reply = parseJsonObject(body);
      return reply && 'jsonrpc' in reply ? JSON.stringify({ ...reply, id: idOf(request) }) : body;
    },
  };
}

function rpcCode(code: string): number {
  if (NEGOTIATION.test(code)) return -32001;
  if (code === 'internal_error') return -32603;
  if (code === 'invalid_request') return -32602;
  return /^(digest_mismatch|algorithm_unsupported)$/.test(code) ? -32600 : -32000;
}
