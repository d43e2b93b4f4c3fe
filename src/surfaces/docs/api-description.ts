import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import { describeWebhooks } from '../../notify/webhooks/webhook-schema.ts';
import type { Config } from '../../platform/config/config.ts';
import { hoistComponents } from '../../platform/http/api-components.ts';
import { type Content, changeOperations, JSON_TYPE, type Operation } from './api-document.ts';
import { describeRoute } from './describe-route.ts';
import answers from './example-answers.json' with { type: 'json' };

const DESCRIPTION = `Find stores near a place, read their inventory and a quote, take a payment method, place an order and follow it to the door.

**Keys.** Send your key in the \`Id-Token\` header, or as \`Authorization: Bearer\`; a request with both has the key of \`Id-Token\`. A sandbox key (\`ds_test_…\`) makes orders that reach no store and no card; a live key (\`ds_live_…\`) makes real ones.

**Money** is whole cents. Percents are decimal numbers: 8.875 is 8.875 %. Moments are epoch seconds.

**Requests.** Unknown parameters and members are ignored; where an unknown parameter resembles a known one (\`max_miles\`), the answer's \`Doorstep-Warning\` header names both. An empty parameter and a \`null\` member count as absent. Booleans of a query are \`true\` or \`false\` in any letter case. A parameter that is given twice is refused. A slash at the end of a path changes nothing. HEAD has the answer of GET without its body; the event stream takes no HEAD.

**Refusals** are \`application/problem+json\` (RFC 9457): \`code\` is for programs, \`detail\` for people, \`errors\` names every field that is wrong. A path that is not described here is 404 \`route_not_found\`, and so is every path of an account's tracking host except \`/\` and its tracking pages; a method that a path does not take is 405 \`method_not_allowed\`, and \`Allow\` lists the methods that it takes. Any path answers 400 \`invalid_request\` to a request that cannot be read. Requests without a valid key are counted by address: beyond the limit every path answers 429 \`rate_limited\`.

**Every answer** carries \`x-request-id\`, and is compressed when \`Accept-Encoding\` asks for it. Where the service limits the requests of a key, answers carry \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\` (seconds).

**Examples** are requests that the demo answers well as they stand, and its answers, with lists cut short. \`{order_id}\` in an example, and a parameter of a path without one, stands for an id that an earlier answer gave: its member of that name, or that part of an address in it.

**Webhooks.** Name an endpoint, and the service calls it with every event of your orders: see \`webhooks\`.`;

const TAGS = [
  { name: 'Stores', description: 'Stores near a place.' },
  { name: 'Places', description: 'A directory of places, for stores that are not in the service yet.' },
  { name: 'Products', description: 'Products of the stores near a place, by words or code.' },
  { name: 'Inventory', description: 'What a store sells, and what an order there would cost.' },
  {
    name: 'Payment methods',
    description: 'Cards of your users. Numbers go to the payment gateway, and are kept nowhere else.',
  },
  { name: 'Orders', description: 'Quote, place and follow orders.' },
  { name: 'Account', description: 'What the keys of an account ask.' },
  { name: 'Webhooks', description: 'Calls to your endpoint as orders move, signed by Standard Webhooks.' },
  {
    name: 'Deliveries',
    description: 'What companies of couriers report of their deliveries. No key is needed: reports are signed.',
  },
  { name: 'Checkout', description: 'The hosted page on which a customer reviews, pays and places an order.' },
  { name: 'Tracking', description: 'The hosted page that a customer follows an order on.' },
  {
    name: 'Store',
    description:
      'The Store API: what a store does with its orders, and what it sells and when, by a store key or in its console.',
  },
  {
    name: 'Drivers',
    description: 'The page of a store’s own driver. The link of a delivery is the permission: no key is needed.',
  },
  { name: 'Console', description: 'The pages on which a store works on its orders, in a browser.' },
  {
    name: 'Operator',
    description: "The operator's view of all accounts and stores, by an operator's console session.",
  },
  { name: 'Agents', description: 'The same service for programs that a language model steers, by MCP.' },
  { name: 'Sandbox', description: 'Play the store, the courier and the gateway; for sandbox keys.' },
  { name: 'Operations', description: 'For operators and tools. No key is needed.' },
];

/** Options of the OpenAPI document: its head. The paths are generated from route schemas. */
export function openApiOptions({ baseUrl }: Pick<Config, 'baseUrl'>, version: string): FastifyDynamicSwaggerOptions {
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
            description: 'An API key: `doorstep keys create` makes one, `doorstep stores key` one of a store.',
          },
          Bearer: {
            type: 'http',
            scheme: 'bearer',
            description: 'The same API key as `Authorization: Bearer`. A request with both has the key of `Id-Token`.',
          },
          'Console-Session': {
            type: 'apiKey',
            name: 'doorstep_console',
            in: 'cookie',
            description: 'A console session; over https the cookie is named `__Host-doorstep_console`.',
          },
        },
      },
      security: [{ 'Id-Token': [] }, { Bearer: [] }],
      webhooks: describeWebhooks(),
    },
    transform: ({ schema, url, route }) => describeRoute({ schema, url, route }),
    transformObject: (described) =>
      'openapiObject' in described
        ? addAnswerExamples(hoistComponents(markOptionalBodies(described.openapiObject)), answers)
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

/**
 * Adds recorded answers as examples of each operation's 200 answer and each webhook's body. `answers` are by
 * `operationId`.
 */
function addAnswerExamples<Document extends { paths?: object; webhooks?: object }>(
  document: Document,
  answers: Readonly<Record<string, unknown>>,
): Document {
  /** The content with its recorded answer as example; undefined if there is none. */
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
