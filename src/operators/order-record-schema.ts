import { type Static, Type } from 'typebox';
import { named } from '../http/api-components.ts';
import { MESSAGE_CHANNELS, MESSAGE_KINDS, MESSAGE_STATES } from '../messages/message.ts';
import { STORE_CHANNELS } from '../offers/store-channel.ts';
import { NOTICE_KINDS } from '../offers/store-notice.ts';
import { ADVANCE_EVENTS, ORDER_EVENT_TYPES } from '../orders/order-events.ts';
import { ORDER_STATUSES } from '../orders/order-schema.ts';
import { CHARGE_STATES, maybeText, moment } from './field-schemas.ts';
import { ActionSchema } from './operator-action.ts';

const cents = (description = '') => Type.Integer({ description: `Cents. ${description}`.trim() });

const ItemSchema = Type.Object(
  {
    name: Type.String(),
    quantity: Type.Integer(),
    options: Type.Array(Type.String(), { description: 'Names of the chosen options.' }),
    notes: Type.String(),
    change: maybeText('What the store hands over of the item, where it lacks it.'),
    total: cents(),
  },
  named('OperatorOrderItem', 'An item of an order in a few words.'),
);

const CustomerSchema = Type.Object(
  {
    name: Type.String(),
    phone: Type.Union([Type.Integer(), Type.Null()]),
    address: maybeText('Of a delivery.'),
    notes: Type.String({ description: 'For the driver, or at the counter.' }),
  },
  named('OperatorOrderCustomer', 'What an operator needs to call the customer and to direct the driver.'),
);

const ChargeSchema = Type.Object(
  {
    charge_state: Type.Enum([...CHARGE_STATES]),
    charge_id: maybeText("The gateway's id of the charge."),
    attempts: Type.Integer(),
    started_at: moment('When the last attempt began.'),
    charged_amount: cents(),
    refunded_amount: cents(),
    refunding_amount: cents('Promised, and not given back yet.'),
  },
  named('OperatorCharge', 'The charge of an order.'),
);

const EventSchema = Type.Object(
  {
    sequence: Type.Integer(),
    type: Type.Enum([...ORDER_EVENT_TYPES]),
    at: Type.Integer({ description: 'Epoch seconds.' }),
    data: Type.Record(Type.String(), Type.Unknown()),
  },
  named('OperatorOrderEvent', "A row of an order's log."),
);

const NoticeSchema = Type.Object(
  {
    channel: Type.Enum([...STORE_CHANNELS]),
    kind: Type.Enum([...NOTICE_KINDS]),
    state: Type.Enum(['waiting', 'sent', 'acknowledged', 'withdrawn']),
    attempts: Type.Integer(),
    last_error: maybeText('Why the last attempt failed.'),
    created_at: Type.Integer({ description: 'Epoch seconds.' }),
    sent_at: moment('When the channel had it.'),
    acknowledged_at: moment('When it was answered.'),
  },
  named('OperatorNotice', 'What a channel of the store was told of an order.'),
);

const MessageSchema = Type.Object(
  {
    message_id: Type.String(),
    channel: Type.Enum([...MESSAGE_CHANNELS]),
    kind: Type.Enum([...MESSAGE_KINDS]),
    state: Type.Enum([...MESSAGE_STATES]),
    to: Type.String({ description: 'The recipient, masked.' }),
    attempts: Type.Integer(),
    last_error: maybeText('Why the last attempt failed.'),
    created_at: Type.Integer({ description: 'Epoch seconds.' }),
    sent_at: moment('When it was sent.'),
  },
  named('OperatorMessage', 'A message to the customer, without its text.'),
);

const CallSchema = Type.Object(
  {
    webhook_id: Type.String(),
    type: Type.String(),
    state: Type.Enum(['pending', 'delivered', 'dead']),
    attempts: Type.Integer(),
    last_status: Type.Union([Type.Integer(), Type.Null()]),
    last_error: maybeText('Why the last attempt had no answer.'),
    next_attempt_at: moment('When it is tried again.'),
  },
  named('OperatorWebhookCall', "A call to the account's endpoint."),
);

/** Everything that the service knows of one order, without what only its customer needs. */
export const OrderRecordSchema = Type.Object(
  {
    order_id: Type.String(),
    order_number: Type.String(),
    customer_order_id: Type.String(),
    mode: Type.Enum(['live', 'sandbox']),
    account_id: Type.String(),
    account_name: Type.String(),
    store_id: Type.String(),
    store_name: Type.String(),
    store_phone: Type.Union([Type.Integer(), Type.Null()]),
    status: Type.Enum([...ORDER_STATUSES]),
    is_ready: Type.Boolean(),
    pickup: Type.Boolean(),
    cancel_reason: maybeText('Why it was canceled.'),
    created_at: Type.Integer({ description: 'Epoch seconds.' }),
    placed_at: moment('When it was placed.'),
    offered_at: moment('When its store is offered it.'),
    received_at: moment('When a first channel of the store had it.'),
    confirm_by: moment('When it is canceled unless it is confirmed.'),
    ready_by: moment('When the food is ready.'),
    eta: moment('When the customer has it.'),
    scheduled_for: moment('When the window of a scheduled order begins.'),
    steps: Type.Array(Type.Enum([...ADVANCE_EVENTS]), { description: 'The steps that it can take now.' }),
    customer: CustomerSchema,
    items: Type.Array(ItemSchema),
    subtotal: cents(),
    fees: cents('Delivery, service and small-order fees.'),
    tax: cents(),
    tip: cents(),
    total_with_tip: cents(),
    tracking_link: Type.String(),
    charge: ChargeSchema,
    events: Type.Array(EventSchema),
    notices: Type.Array(NoticeSchema),
    messages: Type.Array(MessageSchema),
    webhook_calls: Type.Array(CallSchema),
    actions: Type.Array(ActionSchema),
  },
  named('OperatorOrder', 'An order and everything that followed from it.'),
);
export type OrderRecord = Static<typeof OrderRecordSchema>;
