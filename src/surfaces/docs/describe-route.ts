import type { FastifySchema, RouteOptions } from 'fastify';
import { Type } from 'typebox';
import { named, reference } from '../../platform/http/api-components.ts';
import { emptyAnswer, mergeAnswers } from '../../platform/http/content-answers.ts';
import type { RequestExample } from '../../platform/http/http.ts';
import { type RefusalCode, STATUS_OF_CODE } from '../../platform/http/refusal.ts';
import { QUOTE_ERROR_MESSAGES, type QuoteErrorType } from '../../supply/pricing/quote.ts';

const IDEMPOTENCY_KEY = {
  'Idempotency-Key': {
    type: 'string',
    maxLength: 255,
    description:
      'A text of your own for this one request. The same request with the same key runs once: for 24 hours it is answered with the first answer and the header `idempotent-replayed: true`.',
    examples: ['7f9c2ba4-e88f-4b1c-9b1d-6f1f3f0a3c1e'],
  },
};
const IF_NONE_MATCH = {
  'If-None-Match': {
    type: 'string',
    description: 'The `ETag` of an answer that you keep: the answer is 304 while it still holds.',
  },
};
const ETAG = { ETag: { type: 'string', description: 'Names this answer; changes when the answer does.' } };

const WITHOUT_KEY = ['invalid_request', 'internal_error', 'rate_limited', 'not_ready'] as const;
const WITH_KEY = [...WITHOUT_KEY, 'missing_api_key', 'invalid_api_key'] as const;
const BODY_REFUSALS = ['body_too_large', 'unsupported_media_type'] as const;
const OF_CONSOLE = ['cross_site_request'] as const;
const WITH_BODY = [...BODY_REFUSALS, 'idempotency_in_progress', 'idempotency_conflict'] as const;

const SECURITY_OF = {
  store: [{ 'Id-Token': [] }, { Bearer: [] }, { 'Console-Session': [] }],
  operator: [{ 'Console-Session': [] }],
};

/** A body that a partner describes. Its bytes are signed, so the service reads them as they are sent. */
const SIGNED_BODY = {
  type: 'object',
  additionalProperties: true,
  description: 'As the sender describes it; its signature is over the bytes of the body.',
};

type Described = { schema: FastifySchema; url: string };

/**
 * Adds to an endpoint's own description what holds for every endpoint of its kind: the key, the `Idempotency-Key` of a
 * POST, `ETag` and 304, and the refusals that are not the endpoint's own.
 */
export function describeRoute({ route, ...given }: Described & { route: RouteOptions }): Described {
  const { url } = given;
  if (given.schema?.hide) return given;
  const schema = withExample(given.schema ?? {});
  const { public: isPublic, audience, conditional, readsHeaders, rawBody } = route.config ?? {};
  const own = { ...(schema.response as Record<string, object> | undefined) };
  const answers = conditional ? withETag(own) : own;
  const headers = {
    ...(takesIdempotencyKey(route) ? IDEMPOTENCY_KEY : {}),
    ...(conditional ? IF_NONE_MATCH : {}),
    ...readsHeaders,
  };
  return {
    url,
    schema: {
      ...schema,
      ...(rawBody ? { body: SIGNED_BODY } : {}),
      ...(isPublic ? { security: [] } : {}),
      ...(audience === undefined ? {} : { security: SECURITY_OF[audience] }),
      ...(Object.keys(headers).length > 0 ? { headers: { type: 'object', properties: headers } } : {}),
      response: mergeAnswers(answers, refusalAnswers(codesOf(route))),
    },
  };
}

function takesIdempotencyKey({ method, config }: RouteOptions): boolean {
  return method === 'POST' && !config?.public && config?.audience === undefined;
}

const takesBody = ({ method }: RouteOptions) => method !== 'GET' && method !== 'HEAD';

function codesOf(route: RouteOptions) {
  const { refuses = [], public: isPublic, sandboxOnly, audience } = route.config ?? {};
  return [
    ...refuses,
    ...(isPublic ? WITHOUT_KEY : WITH_KEY),
    ...(takesIdempotencyKey(route) ? WITH_BODY : []),
    ...(sandboxOnly ? (['sandbox_only'] as const) : []),
    ...(audience === undefined ? [] : OF_CONSOLE),
    ...((audience !== undefined || isPublic) && takesBody(route) ? BODY_REFUSALS : []),
  ];
}

function withETag(answers: Readonly<Record<string, object>>): Record<string, object> {
  const unchanged = emptyAnswer('The answer that `If-None-Match` names still holds.', ETAG);
  return { ...answers, 200: { ...answers[200], headers: ETAG }, 304: unchanged };
}

type Values = NonNullable<RequestExample['query']>;

/** Spreads the example of a request over the schemas of its parts: each parameter, and the body, has its part of the example. */
function withExample({ example, ...schema }: FastifySchema): FastifySchema {
  if (!example) return schema;
  const { path, query, body } = example;
  return {
    ...schema,
    ...(path ? { params: withValues(schema.params, path) } : {}),
    ...(query ? { querystring: withValues(schema.querystring, query) } : {}),
    ...(body ? { body: { ...(schema.body as object), examples: [body] } } : {}),
  };
}

/** Throws for a value whose parameter the schema does not have: a mistake in our example. */
function withValues(schema: unknown, values: Values): object {
  const described = schema as { properties: Record<string, object> };
  const properties = { ...described.properties };
  for (const [name, value] of Object.entries(values)) {
    const property = properties[name];
    if (!property) throw new Error(`An example has the parameter ${name}, which its schema does not have.`);
    properties[name] = { ...property, examples: [value] };
  }
  return { ...described, properties };
}

type ProblemCode = RefusalCode | 'internal_error';

/** The meaning of each refusal code for a client. */
const MEANING_OF_CODE: Readonly<Record<ProblemCode, string>> = {
  invalid_request: 'Something is missing or malformed; `errors` names every field that is wrong.',
  missing_api_key: 'The request has no `Id-Token` or `Authorization: Bearer` header.',
  invalid_api_key: 'The key is malformed, unknown or revoked.',
  invalid_access_code: 'The access code is wrong, used or expired.',
  payment_declined:
    'The card was declined, or the customer must approve the charge at `authentication_url` and the order be finalized afterwards; `decline_code` says which. Nothing was charged and nothing is placed.',
  sandbox_only: 'A live key was used; this endpoint is for sandbox keys.',
  live_only: 'A sandbox key or console, or the link of one order, may not change the store.',
  cross_site_request:
    'Another site than the page itself asked for a change: with a console session, by the form of a page, or in a message to `/mcp`.',
  tls_required: 'A card number came over plain HTTP from another machine with a live key; send it over https.',
  route_not_found: 'There is no such endpoint.',
  store_not_found: 'No store has this `store_id`.',
  product_not_found: 'No product has this `product_id`.',
  subcategory_not_found: 'The store has no category with this `subcategory_id`.',
  order_not_found: 'This account has no order with this `order_id`.',
  payment_method_not_found: 'There is no such payment method of this user.',
  webhook_not_found: 'No webhook with this `webhook_url` is attached.',
  webhook_call_not_found: 'This account has no webhook call with this `webhook_id`.',
  not_found: 'No account, key, session, merge, import or webhook call has this id.',
  method_not_allowed: 'The endpoint is asked with another method; `Allow` lists those it answers.',
  transition_not_allowed: 'The state of the order does not allow it.',
  quote_changed: 'The total has changed; `final_quote` is the new one. Finalize again to accept it.',
  idempotency_in_progress: 'The first request with this `Idempotency-Key` is still running; see `Retry-After`.',
  body_too_large: 'The body is larger than 1 MiB.',
  unsupported_media_type: 'The body is not `application/json` in UTF-8, or it is compressed.',
  range_not_satisfiable:
    'The request has no `Range`, or not a single range of bytes that the file has; `Content-Range` tells its size.',
  pickup_not_supported: 'The store does not offer pickup.',
  quote_unavailable: 'The store cannot take the order; `quote_error` is the type of the reason.',
  product_unavailable: 'Sold out, off sale, or outside its menu hours; `invalid_product_ids` lists the products.',
  invalid_options: 'Choices are missing or not possible; `invalid_option_ids` lists the options at fault.',
  mixed_stores: 'The items are of more than one store.',
  order_minimum_not_met: 'The subtotal is under the `order_minimum` of the store.',
  slot_unavailable: 'The window of `scheduled_id` is full, past or not offered.',
  payment_method_mismatch: 'The payment method belongs to another `user_id`.',
  webhook_endpoint_not_allowed: 'The endpoint is not public or not `https`.',
  id_check_required: 'The order has alcohol: the driver must confirm to have seen an ID.',
  idempotency_conflict: 'This `Idempotency-Key` was used with another request.',
  refund_not_allowed: 'The order cannot give this much, or this unit, back: `detail` says why.',
  tip_not_allowed: 'The tip cannot be this: a tip is never lowered, and a pickup has none.',
  card_numbers_not_accepted:
    'This service takes no card numbers with live keys: send a `payment_token`, or use `POST /payment/setup`.',
  payment_token_not_accepted: 'The gateway does not know this `payment_token`, or it was used before.',
  markup_not_allowed:
    'The marked prices are below the prices of the store together, and the operator has not allowed that to the account.',
  rate_limited:
    'Too many requests with this key, from this address without a key, or of this kind; too many large bodies, unread answers or streams at once; or a daily budget of the account is used up (`detail` names the budget). See `Retry-After`.',
  too_many_declines:
    'This user, this card or this key had too many declined cards within an hour: nothing was charged; see `Retry-After`.',
  internal_error:
    'Something went wrong on our side; `request_id` helps to find it. The same request may be sent again.',
  not_ready: 'The service is starting, or its database does not answer; nothing was done. See `Retry-After`.',
  upstream_unavailable: 'A party that the service depends on does not answer; send the same request again.',
  payment_gateway_not_configured: 'This service has no payment gateway for live keys.',
};

const TITLE_OF_STATUS: Readonly<Record<number, string>> = {
  400: 'The request is malformed.',
  401: 'There is no valid key.',
  402: 'The payment was declined.',
  403: 'The key may not do this.',
  404: 'There is no such thing.',
  405: 'The method is not answered here.',
  409: 'The state does not allow it.',
  413: 'The body is too large.',
  415: 'The body is of a type that is not read.',
  416: 'The range of bytes is not one that can be sent.',
  422: 'The request is understood, and cannot be done.',
  429: 'Too many requests.',
  500: 'The service failed.',
  503: 'The service cannot do it at the moment.',
};

const COME_AGAIN: readonly ProblemCode[] = [
  'rate_limited',
  'too_many_declines',
  'not_ready',
  'idempotency_in_progress',
];
const RETRY_AFTER = { type: 'integer', description: 'Seconds to wait before the request is sent again.' };
const CHALLENGE = { type: 'string', description: 'Names the header that carries the key.' };

/** The answers of an endpoint that are refusals, by status: the codes that each can have, with their meaning. */
function refusalAnswers(codes: readonly ProblemCode[]): Record<number, object> {
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of Object.keys(MEANING_OF_CODE) as ProblemCode[]) {
    if (!codes.includes(code)) continue;
    const status = code === 'internal_error' ? 500 : STATUS_OF_CODE[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries([...byStatus].map(([status, some]) => [status, answerOf(status, some)]));
}

function answerOf(status: number, codes: readonly ProblemCode[]): object {
  const meanings = codes.map((code) => `- \`${code}\`: ${MEANING_OF_CODE[code]}`);
  const headers = {
    ...(codes.some((code) => COME_AGAIN.includes(code)) ? { 'Retry-After': RETRY_AFTER } : {}),
    ...(status === 401 ? { 'WWW-Authenticate': CHALLENGE } : {}),
  };
  const schema = { allOf: [ProblemSchema, { properties: { code: { enum: codes } } }] };
  return {
    description: [TITLE_OF_STATUS[status], ...meanings].join('\n'),
    ...(Object.keys(headers).length > 0 ? { headers } : {}),
    content: { 'application/problem+json': { schema } },
  };
}

const ids = (description: string) => Type.Optional(Type.Array(Type.String(), { description }));

const FaultSchema = Type.Object(
  {
    in: Type.Enum(['query', 'body', 'header', 'path'], { description: 'The part of the request.' }),
    name: Type.String({ description: 'The field, such as `items[0].quantity`; `body` where it is all of it.' }),
    message: Type.String({ description: 'What is wrong with it, to be read.' }),
  },
  named('Fault', 'One thing that is wrong with a request.'),
);

/** The schema of every refusal (docs/errors.md#problem-documents). */
const ProblemSchema = Type.Object(
  {
    type: Type.String({ description: '`urn:doorstep:error:` and the code.' }),
    title: Type.String({ description: 'The code in words.' }),
    status: Type.Integer({ description: 'The HTTP status.' }),
    detail: Type.String({ description: 'What went wrong, to be read.' }),
    code: Type.String({ description: 'For programs, such as `invalid_request`.' }),
    error: Type.String({ description: 'The same as `detail`.' }),
    request_id: Type.String({ description: 'The same as the header `x-request-id`.' }),
    errors: Type.Optional(Type.Array(FaultSchema, { description: 'Everything that is wrong with the request.' })),
    decline_code: Type.Optional(
      Type.String({ description: 'With `payment_declined`: why, such as `insufficient_funds`.' }),
    ),
    authentication_url: Type.Optional(
      Type.String({
        description: 'With the `decline_code` `authentication_required`: where the customer approves the payment.',
      }),
    ),
    quote_error: Type.Optional(
      Type.Enum(Object.keys(QUOTE_ERROR_MESSAGES) as QuoteErrorType[], {
        description: 'With `quote_unavailable`: why the store cannot take the order.',
      }),
    ),
    invalid_product_ids: ids('The `product_id`s at fault; always there with `product_unavailable`.'),
    invalid_option_ids: ids(
      'The `option_id`s at fault; always there with `invalid_options`, and empty where choices are only missing.',
    ),
    final_quote: Type.Optional(reference('FinalQuote')),
    order_id: Type.Optional(
      Type.String({
        description:
          'With `quote_changed`: the order that has the new quote. With `authentication_required`: the order to finalize.',
      }),
    ),
  },
  named('Problem', 'The request was refused (RFC 9457 problem details).'),
);
