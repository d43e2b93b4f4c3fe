import { type TObject, type TProperties, Type } from 'typebox';
import { ORDER_EVENT_TYPES, ORDER_EVENTS, type OrderEventType } from '../../ordering/order/order-events.ts';
import { component, named, reference } from '../../platform/http/api-components.ts';
import { EVENT_MEMBERS, TEST_TYPE } from './webhook.ts';

const SIGNATURE_HEADERS = [
  header('webhook-id', Type.String(), "The delivery's ID, the same for every attempt. Use it to detect repetitions."),
  header('webhook-timestamp', Type.Integer(), 'When this attempt was made, in epoch seconds.'),
  header(
    'webhook-signature',
    Type.String({ examples: ['v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4='] }),
    '`v1,` and the base64 HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` under the signing secret (Standard Webhooks).',
  ),
];

const ANSWERS = {
  '2XX': { description: 'The event was delivered. Send this response within 10 seconds.' },
  default: { description: 'The attempt failed, and the delivery is retried later.' },
};

/** An event of an order in webhook bodies and in `GET /account/orders/{order_id}/events`. */
export const OrderEventSchema = Type.Union(
  ORDER_EVENT_TYPES.map((type) => reference(componentOf(type))),
  named('OrderEvent', 'An order event. See `type`.'),
);

/** Describes webhook calls to an account's endpoint, one entry per event type: `webhooks` of OpenAPI 3.1. */
export function describeWebhooks() {
  const ofOrders = ORDER_EVENT_TYPES.map((type) => callOf(type, ORDER_EVENTS[type].meaning, dataOf(type)));
  const test = callOf(TEST_TYPE, 'A test event requested by the account. It belongs to no order.', Type.Object({}));
  return Object.fromEntries([...ofOrders, test]);
}

function dataOf(type: OrderEventType): TObject<TProperties> {
  return Type.Object({
    sequence: Type.Integer({
      description:
        "The event's number within its order, starting at 1. `order` is the state right after it. Deliveries may arrive in a different order.",
    }),
    ...EVENT_MEMBERS[type],
    order: reference('Order'),
  });
}

function callOf(type: string, meaning: string, data: TObject<TProperties>) {
  const schema = component(componentOf(type), meaning, {
    type: Type.Literal(type),
    timestamp: Type.String({ format: 'date-time', description: 'When the event happened, in UTC.' }),
    data,
  });
  const post = {
    operationId: `receive${pascalCase(type)}`,
    tags: ['Webhooks'],
    summary: meaning,
    security: [],
    parameters: SIGNATURE_HEADERS,
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: ANSWERS,
  };
  return [type, { post }] as const;
}

function pascalCase(type: string): string {
  return type.replace(/(?:^|[._])(\w)/g, (_all, letter: string) => letter.toUpperCase());
}

function componentOf(type: string): string {
  return `${pascalCase(type)}Event`;
}

function header(name: string, schema: object, description: string) {
  return { name, in: 'header' as const, required: true, description, schema };
}
