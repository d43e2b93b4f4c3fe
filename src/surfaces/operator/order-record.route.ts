import { type Static, Type } from 'typebox';
import { findAccountNames } from '../../access/accounts/accounts.db.ts';
import { findBranding } from '../../access/accounts/brandings.db.ts';
import { type TrackingSite, trackingLinkOf, trackingSiteOf } from '../../access/accounts/tracking-site.ts';
import { StoreChannelSchema } from '../../fulfillment/store-channels/store-channel.ts';
import { NOTICE_KINDS, type StoreNotice } from '../../fulfillment/store-channels/store-notice.ts';
import { listNotices } from '../../fulfillment/store-channels/store-notices.db.ts';
import {
  MESSAGE_CHANNELS,
  MESSAGE_KINDS,
  MESSAGE_STATES,
  type Message,
  maskedRecipient,
} from '../../notify/messages/message.ts';
import { listMessages } from '../../notify/messages/messages.db.ts';
import { requireActiveEndpoint } from '../../notify/webhooks/active-endpoint.flow.ts';
import { type FailedCall, findCallOwner, listCallsOfOrder, replayCalls } from '../../notify/webhooks/calls.db.ts';
import { minAgeOf } from '../../ordering/order/alcohol.ts';
import { handoverLines, handoverOf } from '../../ordering/order/drop-off.ts';
import {
  ADVANCE_EVENTS,
  CHARGE_STATES,
  COLLECTORS,
  ORDER_STATUSES,
  type Order,
  shownOrderNumber,
} from '../../ordering/order/order.ts';
import { listEvents } from '../../ordering/order/order-events.db.ts';
import { ORDER_EVENT_TYPES } from '../../ordering/order/order-events.ts';
import { chosenOptions, orderTotalCents, possibleSteps, tipOf } from '../../ordering/order/order-view.ts';
import { toCollectCents } from '../../ordering/order/reprice-order.ts';
import { requireOrder } from '../../ordering/order/require-order.flow.ts';
import { itemChanges } from '../../ordering/order/wording.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/db/connect.ts';
import { named, orNull } from '../../platform/http/api-components.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { epochSeconds, epochSecondsOrNull } from '../../platform/lib/time.ts';
import { writeAddress } from '../../supply/stores/street-address.ts';
import { localeOf } from '../../texts/catalogs.ts';
import { sandboxOutbox } from '../sandbox/sandbox-outbox.ts';
import { ActionSchema, insertAction, listActions, type RecordedAction } from './actions.db.ts';
import { maybeText, moment, showRow } from './field-schemas.ts';
import { procedure } from './procedure.ts';

/** Operator endpoint for an order's facts, money and events, and every message and call sent for it. */

const cents = (description = '') => Type.Integer({ description: `Cents. ${description}`.trim() });

const ItemSchema = Type.Object(
  {
    name: Type.String(),
    quantity: Type.Integer(),
    options: Type.Array(Type.String(), { description: 'Names of the chosen options.' }),
    notes: Type.String({ description: 'Empty for a viewer.' }),
    change: maybeText('What the store hands over of the item, where it lacks it.'),
    total: cents(),
  },
  named('OperatorOrderItem', 'An item of an order in a few words.'),
);

const CustomerSchema = Type.Object(
  {
    name: Type.String(),
    phone: Type.Union([Type.Integer(), Type.Null()]),
    phone_extension: Type.String({ description: 'Empty without one.' }),
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
    to_collect: orNull(cents(), 'What is to be collected at the handover; null if nothing, or not any more.'),
    collected: orNull(cents(), 'What was collected; null if nothing was, or not yet.'),
    collected_by: orNull(Type.Enum([...COLLECTORS]), 'Who collected it; null likewise.'),
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
    channel: StoreChannelSchema,
    kind: Type.Enum([...NOTICE_KINDS]),
    is_resent: Type.Boolean({ description: 'Whether an operator sent the offer again.' }),
    state: Type.Enum(['waiting', 'sent', 'acknowledged', 'withdrawn']),
    attempts: Type.Integer(),
    last_error: maybeText('Why the last attempt failed.'),
    created_at: Type.Integer({ description: 'Epoch seconds.' }),
    sent_at: moment('When the channel had it.'),
    acknowledged_at: moment('When it was answered.'),
  },
  named('OperatorNotice', 'A notice of an order to a channel of its store.'),
);

const MessageSchema = Type.Object(
  {
    message_id: Type.String(),
    channel: Type.Enum([...MESSAGE_CHANNELS]),
    kind: Type.Enum([...MESSAGE_KINDS]),
    is_resent: Type.Boolean({ description: 'Whether an operator sent it again.' }),
    state: Type.Enum([...MESSAGE_STATES]),
    to: Type.String({ description: 'The recipient, masked; empty for a viewer.' }),
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

/** All that is known about one order, except what only its customer needs. */
const OrderRecordSchema = Type.Object(
  {
    order_id: Type.String(),
    order_number: Type.String(),
    min_age: orNull(
      Type.Integer(),
      'Minimum age of the recipient of an order with alcohol, whose ID is to be seen; else null.',
    ),
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
    scheduled_for: moment('When the slot of a scheduled order begins.'),
    steps: Type.Array(Type.Enum([...ADVANCE_EVENTS]), { description: 'The steps that it can take now.' }),
    customer: orNull(CustomerSchema, 'Null for a viewer.'),
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
    actions: Type.Array(ActionSchema, { description: 'Newest first, at most 100; the list of changes has all.' }),
  },
  named('OperatorOrder', 'An order and everything that followed from it.'),
);
type OrderRecord = Static<typeof OrderRecordSchema>;

type OrderHistory = Omit<Awaited<ReturnType<typeof loadFollowed>>, 'order' | 'site'> & {
  accountName: string;
  actions: readonly RecordedAction[];
};

/** Presents an order with its history. The customer has name, phone and address, but no email. */
function presentOrderRecord(order: Order, followed: OrderHistory, site: TrackingSite): OrderRecord {
  return {
    ...orderFacts(order, site),
    account_name: followed.accountName,
    charge: {
      charge_state: order.chargeState,
      charge_id: order.chargeId,
      attempts: order.chargeAttempt,
      started_at: epochSecondsOrNull(order.chargeStartedAt),
      charged_amount: order.chargedCents,
      refunded_amount: order.refundedCents,
      refunding_amount: order.refundingCents,
      to_collect: toCollectCents(order),
      collected: order.collectedCents,
      collected_by: order.collectedBy,
    },
    events: followed.events.map(({ sequence, type, at, data }) => ({
      sequence,
      type,
      at: epochSeconds(at),
      data: { ...data },
    })),
    notices: followed.notices.map(presentNotice),
    messages: followed.messages.map((message) => presentMessage(message, order)),
    webhook_calls: followed.calls.map(presentCall),
    actions: followed.actions.map(showRow),
  };
}

/** What a viewer sees of an order: nothing that its customer wrote, and no way to reach them. */
function hideCustomer(record: OrderRecord): OrderRecord {
  return {
    ...record,
    steps: [],
    customer: null,
    items: record.items.map((item) => ({ ...item, notes: '' })),
    messages: record.messages.map((message) => ({ ...message, to: '' })),
  };
}

function orderFacts(order: Order, site: TrackingSite) {
  const { request, quote } = order;
  const { store } = quote;
  return {
    order_id: order.orderId,
    order_number: shownOrderNumber(order),
    min_age: minAgeOf(order),
    customer_order_id: request.customerOrderId,
    mode: order.mode,
    account_id: order.accountId,
    store_id: order.storeId,
    store_name: store.name,
    store_phone: store.phoneNumber,
    status: order.status,
    is_ready: order.isReady,
    pickup: request.mode === 'pickup',
    cancel_reason: order.cancelReason,
    created_at: epochSeconds(order.createdAt),
    placed_at: epochSecondsOrNull(order.placedAt),
    offered_at: epochSecondsOrNull(order.offerAt),
    received_at: epochSecondsOrNull(order.receivedAt),
    confirm_by: epochSecondsOrNull(order.confirmBy),
    ready_by: epochSecondsOrNull(order.readyBy),
    eta: epochSecondsOrNull(order.eta),
    scheduled_for: quote.scheduled?.startEpochS ?? null,
    steps: possibleSteps(order),
    customer: recordCustomer(order),
    items: recordItems(order),
    subtotal: quote.subtotalCents,
    tax: quote.salesTaxCents,
    tip: tipOf(order),
    fees: quote.deliveryFeeCents + quote.serviceFeeCents + quote.smallOrderFeeCents,
    total_with_tip: orderTotalCents(order),
    tracking_link: trackingLinkOf(site, order.orderId),
  };
}

function recordCustomer({ request }: Order) {
  const { customer, mode } = request;
  const { words } = localeOf('en', 'US');
  return {
    name: customer.name,
    phone: customer.phone,
    phone_extension: customer.phoneExtension ?? '',
    address: mode === 'delivery' ? writeAddress(customer) : null,
    notes: handoverLines(handoverOf({ request }), words.customer.dropOff).join('. '),
  };
}

function recordItems(order: Order): OrderRecord['items'] {
  const changes = itemChanges(order, localeOf('en', order.quote.store.country));
  return order.quote.items.map(({ name, quantity, customizations, notes, totalCents }, index) => ({
    name,
    quantity,
    options: chosenOptions(customizations).map((option) =>
      option.quantity > 1 ? `${option.quantity} × ${option.name}` : option.name,
    ),
    notes,
    change: changes[index] ?? null,
    total: totalCents,
  }));
}

function presentNotice({
  channel,
  kind,
  copy,
  state,
  attempts,
  lastError,
  createdAt,
  sentAt,
  acknowledgedAt,
}: StoreNotice) {
  const isResent = kind === 'offered' && copy > 0;
  return showRow({ channel, kind, isResent, state, attempts, lastError, createdAt, sentAt, acknowledgedAt });
}

function presentMessage(message: Message, order: Order) {
  const { messageId, channel, kind, copy, state, attempts, lastError, createdAt, sentAt } = message;
  const isResent = copy > 0;
  const to = maskedRecipient(channel, order);
  return showRow({ messageId, channel, kind, isResent, state, attempts, lastError, to, createdAt, sentAt });
}

function presentCall({ webhookId, type, state, attempts, lastStatus, lastError, nextAttemptAt }: FailedCall) {
  return showRow({ webhookId, type, state, attempts, lastStatus, lastError, nextAttemptAt });
}

const MAX_ACTIONS = 100;

type OrderRecordDeps = { db: Db; clock: Clock; config: Config };

export const readAnyOrderProcedure = procedure({
  name: 'readAnyOrder',
  endpoint: 'GET /operator/orders/:order_id',
  role: 'viewer',
  refuses: ['order_not_found'],
  summary: 'An order of any account, with everything that followed from it',
  description:
    'Its events, what was sent to its store and its customer, its failed webhook calls, and what operators changed.',
  params: Type.Object({ order_id: Type.String({ maxLength: 64, description: 'An order of any account.' }) }),
  answer: OrderRecordSchema,
  async run({ db, config }: OrderRecordDeps, { params, session }) {
    const { order_id: orderId } = params;
    const { order, site, ...followed } = await loadFollowed({ db, config }, orderId);
    const [actions, names] = await Promise.all([
      listActions(db, { target: orderId, limit: MAX_ACTIONS }),
      findAccountNames(db, [order.accountId]),
    ]);
    const accountName = names.get(order.accountId) ?? '';
    const record = presentOrderRecord(order, { accountName, actions, ...followed }, site);
    return session.role === 'viewer' ? hideCustomer(record) : record;
  },
});

/** An order with what followed from it: events, notices to its store, messages to its customer, and webhook calls. */
export async function loadFollowed({ db, config }: Pick<OrderRecordDeps, 'db' | 'config'>, orderId: string) {
  const order = await requireOrder(db, orderId);
  const [events, notices, calls, branding, kept] = await Promise.all([
    listEvents(db, orderId),
    listNotices(db, orderId),
    listCallsOfOrder(db, orderId),
    findBranding(db, order.accountId),
    listMessages(db, orderId),
  ]);
  const outbox = { extras: branding, smsCountries: config.smsCountries, kept };
  const messages = order.mode === 'sandbox' ? sandboxOutbox(order, events, outbox) : kept;
  return { order, events, notices, calls, messages, site: trackingSiteOf(branding, config.trackingUrl) };
}

export const replayWebhookCallProcedure = procedure({
  name: 'replayWebhookCall',
  endpoint: 'POST /operator/webhook-calls/:webhook_id/replay',
  command: 'webhooks replay <webhook_id>',
  role: 'support',
  refuses: ['not_found', 'transition_not_allowed', 'webhook_endpoint_not_allowed'],
  summary: "Make a call to an account's endpoint again",
  description: 'The call keeps its id and its body, and is due now. The change is recorded.',
  params: Type.Object({ webhook_id: Type.String({ maxLength: 64, description: 'A call of any account.' }) }),
  body: Type.Object({}),
  answer: Type.Object({ webhook_id: Type.String(), replayed: Type.Literal(true) }, { description: 'It is due now.' }),
  async run({ db, clock }: OrderRecordDeps, { session, params }) {
    const { webhook_id: webhookId } = params;
    const owner = await findCallOwner(db, webhookId);
    if (!owner) throw new Refusal('not_found', 'There is no such call.');
    await requireActiveEndpoint(db, owner);
    const at = clock.now();
    await db.transaction().execute(async (tx) => {
      await replayCalls(tx, owner, { webhookId }, at);
      const { sessionId } = session;
      await insertAction(tx, { at, sessionId, action: 'webhook_call.replay', target: webhookId, details: owner });
    });
    return { webhook_id: webhookId, replayed: true as const };
  },
});
