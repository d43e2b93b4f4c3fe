import type { IncomingHttpHeaders } from 'node:http';
import type { Logger } from 'pino';
import { Type } from 'typebox';
import manifest from '../../../package.json' with { type: 'json' };
import { ownerOf } from '../../access/accounts/account.ts';
import { isLoopback } from '../../access/sessions/console-cookie.ts';
import type { CreateOrderDeps, OrderDeps } from '../../ordering/orders/order-deps.ts';
import type { Config } from '../../platform/config/config.ts';
import { shapeFault } from '../../platform/http/clean-json.ts';
import { emptyAnswer } from '../../platform/http/content-answers.ts';
import type { Http } from '../../platform/http/http.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { compileRequestPart, invalidRequest } from '../../platform/http/request-schema.ts';
import { isJsonObject, type JsonObject } from '../../platform/lib/json-object.ts';
import type { Metrics } from '../../platform/lib/metrics.ts';
import { createWorkInSlices } from '../../platform/load/share-event-loop.hook.ts';
import type { ProductSearch } from '../../search/products/search-products.flow.ts';
import type { StoreSearchDeps } from '../../search/stores/find-store-page.flow.ts';
import type { LookupDeps } from '../../supply/places/search-places.flow.ts';
import type { KnownStores } from '../../supply/stores/known-stores.cache.ts';
import { createMcpExchange } from './mcp-exchange.flow.ts';
import type { Tool } from './tool.ts';
import { cancelOrderTool } from './tools/cancel-order.flow.ts';
import { getMenuTool } from './tools/get-menu.flow.ts';
import { getOrderTool } from './tools/get-order.flow.ts';
import { getProductTool } from './tools/get-product.flow.ts';
import { placeOrderTool } from './tools/place-order.flow.ts';
import { quoteOrderTool } from './tools/quote-order.flow.ts';
import { searchPlacesTool } from './tools/search-places.flow.ts';
import { searchProductsTool } from './tools/search-products.flow.ts';
import { searchStoresTool } from './tools/search-stores.flow.ts';

const SAFE_INTEGER = Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER });

/** A JSON-RPC 2.0 request or notification. The supported protocol versions have no batches. */
const McpMessageSchema = Type.Object({
  jsonrpc: Type.Literal('2.0'),
  method: Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'Such as `initialize`, `server/discover`, `tools/list` or `tools/call`.',
  }),
  id: Type.Optional(
    Type.Union([Type.String({ maxLength: 200 }), SAFE_INTEGER], {
      description: 'Of the client, for the answer; a notification has none.',
    }),
  ),
  params: Type.Optional(
    Type.Object(
      {},
      {
        additionalProperties: true,
        description: 'With `tools/call` the `name` of the tool and its `arguments`: `tools/list` describes them.',
      },
    ),
  ),
});

const reply = (description: string) =>
  Type.Object(
    { jsonrpc: Type.Literal('2.0') },
    { additionalProperties: true, description: `A response of JSON-RPC 2.0. ${description}` },
  );
const error = (description: string) => ({
  description,
  content: { 'application/json': { schema: reply('It has an `error`.') } },
});

const schema = {
  operationId: 'exchangeMcpMessage',
  tags: ['Agents'],
  summary: 'The Model Context Protocol, for agents',
  description:
    'Streamable HTTP without sessions, of the versions 2026-07-28, 2025-11-25 and 2025-06-18: one message, one answer as JSON. The tools search, quote, place and follow orders with the account and the limits of the key. A refusal of a tool is a result with `isError`, whose `code` is one of the codes of this description.',
  example: { body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } },
  body: McpMessageSchema,
  response: {
    200: reply('The result of the request, or its `error`.'),
    202: emptyAnswer('The message was a notification.'),
    400: error('- The message is not one of the protocol, or names a version that is not spoken here.'),
    404: error('- The protocol has no such method here.'),
  },
};

/** Maximum size of a message, which is parsed before it is checked. Tool arguments are short. */
export const MAX_MESSAGE_BYTES = 64 * 1024;

const config = { refuses: ['cross_site_request'] } as const;

type Deps = ToolDeps & {
  config: Pick<Config, 'baseUrl'>;
  log: Logger;
  metrics: Pick<Metrics, 'countProblem'>;
};

/** POST /mcp (docs/agents.md). */
export function mcpRoute(http: Http, deps: Deps): void {
  const inSlices = createWorkInSlices();
  const exchange = createMcpExchange({ ...deps, tools: openTools(deps), version: manifest.version });
  http.post(
    '/mcp',
    {
      schema,
      config,
      bodyLimit: MAX_MESSAGE_BYTES,
      // Runs after the key is known and before the body is read.
      onRequest: (request, _reply, done) => {
        refuseForeignOrigin(request.headers.origin, deps.config.baseUrl);
        done();
      },
      validatorCompiler: () => readMessage,
    },
    async ({ body, caller, headers, id }, answer) => {
      const message = { body: protocolMembers(body), caller, requestId: id, headers: protocolHeaders(headers) };
      const { status, body: text } = await inSlices(ownerOf(caller), () => exchange(message));
      if (text === '') return answer.code(202).send();
      answer.code(status as 200).type('application/json');
      return text as never;
    },
  );
}

/** The protocol's headers. */
function protocolHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (/^mcp-/.test(name) ? [[name, String(value)]] : [])),
  );
}

type ToolDeps = CreateOrderDeps &
  Pick<OrderDeps, 'trackingSites'> &
  StoreSearchDeps &
  LookupDeps & { knownStores: KnownStores; searchProducts: ProductSearch };

/** Every tool by name, in the order of a purchase. */
function openTools(deps: ToolDeps): ReadonlyMap<string, Tool> {
  const tools = [
    searchStoresTool(deps),
    searchProductsTool(deps),
    getMenuTool(deps),
    getProductTool(deps),
    quoteOrderTool(deps),
    placeOrderTool(deps),
    getOrderTool(deps),
    cancelOrderTool(deps),
    searchPlacesTool(deps),
  ];
  return new Map(tools.map((tool) => [tool.name, tool]));
}

const MEMBERS: ReadonlySet<string> = new Set(Object.keys(McpMessageSchema.properties));
const parseEnvelope = compileRequestPart(McpMessageSchema, 'body');

/**
 * Parses a message. The tool itself checks its arguments, so that the model gets the refusal. Depth and size are
 * limited for the whole message.
 */
function readMessage(data: unknown): ReturnType<typeof parseEnvelope> {
  const fault = shapeFault(data);
  if (fault !== undefined) return { error: invalidRequest([{ in: 'body', name: 'body', message: fault }]) };
  if (!isJsonObject(data)) return parseEnvelope(data);
  if (data.id === null) return { error: invalidRequest([{ in: 'body', name: 'id', message: 'must not be null' }]) };
  const { params, ...envelope } = protocolMembers(data);
  const parsed = parseEnvelope({ ...envelope, params: isJsonObject(params) ? {} : params });
  return 'error' in parsed ? parsed : { value: data };
}

/** The protocol's members of a message; null `params` count as absent. */
function protocolMembers(message: JsonObject): Record<string, unknown> {
  const isMember = ([name, value]: [string, unknown]) => MEMBERS.has(name) && value !== null;
  return Object.fromEntries(Object.entries(message).filter(isMember));
}

/**
 * Blocks DNS rebinding: a page whose host name was re-pointed at this machine would pass as same-origin. A service on
 * loopback accepts loopback pages. Programs send no `Origin`.
 */
function refuseForeignOrigin(origin: string | undefined, baseUrl: string): void {
  if (origin === undefined) return;
  const page = URL.parse(origin);
  const own = new URL(baseUrl);
  const isLocal = page !== null && isLoopback(own) && isLoopback(page);
  if (page !== null && (page.origin === own.origin || isLocal)) return;
  throw new Refusal('cross_site_request', 'This endpoint takes messages from pages of its own site only.');
}
