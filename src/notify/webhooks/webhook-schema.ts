import { type TObject, type TProperties, Type } from 'typebox';
import { ORDER_EVENT_TYPES, type OrderEventType } from '../../ordering/orders/order.ts';
import { named, reference } from '../../platform/http/api-components.ts';
import { TEST_TYPE } from './webhook.ts';

const MEANING_OF_EVENT: Readonly<Record<OrderEventType, string>> = {
  'order.placed': 'The order is placed. Its store has yet to confirm it.',
  'order.confirmed': 'The store has confirmed the order.',
  'order.item_changed': 'The store hands over less of an item, or a substitute. What it costs less is given back.',
  'order.ready': 'The store has the order ready, for the customer or the driver.',
  'order.driver_assigned': 'The delivery has a driver.',
  'order.picked_up': 'The driver has picked the order up at the store.',
  'order.driver_nearby': 'The driver is within 500 meters of the door.',
  'order.completed': 'The order is delivered, or the customer has picked it up.',
  'order.canceled': 'The order is canceled. A refund is an event of its own.',
  'order.refunded': 'The card has money back.',
  'order.tipped': 'The tip of the delivery was raised, and charged.',
};

const SIGNATURE_HEADERS = [
  header('webhook-id', Type.String(), 'The id of the call, the same at every attempt: tell repetitions by it.'),
  header('webhook-timestamp', Type.Integer(), 'When this attempt was made, in epoch seconds.'),
  header(
    'webhook-signature',
    Type.String({ examples: ['v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4='] }),
    '`v1,` and the base64 HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` under the signing secret (Standard Webhooks).',
  ),
];

const ANSWERS = {
  '2XX': { description: 'The call is delivered. It must be answered so within 10 seconds.' },
  default: { description: 'The attempt has failed, and the call is made again later.' },
};

/** A step of an order, as the bodies of webhook calls and `GET /account/orders/{order_id}/events` have it. */
export const OrderEventSchema = Type.Union(
  ORDER_EVENT_TYPES.map((type) => reference(componentOf(type))),
  named('OrderEvent', 'A step of an order; `type` tells which.'),
);

/** What the service calls an account's endpoint with, one entry for each type of event: `webhooks` of OpenAPI 3.1. */
export function describeWebhooks() {
  const data = Type.Object({
    sequence: Type.Integer({
      description:
        "Counts the order's events from 1; `order` is the order right after this one. Calls may arrive in another sequence.",
    }),
    order: reference('Order'),
  });
  const ofOrders = ORDER_EVENT_TYPES.map((type) => callOf(type, MEANING_OF_EVENT[type], data));
  const test = callOf(TEST_TYPE, 'The account has asked for a test call. It belongs to no order.', Type.Object({}));
  return Object.fromEntries([...ofOrders, test]);
}

function callOf(type: string, meaning: string, data: TObject<TProperties>) {
  const schema = Type.Object(
    {
      type: Type.Literal(type),
      timestamp: Type.String({ format: 'date-time', description: 'When it happened, in UTC.' }),
      data,
    },
    named(componentOf(type), meaning),
  );
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
