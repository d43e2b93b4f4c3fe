import type { IncomingHttpHeaders } from 'node:http';
import type { Logger } from 'pino';
import { Type } from 'typebox';
import manifest from '../../package.json' with { type: 'json' };
import { createWorkInTurns } from '../accounts/share-event-loop.hook.ts';
import type { Config } from '../config.ts';
import { emptyAnswer } from '../http/content-answers.ts';
import type { Http } from '../http/http.ts';
import type { FairTurns } from '../lib/fair-turns.ts';
import type { Metrics } from '../lib/metrics.ts';
import { createMcpExchange } from './mcp-exchange.flow.ts';
import { MessageSchema, membersOf, readMessage } from './mcp-message.ts';
import { openTools, type ToolDeps } from './open-tools.flow.ts';
import { refuseForeignOrigin } from './refuse-foreign-origin.ts';

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
  body: MessageSchema,
  response: {
    200: reply('The result of the request, or its `error`.'),
    202: emptyAnswer('The message was a notification.'),
    400: error('- The message is not one of the protocol, or names a version that is not spoken here.'),
    404: error('- The protocol has no such method here.'),
  },
};

/** Tool arguments are short, and a message is parsed before it is checked. */
export const MAX_MESSAGE_BYTES = 64 * 1024;

const config = { refuses: ['cross_site_request'] } as const;

type Deps = ToolDeps & {
  turns: FairTurns;
  config: Pick<Config, 'baseUrl'>;
  log: Logger;
  metrics: Pick<Metrics, 'countProblem'>;
};

/** POST /mcp (docs/behaviour.md#agents). */
export function mcpRoute(http: Http, deps: Deps): void {
  const inTurns = createWorkInTurns(deps.turns);
  const exchange = createMcpExchange({ ...deps, tools: openTools(deps), version: manifest.version });
  http.post(
    '/mcp',
    {
      schema,
      config,
      bodyLimit: MAX_MESSAGE_BYTES,
      // The hook of a route comes after the key is known, and before the body is read.
      onRequest: (request, _reply, done) => {
        refuseForeignOrigin(request.headers.origin, deps.config.baseUrl);
        done();
      },
      validatorCompiler: () => readMessage,
    },
    async ({ body, caller, headers, id }, answer) => {
      const message = { body: membersOf(body), caller, requestId: id, headers: protocolHeaders(headers) };
      const { status, body: text } = await inTurns(caller, (slice) => exchange({ ...message, slice }));
      if (text === '') return answer.code(202).send();
      answer.code(status as 200).type('application/json');
      return text as never;
    },
  );
}

/** The headers that the protocol reads. */
function protocolHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (/^mcp-/.test(name) ? [[name, String(value)]] : [])),
  );
}
