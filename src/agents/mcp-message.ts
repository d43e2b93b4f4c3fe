import { Type } from 'typebox';
import { shapeFault } from '../http/clean-json.ts';
import { compileRequestPart, invalidRequest } from '../http/request-schema.ts';
import { isJsonObject, type JsonObject } from '../lib/json-object.ts';

const SAFE_INTEGER = Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER });

/** A request or a notification of JSON-RPC 2.0; a batch is no message of the protocol's versions that are spoken here. */
export const MessageSchema = Type.Object({
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

const MEMBERS: ReadonlySet<string> = new Set(Object.keys(MessageSchema.properties));
const parseEnvelope = compileRequestPart(MessageSchema, 'body');

/**
 * Reads a message: its envelope is checked here, and the arguments of a tool by the tool, so that a model hears of a wrong
 * argument. Depth and size are bounded for all of the message.
 */
export function readMessage(data: unknown): ReturnType<typeof parseEnvelope> {
  const fault = shapeFault(data);
  if (fault !== undefined) return { error: invalidRequest([{ in: 'body', name: 'body', message: fault }]) };
  if (!isJsonObject(data)) return parseEnvelope(data);
  if (data.id === null) return { error: invalidRequest([{ in: 'body', name: 'id', message: 'must not be null' }]) };
  const { params, ...envelope } = membersOf(data);
  const parsed = parseEnvelope({ ...envelope, params: isJsonObject(params) ? {} : params });
  return 'error' in parsed ? parsed : { value: data };
}

/** The members that the protocol knows; `params` that are null count as absent, as everywhere. */
export function membersOf(message: JsonObject): Record<string, unknown> {
  const isMember = ([name, value]: [string, unknown]) => MEMBERS.has(name) && value !== null;
  return Object.fromEntries(Object.entries(message).filter(isMember));
}
