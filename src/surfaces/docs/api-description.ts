import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import { type Content, changeOperations, JSON_TYPE, type Operation } from 'doorstep/api-reference';
import type { FastifySchema, RouteOptions } from 'fastify';
import { Type } from 'typebox';
import { describeWebhooks } from '../../notify/webhooks/webhook-schema.ts';
import type { Config } from '../../platform/config/config.ts';
import {
  component,
  hoistComponents,
  reference,
  saysCents,
  saysEpochSeconds,
} from '../../platform/http/api-components.ts';
import { emptyAnswer, mergeAnswers } from '../../platform/http/content-answers.ts';
import type { RequestExample } from '../../platform/http/http.ts';
import {
  INTERNAL_ERROR,
  type RefusalCode,
  type RefusalRecord,
  type RefusalRecords,
} from '../../platform/http/refusal.ts';
import { QUOTE_ERROR_MESSAGES, type QuoteErrorType } from '../../supply/pricing/quote.ts';
import { RejectedCodes } from '../../supply/promotions/rejected-codes.ts';

import answers from './example-answers.json' with { type: 'json' };

/* The head of the OpenAPI document: the API's purpose, tags, keys, errors and webhooks. */

const DESCRIPTION = `Find stores near a place, read their inventory and a quote, take a payment method, place an order and follow it to the door.

**Keys.** Send your key in the \`Id-Token\` header, or as \`Authorization: Bearer\`. If both are sent, \`Id-Token\` is used. A sandbox key (\`ds_test_…\`) creates orders that reach no store and charge no card. A live key (\`ds_live_…\`) creates real orders.

**Money** is in whole cents. Percentages are decimal numbers: 8.875 means 8.875 %. Times are in epoch seconds.

**Requests.** Unknown parameters and fields are ignored. The \`Doorstep-Warning\` response header lists them, with the known name that you probably meant (\`max_miles\`). With \`Doorstep-Strict: true\` they return an error. An empty parameter and a \`null\` field count as absent. Booleans in a query are \`true\` or \`false\` in any letter case. A repeated parameter returns an error. A trailing slash is ignored. HEAD returns the response to GET without its body. The event stream does not support HEAD.

**Errors** are \`application/problem+json\` (RFC 9457): \`code\` is for programs, \`detail\` for people, and \`errors\` lists every invalid field. A path that is not described here returns 404 \`route_not_found\`, and so does every path at an account's custom domain except \`/\` and its tracking pages. A method that a path does not support returns 405 \`method_not_allowed\`, and \`Allow\` lists the supported methods. Any path returns 400 \`invalid_request\` for an unreadable request. Requests without a valid key are counted by address: above the limit, every path returns 429 \`rate_limited\`.

**Every response** contains \`x-request-id\`, and is compressed if \`Accept-Encoding\` allows it. If the service limits the key's requests, responses contain \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\` (in seconds).

**Examples** are requests that the demo accepts unchanged, and its responses with shortened lists. \`{order_id}\` in an example, and a path parameter without an example, stand for an ID from an earlier response: its field with that name, or that part of a URL in it.

**Webhooks.** Attach an endpoint, and the service sends it every event of your orders: see \`webhooks\`.`;

const TAGS = [
  { name: 'Stores', description: 'Find stores near a place.' },
  { name: 'Places', description: 'Find businesses in a place directory and add them as stores.' },
  { name: 'Products', description: 'Find products at stores near a place, by words or code.' },
  { name: 'Inventory', description: "Read a store's products, and get a quote for an order there." },
  {
    name: 'Payment methods',
    description: "Save your users' cards. Numbers are passed to the payment gateway and stored nowhere else.",
  },
  { name: 'Orders', description: 'Quote, place and follow orders.' },
  { name: 'Account', description: "List your keys' requests." },
  { name: 'Webhooks', description: "Receive your orders' events at your endpoint, signed with Standard Webhooks." },
  {
    name: 'Deliveries',
    description: 'Receive delivery reports from courier companies. They are signed, so no key is needed.',
  },
  { name: 'Checkout', description: 'The hosted page where a customer reviews, pays for and places an order.' },
  { name: 'Shop', description: "The shop's pages, where customers order." },
  {
    name: 'Sign-in',
    description:
      "The sign-in pages for customers at an account's custom domain, and the endpoints for apps that act on their behalf.",
  },
  { name: 'Tracking', description: 'The hosted page where a customer follows an order.' },
  {
    name: 'Store',
    description: "The Store API: manage a store's orders, products and hours with a store key or in its console.",
  },
  {
    name: 'Drivers',
    description: "The page for a store’s own driver. The delivery's link authorizes the requests, so no key is needed.",
  },
  { name: 'Console', description: 'The pages where a store works on its orders, in a browser.' },
  {
    name: 'Operator',
    description: "The operator dashboard for all accounts and stores, with an operator's console session.",
  },
  { name: 'Agents', description: 'The same service for AI agents, through MCP.' },
  { name: 'Sandbox', description: 'Simulate the store, the courier and the gateway with sandbox keys.' },
  { name: 'Operations', description: 'For operators and tools. No key is needed.' },
];

/** The tag of an endpoint by its path; the first match wins, and other paths are `Operations`. */
const TAG_OF_PATH: readonly (readonly [RegExp, string])[] = [
  [/^\/(search|details)\/store/, 'Stores'],
  [/^\/(places|utils)/, 'Places'],
  [/^\/search/, 'Products'],
  [/^\/details/, 'Inventory'],
  [/^\/(sandbox|payment\/(authenticate\/|setup\/:setup_id$))/, 'Sandbox'],
  [/^\/payment/, 'Payment methods'],
  [/^\/(order|account\/(orders|events|forget_user))\b/, 'Orders'],
  [/^\/account\/tracking/, 'Webhooks'],
  [/^\/(oauth|connections|profile|account\/customers|\.well-known\/oauth)/, 'Sign-in'],
  [/^\/account/, 'Account'],
  [/^\/couriers/, 'Deliveries'],
  [/^\/(checkout|\.well-known\/apple)/, 'Checkout'],
  [/^\/(tracking|t\/)/, 'Tracking'],
  [/^\/(store|photos|console\/sign-(in|out))\b/, 'Store'],
  [/^\/(shops?|s|orders|sitemap\.xml)\b/, 'Shop'],
  [/^\/driver/, 'Drivers'],
  [/^\/(console\/)?operator/, 'Operator'],
  [/^\/console/, 'Console'],
  [/^\/(mcp|llms\.txt)/, 'Agents'],
];

/** Returns the options of the OpenAPI document: its head. The paths are generated from route schemas. */
export function openApiOptions(
  { baseUrl }: Pick<Config, 'baseUrl'>,
  version: string,
  refusals: RefusalRecords,
): FastifyDynamicSwaggerOptions {
  const problems: Problems = { ...refusals, internal_error: INTERNAL_ERROR };
  return {
    // Paths are relative to the server's URL, which may have a path of its own.
    stripBasePath: false,
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Doorstep API',
        version,
        summary: 'Order from stores to the door.',
        description: DESCRIPTION,
        contact: { name: 'The operator of this service' },
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: baseUrl }],
      tags: TAGS,
      components: {
        securitySchemes: {
          'Id-Token': {
            type: 'apiKey',
            name: 'Id-Token',
            in: 'header',
            description:
              'An API key: `doorstep keys create` creates one for an account, `doorstep stores key` one for a store, and `doorstep operators key` one for an operator.',
          },
          Bearer: {
            type: 'http',
            scheme: 'bearer',
            description: 'The same API key as `Authorization: Bearer`. If both are sent, `Id-Token` is used.',
          },
          'Console-Session': {
            type: 'apiKey',
            name: 'doorstep_console',
            in: 'cookie',
            description: 'A console session. Over https, the cookie is named `__Host-doorstep_console`.',
          },
        },
      },
      security: [{ 'Id-Token': [] }, { Bearer: [] }],
      webhooks: describeWebhooks(),
    },
    transform: ({ schema, url, route }) => describeRoute({ schema, url, route }, problems),
    transformObject: (described) =>
      'openapiObject' in described
        ? addAnswerExamples(hoistComponents(withFormats(markOptionalBodies(described.openapiObject))), answers)
        : {},
  };
}

/**
 * Marks optional request bodies in an OpenAPI document. A missing body is read as `{}`, which is valid if the schema
 * requires no member.
 */
function markOptionalBodies<Document extends { paths?: object }>(document: Document): Document {
  return { ...document, paths: changeOperations(document.paths ?? {}, withBody) };
}

function withBody(operation: Operation): Operation {
  const { requestBody } = operation;
  const members = requestBody?.content?.[JSON_TYPE]?.schema?.properties;
  if (!requestBody || !members || Object.keys(members).length > 0) return operation;
  return { ...operation, requestBody: { ...requestBody, required: false } };
}

const MAX_INT32 = 2 ** 31 - 1;
/** Phones, moments and amounts, by the names of members, and the share of each owner of an amount. */
const LONG_NAME =
  /(^|[_-])(phone|phone_number|at|by|eta|since|timestamp|until|for|amount|base|cents|collected|collected_elsewhere|commission|fees?|payout|price|revenue|sales|subtotal|tax|taxes|tips?|tips_to_pass_on|total|account|added|driver|operator|store)$/;
/** Numbers that may exceed 32 bits, unless their maximum is lower. */
const GROWING_NAME = /(^|_)(after|before|bytes|card_number|copy|limit|next|no|page|size|used)$/;
/** Values in a schema, which may have a member called `type`. */
const IS_VALUE = /^(const|default|enum|examples?)$/;

/** Gives each integer of an OpenAPI document its `format`. `name` is the member or parameter that `value` describes. */
function withFormats<Value>(value: Value, name = ''): Value {
  if (Array.isArray(value)) return value.map((one) => withFormats(one, name)) as Value;
  if (typeof value !== 'object' || value === null) return value;
  const schema: Record<string, unknown> = Object.fromEntries(Object.entries(value));
  for (const [key, member] of Object.entries(value)) {
    if (IS_VALUE.test(key)) continue;
    const isMembers = typeof member === 'object' && /^(properties|headers|schemas)$/.test(key);
    if (isMembers)
      schema[key] = Object.fromEntries(Object.entries(member).map(([of, one]) => [of, withFormats(one, of)]));
    else schema[key] = withFormats(member, key === 'schema' && typeof schema.name === 'string' ? schema.name : name);
  }
  if ([schema.type].flat().includes('integer')) schema.format = isLong(schema, name) ? 'int64' : 'int32';
  return schema as Value;
}

function isLong({ maximum, description }: Record<string, unknown>, name: string): boolean {
  if (typeof maximum === 'number' && maximum > MAX_INT32) return true;
  if (LONG_NAME.test(name) || saysCents(description) || saysEpochSeconds(description)) return true;
  return maximum === undefined && GROWING_NAME.test(name);
}

/**
 * Adds recorded answers as examples of each operation's 200 answer and each webhook's body. `answers` are by
 * `operationId`.
 */
function addAnswerExamples<Document extends { paths?: object; webhooks?: object }>(
  document: Document,
  answers: Readonly<Record<string, unknown>>,
): Document {
  /** Returns the content with its recorded answer as example; undefined if there is none. */
  const recorded = ({ operationId = '' }: Operation, content: Content = {}): Content | undefined => {
    if (!Object.hasOwn(answers, operationId)) return undefined;
    return { ...content, [JSON_TYPE]: { ...content[JSON_TYPE], example: answers[operationId] } };
  };
  const ofAnswer = (operation: Operation): Operation => {
    const answer = operation.responses?.[200];
    const content = answer && recorded(operation, answer.content);
    return content ? { ...operation, responses: { ...operation.responses, 200: { ...answer, content } } } : operation;
  };
  const ofCall = (operation: Operation): Operation => {
    const { requestBody } = operation;
    const content = requestBody && recorded(operation, requestBody.content);
    return content ? { ...operation, requestBody: { ...requestBody, content } } : operation;
  };
  return {
    ...document,
    ...(document.paths ? { paths: changeOperations(document.paths, ofAnswer) } : {}),
    ...(document.webhooks ? { webhooks: changeOperations(document.webhooks, ofCall) } : {}),
  };
}

const IDEMPOTENCY_KEY = {
  'Idempotency-Key': {
    type: 'string',
    maxLength: 255,
    description:
      'A unique value for this request. Repeating the request with the same key runs it only once: for 24 hours, the first response is returned with the header `idempotent-replayed: true`.',
    examples: ['7f9c2ba4-e88f-4b1c-9b1d-6f1f3f0a3c1e'],
  },
};
const STRICT = {
  'Doorstep-Strict': {
    type: 'string',
    enum: ['true', 'false'],
    description:
      "`true` rejects unknown parameters and fields, which are otherwise ignored, and postal codes and regions far from the delivery address's coordinate. Without it, `Doorstep-Warning` lists them.",
  },
};
const IF_NONE_MATCH = {
  'If-None-Match': {
    type: 'string',
    description: "The `ETag` of a stored response. Returns 304 while it's current.",
  },
};
const ETAG = { ETag: { type: 'string', description: 'Identifies this version of the response.' } };

const WITHOUT_KEY = ['invalid_request', 'internal_error', 'rate_limited', 'not_ready'] as const;
const WITH_KEY = [...WITHOUT_KEY, 'missing_api_key', 'invalid_api_key'] as const;
const BODY_REFUSALS = ['body_too_large', 'unsupported_media_type'] as const;
const OF_CONSOLE = ['cross_site_request'] as const;
const WITH_BODY = [...BODY_REFUSALS, 'idempotency_in_progress', 'answer_forgotten', 'idempotency_conflict'] as const;

const SECURITY_OF = {
  store: [{ 'Id-Token': [] }, { Bearer: [] }, { 'Console-Session': [] }],
  operator: [{ 'Id-Token': [] }, { 'Console-Session': [] }],
};

/** The schema of a body that a partner describes. It is signed, so the service reads the raw bytes. */
const SIGNED_BODY = {
  type: 'object',
  additionalProperties: true,
  description: 'As the sender documents it. Its signature covers the bytes of the body.',
};

type RouteDescription = { schema: FastifySchema; url: string };

/**
 * Adds the parts shared by all endpoints of its kind to an endpoint's description: the tag, the key, a POST's
 * `Idempotency-Key`, `Doorstep-Strict`, `ETag` and 304, and common errors.
 */
function describeRoute({ route, ...given }: RouteDescription & { route: RouteOptions }, problems: Problems) {
  const { url } = given;
  if (given.schema?.hide) return given;
  const schema = withExample(given.schema ?? {});
  const {
    public: isPublic,
    audience,
    role,
    ownerOnly,
    scope,
    publishable,
    conditional,
    readsHeaders,
    rawBody,
  } = route.config ?? {};
  const own = { ...(schema.response as Record<string, object> | undefined) };
  const answers = conditional ? withETag(own) : own;
  const headers = {
    ...(takesIdempotencyKey(route) ? IDEMPOTENCY_KEY : {}),
    ...(scope === undefined ? {} : STRICT),
    ...(conditional ? IF_NONE_MATCH : {}),
    ...readsHeaders,
  };
  return {
    url,
    schema: {
      tags: [TAG_OF_PATH.find(([paths]) => paths.test(url))?.[1] ?? 'Operations'],
      ...schema,
      ...(rawBody ? { body: SIGNED_BODY } : {}),
      ...(isPublic ? { security: [] } : {}),
      ...(audience === undefined
        ? {}
        : { security: ownerOnly === 'session' ? [{ 'Console-Session': [] }] : SECURITY_OF[audience] }),
      ...(role === undefined ? {} : { description: `${schema.description} Role: \`${role}\`.` }),
      ...(scope === undefined || scope === 'any'
        ? {}
        : { description: `${schema.description} Scope: \`${scope}\`${publishable ? ', or a publishable key' : ''}.` }),
      ...(Object.keys(headers).length > 0 ? { headers: { type: 'object', properties: headers } } : {}),
      response: mergeAnswers(
        answers,
        refusalAnswers(problems, codesOf(route), route.config?.refusalPage !== undefined),
      ),
    },
  };
}

function takesIdempotencyKey({ method, config }: RouteOptions): boolean {
  const { public: isPublic, audience, replayHours } = config ?? {};
  return method === 'POST' && !isPublic && (audience === undefined || replayHours !== undefined);
}

const takesBody = ({ method }: RouteOptions) => method !== 'GET' && method !== 'HEAD';

function codesOf(route: RouteOptions) {
  const {
    refuses = [],
    public: isPublic,
    sandboxOnly,
    audience,
    role,
    ownerOnly,
    scope,
    publishable,
  } = route.config ?? {};
  return [
    ...refuses,
    ...(isPublic ? WITHOUT_KEY : WITH_KEY),
    ...(takesIdempotencyKey(route) ? WITH_BODY : []),
    ...(sandboxOnly ? (['sandbox_only'] as const) : []),
    ...(audience === undefined ? [] : OF_CONSOLE),
    ...(scope === undefined || scope === 'any' ? [] : (['scope_not_allowed'] as const)),
    ...(isPublic || audience !== undefined ? [] : (['key_is_publishable'] as const)),
    ...(publishable ? (['origin_not_allowed'] as const) : []),
    ...((role === undefined || role === 'viewer') && !ownerOnly ? [] : (['role_not_allowed'] as const)),
    ...(takesBody(route) && !takesIdempotencyKey(route) ? BODY_REFUSALS : []),
  ];
}

function withETag(answers: Readonly<Record<string, object>>): Record<string, object> {
  const unchanged = emptyAnswer('The response named by `If-None-Match` is current.', ETAG);
  return { ...answers, 200: { ...answers[200], headers: ETAG }, 304: unchanged };
}

type Values = NonNullable<RequestExample['query']>;

/** Distributes a request's example over the schemas of its parameters and body. */
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

/** Throws for an example value without a parameter, which is a mistake in our example. */
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

type Problems = Readonly<Record<ProblemCode, RefusalRecord>>;

const TITLE_OF_STATUS: Readonly<Record<number, string>> = {
  400: 'The request is malformed.',
  401: 'The key is missing or invalid.',
  402: 'The payment was declined.',
  403: 'The key lacks permission.',
  404: 'The object was not found.',
  405: 'The path does not support this method.',
  409: 'The current state does not allow it.',
  413: 'The body is too large.',
  415: "The body's content type is not supported.",
  416: 'The requested range of bytes is not available.',
  422: "The request is valid but can't be completed.",
  429: 'Too many requests.',
  500: 'The service failed.',
  503: 'The service is temporarily unavailable.',
};

const RETRY_AFTER = { type: 'integer', description: 'The seconds to wait before retrying.' };
const CHALLENGE = { type: 'string', description: 'The header that carries the key.' };

/** Returns an endpoint's errors by status, with each code's meaning; `hasPage`: browsers get a page. */
function refusalAnswers(problems: Problems, given: readonly ProblemCode[], hasPage: boolean): Record<number, object> {
  const codes = (Object.keys(problems) as ProblemCode[]).filter((code) => given.includes(code));
  const byStatus = Map.groupBy(codes, (code) => problems[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, some]) => [status, describeAnswer(problems, status, some, hasPage)]),
  );
}

function describeAnswer(problems: Problems, status: number, codes: readonly ProblemCode[], hasPage: boolean): object {
  const meanings = codes.map((code) => `- \`${code}\`: ${problems[code].meaning}`);
  const headers = {
    ...(codes.some((code) => problems[code].retry) ? { 'Retry-After': RETRY_AFTER } : {}),
    ...(status === 401 ? { 'WWW-Authenticate': CHALLENGE } : {}),
  };
  const schema = { allOf: [ProblemSchema, { properties: { code: { enum: codes } } }] };
  return {
    description: [TITLE_OF_STATUS[status], ...meanings].join('\n'),
    ...(Object.keys(headers).length > 0 ? { headers } : {}),
    content: {
      ...(hasPage ? { 'text/html': { schema: { type: 'string' } } } : {}),
      'application/problem+json': { schema },
    },
  };
}

const ids = (description: string) => Type.Optional(Type.Array(Type.String(), { description }));

const FaultSchema = component('Fault', 'A validation error.', {
  in: Type.Enum(['query', 'body', 'header', 'path'], { description: 'The part of the request.' }),
  name: Type.String({ description: 'The field, such as `items[0].quantity`, or `body` for the whole body.' }),
  message: Type.String({ description: 'An explanation for people.' }),
});

/** The schema of every error (docs/errors.md#problem-documents). */
const ProblemSchema = component(
  'Problem',
  'An error (RFC 9457 problem details). `final_quote` is present only with `quote_changed`, and `rejected_codes` only with `promotion_not_applied`.',
  {
    type: Type.String({ description: '`urn:doorstep:error:` followed by the code.' }),
    title: Type.String({ description: 'The code in words.' }),
    status: Type.Integer({ description: 'The HTTP status.' }),
    detail: Type.String({ description: 'An explanation for people.' }),
    code: Type.String({ description: 'A code for programs, such as `invalid_request`.' }),
    error: Type.String({ description: 'The same as `detail`.' }),
    request_id: Type.String({ description: 'The same as the header `x-request-id`.' }),
    errors: Type.Optional(
      Type.Array(FaultSchema, { description: 'All validation errors. Absent if no field is invalid.' }),
    ),
    decline_code: Type.Optional(
      Type.String({ description: 'With `payment_declined`: the reason, such as `insufficient_funds`.' }),
    ),
    authentication_url: Type.Optional(
      Type.String({
        description:
          'With the `decline_code` `authentication_required`: the page where the customer approves the payment.',
      }),
    ),
    quote_error: Type.Optional(
      Type.Enum(Object.keys(QUOTE_ERROR_MESSAGES) as QuoteErrorType[], {
        description: "With `quote_unavailable`: why the store can't take the order.",
      }),
    ),
    invalid_product_ids: ids('The affected `product_id`s. Always present with `product_unavailable`.'),
    max_weight: Type.Optional(
      Type.Number({
        description: "The maximum chargeable weight, in the item's unit. Present only with `weight_above_limit`.",
      }),
    ),
    invalid_option_ids: ids(
      'The affected `option_id`s. Always present with `invalid_options`, and empty if options are only missing.',
    ),
    rejected_codes: Type.Optional(RejectedCodes),
    final_quote: Type.Optional(reference('FinalQuote')),
    order_id: Type.Optional(
      Type.String({
        description:
          'With `quote_changed`: the order with the new quote. With `authentication_required`: the order to finalize.',
      }),
    ),
  },
);
