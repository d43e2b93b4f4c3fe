import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { readApiKey } from '../../access/accounts/key-in.ts';
import { KEY_MAX_LENGTH } from '../../access/idempotency/idempotency.ts';
import { shapeFault } from '../../platform/http/clean-json.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { compileRequestPart, invalidRequest } from '../../platform/http/request-schema.ts';
import { isJsonObject, type JsonObject, parseJsonObject } from '../../platform/lib/json-object.ts';
import { lazyAsync } from '../../platform/lib/lazy-async.ts';
import { isLoopback } from '../../platform/lib/networks.ts';
import { nextSlice } from '../../platform/load/event-loop-scheduler.ts';
import type { Tool, ToolResult } from './tool.ts';

/**
 * The Model Context Protocol over HTTP: messages one by one, without sessions, streams, or state between messages
 * (docs/adr/0037-mcp-without-sessions.md). The caller defines the tools of a server.
 */

const SAFE_INTEGER = Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER });

/** A JSON-RPC 2.0 request or notification. */
export const McpMessageSchema = Type.Object({
  jsonrpc: Type.Literal('2.0'),
  method: Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'Such as `initialize`, `server/discover`, `tools/list` or `tools/call`.',
  }),
  id: Type.Optional(
    Type.Union([Type.String({ maxLength: 200 }), SAFE_INTEGER], {
      description: "The client's request ID, repeated in the response. A notification has none.",
    }),
  ),
  params: Type.Optional(
    Type.Object(
      {},
      {
        additionalProperties: true,
        description: "With `tools/call`: the tool's `name` and its `arguments`, as described by `tools/list`.",
      },
    ),
  ),
});

/** Maximum size of a message, which is parsed before it is checked. Tool arguments are short. */
export const MAX_MESSAGE_BYTES = 64 * 1024;

/** Picks the protocol's headers. */
export function protocolHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (/^mcp-/.test(name) ? [[name, String(value)]] : [])),
  );
}

const MEMBERS: ReadonlySet<string> = new Set(Object.keys(McpMessageSchema.properties));
const parseEnvelope = compileRequestPart(McpMessageSchema, 'body');

/**
 * Parses a message. The tool itself checks its arguments, so that the model gets the error. Depth and size are
 * limited for the whole message.
 */
export function readMessage(data: unknown): ReturnType<typeof parseEnvelope> {
  const fault = shapeFault(data);
  if (fault !== undefined) return { error: invalidRequest([{ in: 'body', name: 'body', message: fault }]) };
  if (!isJsonObject(data)) return parseEnvelope(data);
  if (data.id === null) return { error: invalidRequest([{ in: 'body', name: 'id', message: 'must not be null' }]) };
  const { params, ...envelope } = protocolMembers(data);
  const parsed = parseEnvelope({ ...envelope, params: isJsonObject(params) ? {} : params });
  return 'error' in parsed ? parsed : { value: data };
}

/** Returns the protocol's members of a message; null `params` count as absent. */
export function protocolMembers(message: JsonObject): Record<string, unknown> {
  const isMember = ([name, value]: [string, unknown]) => MEMBERS.has(name) && value !== null;
  return Object.fromEntries(Object.entries(message).filter(isMember));
}

/**
 * Blocks DNS rebinding at a service on loopback: a page whose host name was re-pointed at this machine, and without a
 * credential any page of another machine. Elsewhere any origin may ask, because no browser adds a credential by itself.
 */
export function refuseRebinding(headers: IncomingHttpHeaders, siteUrl: string): void {
  const { origin, host } = headers;
  if (origin === undefined || !isLoopback(new URL(siteUrl))) return;
  const page = URL.parse(origin);
  const isLocal = page !== null && isLoopback(page);
  const hasCredential = readApiKey(headers) !== '';
  if (isLocal || (hasCredential && page?.host !== host?.toLowerCase())) return;
  throw new Refusal('cross_site_request', 'This endpoint accepts messages from pages on localhost, or with a key.');
}

/**
 * Reads the key of a call where REST has a header. A repeated call may have another ID and another `_meta`, and a call
 * that only reads has no key.
 */
export function useKeyOfCall(request: FastifyRequest, key: unknown, call: unknown[], isKept: boolean): void {
  if (!isKept) delete request.headers['idempotency-key'];
  else if (isKey(key)) request.headers['idempotency-key'] = key;
  request.keyedBody = call;
}

/** The tool itself refuses another value. */
export const isKey = (key: unknown): key is string => typeof key === 'string' && key.length <= KEY_MAX_LENGTH;

/** Returns a stored response with the ID of the repeated message. */
export function replayedTo(message: unknown, stored: string): string {
  const { id = null } = isJsonObject(message) ? message : {};
  const reply = parseJsonObject(stored);
  return reply && 'jsonrpc' in reply ? JSON.stringify({ ...reply, id }) : stored;
}

export type DescribedTool = Pick<Tool, 'name' | 'description' | 'annotations'> & {
  title?: string;
  inputSchema: { type: 'object' };
  outputSchema?: { type: 'object' };
};

/** A server's tools for one caller. */
type McpService = {
  title: string;
  version: string;
  instructions: string;
  tools: readonly DescribedTool[];
  /** Runs a tool; undefined if there is none of this name. */
  call(name: string, given: JsonObject): Promise<ToolResult | undefined> | undefined;
};

/** A client's message: its parsed body, and headers by lower-case name. */
type McpMessage = { body: unknown; headers: Readonly<Record<string, string>>; requestId: string };

/** The response to a message; without a body for a notification. */
type McpReply = { status: number; body: string };

/**
 * Protocol versions, without the batches that 2025-03-26 had, because a batch would count as one request; the official
 * clients send none. `initialize` offers clients of other versions the last one.
 */
const PROTOCOL_VERSIONS = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];

/** Tools change with a release or an account's settings, so a client's cache is private to its caller. */
const CACHED = { ttlMs: 3_600_000, cacheScope: 'private' } as const;

/** Maximum wrong members that an error names, and maximum characters per name. */
const MAX_NAMES = 10;
const MAX_NAME = 100;

/** Loaded on first use, because the package takes 0.2 s and 33 MiB. */
const protocol = lazyAsync(() => import('@modelcontextprotocol/server'));

/** Answers a message on behalf of a service. */
export async function exchangeMcp(log: Logger, message: McpMessage, service: McpService): Promise<McpReply> {
  const { createMcpHandler, isLegacyRequest, WebStandardStreamableHTTPServerTransport } = await protocol();
  const request = webRequest(message);
  const parsedBody = message.body;
  const report = (error: Error) => log.debug({ reason: error.message, requestId: message.requestId }, 'MCP');
  const server = await createServer(service);
  try {
    if (!(await isLegacyRequest(request, parsedBody))) {
      const options = { legacy: 'reject', maxSubscriptions: 0, keepAliveMs: 0, onerror: report } as const;
      const reply = await readReply(await createMcpHandler(() => server, options).fetch(request, { parsedBody }));
      return isJsonObject(parsedBody) && parsedBody.method === LISTEN ? withoutSubscriptions(reply) : reply;
    }
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await server.connect(transport);
    return await readReply(await transport.handleRequest(request, { parsedBody }));
  } finally {
    await server.close();
  }
}

const LISTEN = 'subscriptions/listen';
const METHOD_NOT_FOUND = -32601;
const INTERNAL_ERROR = -32603;

/**
 * Replaces the package's "too many subscriptions" with "method not found": the list of tools announces no changes, and
 * no stream stays open.
 */
function withoutSubscriptions(reply: McpReply): McpReply {
  const { error, ...head } = JSON.parse(reply.body) as { error?: { code: number } };
  if (error?.code !== INTERNAL_ERROR) return reply;
  return {
    status: 404,
    body: JSON.stringify({ ...head, error: { code: METHOD_NOT_FOUND, message: 'Method not found' } }),
  };
}

async function createServer({ title, version, instructions, tools, call }: McpService) {
  const { ProtocolError, ProtocolErrorCode, Server } = await protocol();
  const server = new Server(
    { name: 'doorstep', title, version },
    {
      capabilities: { tools: {} },
      instructions,
      supportedProtocolVersions: PROTOCOL_VERSIONS,
      cacheHints: { 'tools/list': CACHED, 'server/discover': CACHED },
    },
  );
  server.setRequestHandler('tools/list', () => ({ tools: [...tools] }));
  server.setRequestHandler('tools/call', async ({ params }) => {
    // Reading the message, calling the tool and writing the response each take a slice.
    await nextSlice();
    const result = await call(params.name, params.arguments ?? {});
    if (!result) {
      const known = tools.map(({ name }) => name).join(', ');
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no such tool. The tools are ${known}.`);
    }
    await nextSlice();
    return result;
  });
  return server;
}

/** Returns the message in the form that the package reads. Responses are always JSON, regardless of `Accept`. */
function webRequest({ headers }: McpMessage): Request {
  const own = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  return new Request('http://doorstep/mcp', { method: 'POST', headers: { ...headers, ...own } });
}

async function readReply(response: Response): Promise<McpReply> {
  const body = await response.text();
  return { status: response.status, body: body.includes('"error":{') ? await plainError(body) : body };
}

/**
 * Replaces the package's answer to invalid `params`, which is its parser's report as JSON, by a sentence that names the
 * members.
 */
async function plainError(body: string): Promise<string> {
  const { error, ...reply } = JSON.parse(body) as { error?: { code: number; message: string } };
  const { InvalidParams, InternalError } = (await protocol()).ProtocolErrorCode;
  const isOfParser = error?.code === InvalidParams || error?.code === InternalError;
  const faults = isOfParser ? parseReport(error.message) : undefined;
  if (!faults) return body;
  const members = faults.map(({ path }) => path.join('.').slice(0, MAX_NAME)).slice(0, MAX_NAMES);
  const message = `Missing or invalid in the protocol: ${members.join(', ')}.`;
  return JSON.stringify({ ...reply, error: { code: InvalidParams, message } });
}

const ParserReport = Type.Array(Type.Object({ path: Type.Array(Type.Union([Type.String(), Type.Number()])) }));

/**
 * Finds the report at the end of an error message, without the client's text that it repeats; undefined if there is
 * none.
 */
function parseReport(message: string): Static<typeof ParserReport> | undefined {
  try {
    const report: unknown = JSON.parse(message.slice(message.indexOf('[\n')));
    return Value.Check(ParserReport, report) ? report : undefined;
  } catch {
    return undefined;
  }
}
