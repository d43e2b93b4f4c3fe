import { type Static, type TObject, Type } from 'typebox';
import { operation } from '../../access/operations/operation.ts';
import { assignDriver } from '../../fulfillment/deliveries/driver-delivery.flow.ts';
import { StoreOrderSchema } from '../../fulfillment/store-channels/present-store-order.ts';
import { queueCopy } from '../../fulfillment/store-channels/queue-notices.flow.ts';
import { acknowledgeOrder } from '../../fulfillment/store-channels/received-orders.db.ts';
import type { Messaging } from '../../notify/outbox/messaging.ts';
import { adjustOrderItem } from '../../ordering/money/adjust-item.flow.ts';
import type { ItemChange } from '../../ordering/money/adjust-item.ts';
import { findRefundsByOrder } from '../../ordering/money/refunds.db.ts';
import { trySandboxSettling } from '../../ordering/money/settle-order.flow.ts';
import type { Order } from '../../ordering/order/order.ts';
import type { OrderDeps } from '../../ordering/order/order-deps.ts';
import { findAnyOrder } from '../../ordering/order/orders.db.ts';
import { MAX_ITEMS, MAX_QUANTITY, phoneSchema } from '../../ordering/place/order-body.ts';
import type { Db } from '../../platform/db/connect.ts';
import { describedObject, flag, optionalWhole } from '../../platform/http/api-components.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { invalidField } from '../../platform/http/request-schema.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { readPhone } from '../../platform/lib/phone.ts';
import { readMilli, weightField } from '../../supply/pricing/weight.ts';
import { type LinkDeps, presentForStore, requireSeen } from './present-for-store.ts';
import {
  CANCEL_STEP,
  COMPLETE_STEP,
  CONFIRM_STEP,
  channelOf,
  DelayBody,
  delayStoreOrder,
  PICK_UP_STEP,
  READY_STEP,
  type StepRequest,
  sourceOf,
  takeStoreStep,
} from './take-store-step.flow.ts';

/** Store API endpoints that step, acknowledge, adjust and print an order, and assign its driver. */

const PATH = { order_id: Type.String({ maxLength: 64, description: 'An order of the store.' }) };

const X_SOURCE = {
  'X-Source': {
    type: 'string',
    enum: ['pos'],
    description: 'With a store key, the point of sale receives no webhook for its own change.',
  },
};

/** Maximum labels for the parts of one item. */
const MAX_LABELS = 20;

/** A change of an order, after which the response shows it. */
const CHANGE = {
  params: Type.Object(PATH),
  answer: StoreOrderSchema,
  refuses: ['order_not_found', 'transition_not_allowed'],
  on: { store: { config: { readsHeaders: X_SOURCE } } },
} as const;

type OrderStepDeps = Pick<OrderDeps, 'db' | 'clock' | 'inventory' | 'config' | 'tokens' | 'trackingSites' | 'gateways'>;

const presentStep = async (deps: LinkDeps & { db: Db }, order: Order) =>
  presentForStore(deps, order, await findRefundsByOrder(deps.db, [order]));

type StepWords = { name: string; summary: string; description: string };

/** A step that a repeated request takes once. */
const step = <Body extends TObject>(
  { event, body, example, detailsOf, checksOf, refuses = [] }: StepRequest<Body>,
  { description, ...words }: StepWords,
) =>
  operation({
    ...CHANGE,
    ...words,
    endpoint: `POST /orders/:order_id/${event}`,
    description: `${description} Repeating a completed step returns 200 and changes nothing.`,
    ...(example && { example }),
    body,
    refuses: [...CHANGE.refuses, ...refuses],
  }).run(async (deps: OrderStepDeps, { by, params, body: given }) => {
    const step = { event, detailsOf: detailsOf?.(given), checks: checksOf?.(given) };
    const order = await takeStoreStep(deps, by.merchant, params.order_id, step);
    return presentStep(deps, await trySandboxSettling(deps, order));
  });

const Label = Type.String({ minLength: 1, maxLength: 20, description: 'A price-embedded barcode, digits only.' });

/** The part of an item that is handed off; shared with operators. */
export const ADJUST_FIELDS = {
  quantity: optionalWhole(
    0,
    MAX_QUANTITY,
    'The number of units provided, up to the ordered number. 0 means none. For items sold by weight, 0, or 1 for a substitute sold by the piece.',
  ),
  weight: Type.Optional(
    weightField('For items sold by weight, instead of `quantity`: the measured weight in their unit. 0 means none.'),
  ),
  label: Type.Optional(Label),
  labels: Type.Optional(
    Type.Array(Label, { minItems: 1, maxItems: MAX_LABELS, description: "The labels of an item's parts." }),
  ),
  pieces: optionalWhole(1, MAX_QUANTITY, 'The number of weighed pieces.'),
  at_limit: flag('Provides a weight above the maximum, and charges only the maximum.'),
  accept: flag('Accepts a weight below half of the ordered weight, which otherwise returns 422 `weight_below_half`.'),
  substitute_product_id: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 256,
      description:
        'The substitute: its `product_id`, or its ID in the feed. Without it, `quantity` refers to the ordered product.',
    }),
  ),
};

type AdjustBody = Static<ReturnType<typeof adjustBody>>;
const adjustBody = () => Type.Object(ADJUST_FIELDS);

/** The change of an item by exactly one of quantity, weight, label and labels; throws `invalid_request`. */
export function itemChangeOf(index: number, body: AdjustBody): ItemChange {
  const { quantity, label, pieces, at_limit: isAtLimit = false, accept: isAccepted = false } = body;
  const { substitute_product_id: substitute = null } = body;
  const milli = readMilli(body.weight);
  const labels = label === undefined ? body.labels : [label];
  const given = [quantity, body.weight, label, body.labels].filter((one) => one !== undefined).length;
  if (given !== 1) {
    const message = given === 0 ? 'is required, or weight or label' : 'cannot be sent with another of them';
    throw invalidField('body', 'quantity', message);
  }
  const isNone = quantity === 0 || milli === 0;
  if ((quantity !== undefined || isNone) && (pieces !== undefined || isAtLimit)) {
    const name = pieces === undefined ? 'at_limit' : 'pieces';
    throw invalidField('body', name, 'is sent with a weight above 0 or a label alone');
  }
  if (isNone && substitute !== null)
    throw invalidField('body', 'substitute_product_id', 'cannot be sent with none of it');
  if (quantity !== undefined || isNone) return { index, quantity: quantity ?? 0, substitute };
  const how = labels ? { labels, isOne: label !== undefined } : { milli: milli ?? 0 };
  return { index, quantity: 1, substitute, weighing: { ...how, pieces, isAtLimit, isAccepted } };
}

type AssignDriverDeps = Pick<OrderDeps, 'db' | 'clock' | 'config' | 'jobs' | 'tokens' | 'trackingSites'> & {
  messaging: Messaging;
};

/** A store's steps for an order. */
export const ORDER_STEP_OPERATIONS = [
  operation({
    name: 'acknowledgeStoreOrder',
    endpoint: 'POST /orders/:order_id/acknowledge',
    summary: 'Acknowledge an order',
    description: "Stops the console's ringing without confirming the order.",
    params: CHANGE.params,
    body: Type.Object({}),
    answer: describedObject('The console no longer rings for it.', {
      order_id: Type.String(),
      acknowledged: Type.Literal(true),
    }),
    refuses: ['order_not_found'],
    on: { store: {} },
  }).run(async ({ db, clock }: { db: Db; clock: Clock }, { by: { merchant }, params }) => {
    const order = requireSeen(merchant, await findAnyOrder(db, params.order_id), clock.now());
    await acknowledgeOrder(db, order.orderId, channelOf(merchant), clock.now());
    return { order_id: order.orderId, acknowledged: true as const };
  }),
  step(CONFIRM_STEP, {
    name: 'confirmStoreOrder',
    summary: 'Confirm an order with its prep time',
    description: 'The arrival time is calculated from `preparation_minutes`, and the customer is notified.',
  }),
  step(READY_STEP, {
    name: 'readyStoreOrder',
    summary: 'Mark an order as ready',
    description: 'A pickup customer is notified.',
  }),
  step(PICK_UP_STEP, {
    name: 'pickUpStoreOrder',
    summary: 'Mark an order as picked up by the driver',
    description: 'For a delivery that has left the store.',
  }),
  step(COMPLETE_STEP, {
    name: 'completeStoreOrder',
    summary: 'Complete an order',
    description: 'The customer has received the order. An order with alcohol requires `id_checked`.',
  }),
  step(CANCEL_STEP, {
    name: 'cancelStoreOrder',
    summary: 'Cancel an order and refund the customer',
    description: 'Available until a driver has picked up the order or the customer has it.',
  }),
  operation({
    ...CHANGE,
    name: 'delayStoreOrder',
    endpoint: 'POST /orders/:order_id/delay',
    summary: 'Delay an order',
    description:
      'Available after confirmation, until the order is ready or has left the store, up to three times. `ready_by` and the arrival time move, and the customer gets a text message if the time changes. A scheduled order keeps its slot unless the food would be too late.',
    example: { body: { minutes: 10, reason: 'The oven is full.' } },
    body: DelayBody,
  }).run(async (deps: OrderStepDeps, { by: { merchant }, params, body: { minutes, reason, ready_by: readEpochS } }) => {
    return presentStep(deps, await delayStoreOrder(deps, merchant, params.order_id, { minutes, reason, readEpochS }));
  }),
  operation({
    ...CHANGE,
    name: 'assignStoreDriver',
    endpoint: 'POST /orders/:order_id/assign_driver',
    summary: "Assign one of the store's own drivers",
    description:
      "The response contains `driver_link`, the driver's page. `driver_link_texted` says whether it was texted to the driver. Until pickup, assigning another driver replaces the first one, whose link ends. Assigning the same driver again changes nothing.",
    example: { body: { name: 'Ana Ruiz', phone: 13125550123, vehicle_type: 'bicycle' } },
    body: Type.Object({
      name: Type.String({ minLength: 1, maxLength: 100, description: 'The name that the customer sees.' }),
      phone: phoneSchema('The number that the customer calls.'),
      vehicle_type: Type.String({ minLength: 1, maxLength: 50, description: 'For example car, bicycle or scooter.' }),
    }),
  }).run(async (deps: AssignDriverDeps, { by: { merchant }, params, body }) => {
    const { name, vehicle_type: vehicleType } = body;
    const phone = readPhone(body.phone)?.number ?? 0;
    const guard = (locked: Order): void => {
      requireSeen(merchant, locked, deps.clock.now());
    };
    const by = { guard, source: sourceOf(merchant) };
    const { order } = await assignDriver(deps, params.order_id, { name, phone, vehicleType }, by);
    if (merchant.mode === 'live') {
      await acknowledgeOrder(deps.db, order.orderId, channelOf(merchant), deps.clock.now());
    }
    return presentStep(deps, order);
  }),
  operation({
    ...CHANGE,
    name: 'adjustStoreOrderItem',
    endpoint: 'POST /orders/:order_id/items/:index',
    summary: 'Weigh an item, report it missing, or substitute it',
    description:
      "Available until the order leaves the store. The order is repriced, and a lower price is refunded immediately and never charged again. Items sold by weight are weighed with `weight`, `label` or `labels`, repeatedly if needed, and charged when they leave. A substitute costs up to the replaced item's price and follows the customer's preference. Repeating an adjustment changes nothing. If nothing is left, the order is canceled and refunded in full.",
    example: { path: { index: 0 }, body: { quantity: 1 } },
    params: Type.Object({
      ...PATH,
      index: Type.Integer({
        minimum: 0,
        maximum: MAX_ITEMS - 1,
        description: "The item's position in the order's `items`, from 0.",
      }),
    }),
    body: adjustBody(),
    refuses: [
      'order_not_found',
      'not_found',
      'product_not_found',
      'transition_not_allowed',
      'product_unavailable',
      'invalid_options',
      'label_mismatch',
      'label_price_unknown',
      'weight_above_limit',
      'weight_below_half',
    ],
    on: { store: { config: { readsHeaders: X_SOURCE } } },
  }).run(async (deps: OrderStepDeps, { by: { merchant }, params, body }) => {
    const order = await adjustOrderItem(deps, params.order_id, {
      change: itemChangeOf(params.index, body),
      by: merchant.source,
      source: sourceOf(merchant),
      guard: async (tx, locked, now) => {
        requireSeen(merchant, locked, now);
        if (merchant.mode === 'live') await acknowledgeOrder(tx, locked.orderId, channelOf(merchant), now);
      },
    });
    return presentStep(deps, await trySandboxSettling(deps, order));
  }),
  operation({
    name: 'printStoreTicket',
    endpoint: 'POST /orders/:order_id/print',
    summary: "Reprint an order's ticket on the store's printer",
    description:
      'For a live order at a store with a printer. Other orders return an error. A reprint is marked as a copy.',
    example: { body: { document: 'kitchen' } },
    params: CHANGE.params,
    body: Type.Object({ document: Type.Enum(['kitchen', 'receipt'], { description: 'The ticket to print.' }) }),
    answer: describedObject("The ticket is queued. Its print shows the copy's number.", {
      order_id: Type.String(),
      document: Type.Enum(['kitchen', 'receipt']),
      copy: Type.Integer(),
    }),
    refuses: ['order_not_found', 'transition_not_allowed'],
    on: { store: {} },
  }).run(async ({ db, clock }: { db: Db; clock: Clock }, { by: { merchant }, params, body }) => {
    const order = requireSeen(merchant, await findAnyOrder(db, params.order_id), clock.now());
    const copy = merchant.mode === 'live' ? await queueCopy(db, order, body.document, clock.now()) : undefined;
    if (copy === undefined) throw new Refusal('transition_not_allowed', 'The store has no printer for this order.');
    return { order_id: order.orderId, document: body.document, copy };
  }),
];
