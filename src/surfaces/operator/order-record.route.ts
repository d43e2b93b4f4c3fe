import { html, toMarkup } from 'doorstep/html';
import { type Static, Type } from 'typebox';
import { findAccountNames } from '../../access/accounts/accounts.db.ts';
import { findBranding } from '../../access/accounts/brandings.db.ts';
import { trackingSiteOf } from '../../access/accounts/tracking-site.ts';
import { operation } from '../../access/operations/operation.ts';
import { ActionSchema, insertAction, listActions } from '../../access/sessions/actions.db.ts';
import { listDeliveries } from '../../fulfillment/deliveries/couriers/courier-deliveries.db.ts';
import { presentCourierDelivery } from '../../fulfillment/deliveries/couriers/courier-delivery.ts';
import { PROOF_FIELDS, presentProof } from '../../fulfillment/deliveries/proof.ts';
import { findProof } from '../../fulfillment/deliveries/proofs.db.ts';
import { StoreChannelSchema } from '../../fulfillment/store-channels/store-channel.ts';
import { NOTICE_KINDS, type StoreNotice } from '../../fulfillment/store-channels/store-notice.ts';
import { listNotices } from '../../fulfillment/store-channels/store-notices.db.ts';
import {
  MESSAGE_CHANNELS,
  MESSAGE_KINDS,
  MESSAGE_STATES,
  type Message,
  maskedRecipient,
  type WrittenMessage,
} from '../../notify/messages/message.ts';
import { listMessages } from '../../notify/messages/messages.db.ts';
import { UNWRITTEN, withTexts } from '../../notify/messages/write-messages.flow.ts';
import type { Messaging } from '../../notify/outbox/messaging.ts';
import { requireActiveEndpoint } from '../../notify/webhooks/active-endpoint.flow.ts';
import {
  type FailedCall,
  findCallOwner,
  listCalls,
  listCallsOfOrder,
  replayCalls,
} from '../../notify/webhooks/calls.db.ts';
import { listPlatformCalls, replayPlatformCall } from '../../notify/webhooks/platform-calls.db.ts';
import { loadCharges } from '../../ordering/money/book-refund.flow.ts';
import type { Refund } from '../../ordering/money/refund.ts';
import { listRefunds } from '../../ordering/money/refunds.db.ts';
import { minAgeOf } from '../../ordering/order/alcohol.ts';
import { ADVANCE_EVENTS, CHARGE_STATES, COLLECTORS, type Customer, type Order } from '../../ordering/order/order.ts';
import type { OrderDeps } from '../../ordering/order/order-deps.ts';
import { listEvents } from '../../ordering/order/order-events.db.ts';
import { ORDER_EVENT_TYPES } from '../../ordering/order/order-events.ts';
import { possibleSteps } from '../../ordering/order/order-view.ts';
import { OrderSchema, presentOrder } from '../../ordering/order/present-order.ts';
import { toCollectCents } from '../../ordering/order/reprice-order.ts';
import { requireOrder } from '../../ordering/order/require-order.flow.ts';
import type { Db } from '../../platform/db/connect.ts';
import { component, orNull } from '../../platform/http/api-components.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { maskEmail } from '../../platform/lib/mask-contact.ts';
import { epochSeconds, epochSecondsOrNull } from '../../platform/lib/time.ts';
import { NO_ADDRESS } from '../../supply/stores/street-address.ts';
import { sandboxOutbox } from '../sandbox/sandbox-outbox.ts';
import { KEY_MODES, maybeText, moment, showRow } from './field-schemas.ts';

/**
 * An order as operators see it, on their page and in `doorstep orders show`: the order in the terms of the API, its
 * money and events, and every message and call sent for it.
 */

const cents = (description = '') => Type.Integer({ description: `Cents. ${description}`.trim() });

const ChargeSchema = component('OperatorCharge', 'The charge of an order.', {
  charge_state: Type.Enum([...CHARGE_STATES]),
  charge_id: maybeText("The gateway's charge ID."),
  attempts: Type.Integer(),
  started_at: moment('When the last attempt began.'),
  charged_amount: cents(),
  refunded_amount: cents(),
  refunding_amount: cents('Pending refunds.'),
  to_collect: orNull(cents(), 'The amount to collect at handoff. Null if there is none.'),
  collected: orNull(cents(), 'The amount collected. Null if none was, or not yet.'),
  collected_by: orNull(Type.Enum([...COLLECTORS]), 'Who collected it. Null if no one did.'),
});

const EventSchema = component('OperatorOrderEvent', "An entry in an order's log.", {
  sequence: Type.Integer(),
  type: Type.Enum([...ORDER_EVENT_TYPES]),
  at: Type.Integer({ description: 'Epoch seconds.' }),
  data: Type.Record(Type.String(), Type.Unknown()),
});

const NoticeSchema = component('OperatorNotice', "A notice about an order on one of its store's channels.", {
  channel: StoreChannelSchema,
  kind: Type.Enum([...NOTICE_KINDS]),
  is_resent: Type.Boolean({ description: 'Whether an operator sent the notice again.' }),
  state: Type.Enum(['waiting', 'sent', 'acknowledged', 'withdrawn']),
  attempts: Type.Integer(),
  last_error: maybeText('Why the last attempt failed.'),
  created_at: Type.Integer({ description: 'Epoch seconds.' }),
  sent_at: moment('When the channel received it.'),
  acknowledged_at: moment('When the store responded.'),
});

const MessageSchema = component('OperatorMessage', 'A message to the customer.', {
  message_id: Type.String(),
  channel: Type.Enum([...MESSAGE_CHANNELS]),
  kind: Type.Enum([...MESSAGE_KINDS]),
  is_resent: Type.Boolean({ description: 'Whether an operator sent the message again.' }),
  state: Type.Enum([...MESSAGE_STATES]),
  to: Type.String({ description: 'The masked recipient. Empty for a viewer.' }),
  from: Type.String(),
  bcc: orNull(Type.String(), 'Present only for an email.'),
  subject: orNull(Type.String(), 'Present only for an email.'),
  text: Type.String({ description: "Empty for a viewer. Links don't contain the customer's key." }),
  attempts: Type.Integer(),
  last_error: maybeText('Why the last attempt failed.'),
  created_at: Type.Integer({ description: 'Epoch seconds.' }),
  next_attempt_at: moment("When it's retried."),
  sent_at: moment('When it was sent.'),
});

const CallSchema = component('OperatorWebhookCall', "A webhook delivery to the account's endpoint.", {
  webhook_id: Type.String(),
  type: Type.String(),
  state: Type.Enum(['pending', 'delivered', 'dead']),
  attempts: Type.Integer(),
  last_status: Type.Union([Type.Integer(), Type.Null()]),
  last_error: maybeText('Why the last attempt received no response.'),
  next_attempt_at: moment("When it's retried."),
});

const rows = (description: string) => Type.Array(Type.Record(Type.String(), Type.Unknown()), { description });

const OrderRecordSchema = component('OperatorOrder', 'An order with its full history.', {
  order: OrderSchema,
  account_id: Type.String(),
  account_name: Type.String(),
  store_phone: Type.Union([Type.Integer(), Type.Null()]),
  min_age: orNull(
    Type.Integer(),
    "The recipient's minimum age for an order with alcohol, which requires an ID check. Otherwise null.",
  ),
  created_at: Type.Integer({ description: 'Epoch seconds.' }),
  placed_at: moment('When the order was placed.'),
  offered_at: moment('When the order is sent to its store.'),
  received_at: moment("When one of the store's channels first received it."),
  confirm_by: moment("When it's canceled unless it's confirmed."),
  ready_by: moment('When the food is ready.'),
  steps: Type.Array(Type.Enum([...ADVANCE_EVENTS]), { description: 'The steps currently available.' }),
  charge: ChargeSchema,
  charges: rows("The card's charges: `charge_id`, `amount`, `refunded_amount` and `status`."),
  refunds: rows('The refunds in the ledger.'),
  events: Type.Array(EventSchema, { description: 'Oldest first.' }),
  notices: Type.Array(NoticeSchema),
  offers: Type.Array(NoticeSchema, { description: 'The notices that sent the order to its store.' }),
  messages: Type.Array(MessageSchema),
  proof: orNull(Type.Object(PROOF_FIELDS), 'The proof of delivery. Null for a viewer.'),
  webhook_calls: Type.Array(CallSchema),
  webhook_deliveries: Type.Array(CallSchema, { description: 'The same as `webhook_calls`.' }),
  deliveries: rows('The requested couriers. Empty for a viewer.'),
  actions: Type.Array(ActionSchema, { description: 'Up to 100, newest first. The list of changes contains all.' }),
});
type OrderRecord = Static<typeof OrderRecordSchema>;

/** What a viewer sees of an order: no driver, nothing that its customer wrote, and no way to reach them. */
function hideCustomer(order: Order): Order {
  const { request } = order;
  const items = request.items.map((item) => ({ ...item, notes: '' }));
  return { ...order, driver: {}, request: { ...request, items, customer: NO_CUSTOMER, metadata: {} } };
}

const NO_CUSTOMER: Customer = {
  ...NO_ADDRESS,
  userId: '',
  name: '',
  email: '',
  phone: null,
  phoneExtension: '',
  latitude: null,
  longitude: null,
  country: '',
  timeZone: '',
  dropoffNotes: '',
  pickupNotes: '',
};

/** Masks an email address wherever the record has it, in the texts of messages too. */
function hideEmail(record: OrderRecord, email: string): OrderRecord {
  if (email === '') return record;
  const masked = maskEmail(email);
  const hide = (_name: string, value: unknown) =>
    typeof value === 'string' ? value.replaceAll(email, masked).replaceAll(toMarkup(html`${email}`), masked) : value;
  return JSON.parse(JSON.stringify(record, hide));
}

function presentNotice(notice: StoreNotice) {
  const { channel, kind, copy, state, attempts, lastError, createdAt, sentAt, acknowledgedAt } = notice;
  const isResent = kind === 'offered' && copy > 0;
  return showRow({ channel, kind, isResent, state, attempts, lastError, createdAt, sentAt, acknowledgedAt });
}

function presentCharge(order: Order): OrderRecord['charge'] {
  return {
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
  };
}

/** A message with its text, to a recipient who is masked. */
function presentMessage(message: Message & WrittenMessage, order: Order) {
  const { messageId, channel, kind, copy, state, attempts, lastError, createdAt, nextAttemptAt, sentAt } = message;
  const isResent = copy > 0;
  const to = maskedRecipient(channel, order);
  const { sender: from, bcc, subject, text } = message;
  const sent = { messageId, channel, kind, isResent, state, attempts, lastError, createdAt, nextAttemptAt, sentAt };
  return showRow({ ...sent, to, from, bcc, subject, text });
}

function presentCall({ webhookId, type, state, attempts, lastStatus, lastError, nextAttemptAt }: FailedCall) {
  return showRow({ webhookId, type, state, attempts, lastStatus, lastError, nextAttemptAt });
}

function presentLedgerRefund({ refundId, kind, state, reason, items, cents: amount, ...refund }: Refund) {
  const { refundedCents: refundedAmount, createdAt, endedAt } = refund;
  const shown = items.map(({ index, quantity, cents, taxCents }) => ({ index, quantity, cents, tax_cents: taxCents }));
  return showRow({ refundId, kind, state, reason, items: shown, amount, refundedAmount, createdAt, endedAt });
}

/** Reads a sandbox order's charges from the sandbox gateway, and a live order's from the ledger. */
async function presentCharges({ db, gateways }: OrderRecordNeeds, order: Order) {
  if (order.mode === 'live') {
    return (await loadCharges(db, order)).map(({ chargeId, cents, takenCents }) => ({
      charge_id: chargeId,
      amount: cents,
      refunded_amount: takenCents,
      status: 'succeeded',
    }));
  }
  const charges = await gateways.sandbox.listCharges({ orderId: order.orderId });
  return charges.map((charge) => ({
    charge_id: charge.chargeId,
    amount: charge.amountCents,
    refunded_amount: charge.refundedCents,
    status: charge.status,
  }));
}

const MAX_ACTIONS = 100;
/** Calls to a platform, of which an order has one an event. */
const MAX_CALLS = 100;

type OrderRecordNeeds = Pick<OrderDeps, 'db' | 'clock' | 'config' | 'log' | 'gateways'> & {
  messaging: Pick<Messaging, 'frame' | 'textFrom'>;
};

export const readAnyOrderOperation = operation({
  endpoint: 'GET /orders/:order_id',
  refuses: ['order_not_found'],
  summary: 'Get an order with its full history',
  description:
    "Returns the order as in the API, its charges and events, everything sent to its store, customer and account, and operators' changes. Admins see the customer's email, support sees it masked, and viewers see no customer data.",
  params: Type.Object({ order_id: Type.String({ maxLength: 64, description: 'An order of any account.' }) }),
  answer: OrderRecordSchema,
  on: {
    operator: {
      command: 'orders show <order_id>',
      table: {
        messages: {
          Channel: 'channel',
          Message: 'kind',
          To: 'to',
          State: 'state',
          Attempts: 'attempts',
          Error: 'last_error',
        },
      },
      role: 'viewer',
    },
  },
}).run(async (needs: OrderRecordNeeds, { params: { order_id: orderId }, by: { session } }) => {
  const { db, config } = needs;
  const isViewer = session.role === 'viewer';
  const order = await requireOrder(db, orderId);
  const [events, notices, calls, platformCalls, branding, kept, names, actions] = await Promise.all([
    listEvents(db, orderId),
    listNotices(db, orderId),
    listCallsOfOrder(db, orderId),
    listPlatformCalls(db, { orderId, limit: MAX_CALLS }),
    findBranding(db, order.accountId),
    listMessages(db, orderId),
    findAccountNames(db, [order.accountId]),
    listActions(db, { target: orderId, limit: MAX_ACTIONS }),
  ]);
  const outbox = { extras: branding, smsCountries: config.smsCountries, kept };
  const messages = order.mode === 'sandbox' ? sandboxOutbox(order, events, outbox) : kept;
  const written = isViewer
    ? messages.map((message) => ({ ...message, ...UNWRITTEN }))
    : await withTexts({ ...needs, tokens: undefined }, messages);
  const shown = isViewer ? hideCustomer(order) : order;
  const shownNotices = notices.map(presentNotice);
  const shownCalls = [...calls, ...platformCalls.reverse()].map(presentCall);
  const record: OrderRecord = {
    order: presentOrder(shown, trackingSiteOf(branding, config.trackingUrl)),
    account_id: order.accountId,
    account_name: names.get(order.accountId) ?? '',
    store_phone: order.quote.store.phoneNumber,
    min_age: minAgeOf(order),
    created_at: epochSeconds(order.createdAt),
    placed_at: epochSecondsOrNull(order.placedAt),
    offered_at: epochSecondsOrNull(order.offerAt),
    received_at: epochSecondsOrNull(order.receivedAt),
    confirm_by: epochSecondsOrNull(order.confirmBy),
    ready_by: epochSecondsOrNull(order.readyBy),
    steps: isViewer ? [] : possibleSteps(order),
    charge: presentCharge(order),
    charges: await presentCharges(needs, order),
    refunds: (await listRefunds(db, order))
      .map(presentLedgerRefund)
      .map((refund) => (isViewer ? { ...refund, reason: '' } : refund)),
    events: events.map(({ sequence, type, at, data }) => ({
      sequence,
      type,
      at: epochSeconds(at),
      data: { ...data },
    })),
    notices: shownNotices,
    offers: shownNotices.filter(({ kind }) => kind === 'offered'),
    messages: written.map((message) => presentMessage(message, shown)),
    proof: isViewer ? null : presentProof(orderId, await findProof(db, orderId), config.baseUrl),
    webhook_calls: shownCalls,
    webhook_deliveries: shownCalls,
    deliveries: isViewer ? [] : (await listDeliveries(db, orderId)).map(presentCourierDelivery),
    actions: actions.map(showRow),
  };
  return session.role === 'admin' ? record : hideEmail(record, order.request.customer.email);
});

export const listWebhookDeliveriesOperation = operation({
  endpoint: 'GET /accounts/:account_id/webhook-deliveries',
  summary: "List an account's latest webhook deliveries",
  description: `Returns up to ${MAX_CALLS}, newest first.`,
  params: Type.Object({ account_id: Type.String({ maxLength: 64, description: 'An account.' }) }),
  query: Type.Object({ mode: Type.Optional(Type.Enum([...KEY_MODES], { description: '`sandbox` by default.' })) }),
  answer: Type.Object(
    { webhook_deliveries: Type.Array(Type.Object({ ...CallSchema.properties, order_id: maybeText('') })) },
    { description: 'Newest first.' },
  ),
  on: {
    operator: {
      command: 'webhooks list',
      table: {
        webhook_deliveries: {
          ID: 'webhook_id',
          Order: 'order_id',
          Event: 'type',
          State: 'state',
          Attempts: 'attempts',
          Status: 'last_status',
        },
      },
      role: 'viewer',
    },
  },
}).run(async ({ db }: { db: Db }, { params: { account_id: accountId }, query: { mode = 'sandbox' } }) => {
  const calls = await listCalls(db, { accountId, mode }, MAX_CALLS);
  return { webhook_deliveries: calls.map((call) => ({ ...presentCall(call), order_id: call.orderId })) };
});

export const replayWebhookCallOperation = operation({
  endpoint: 'POST /webhook-calls/:webhook_id/replay',
  refuses: ['not_found', 'transition_not_allowed', 'webhook_endpoint_not_allowed'],
  summary: 'Resend a webhook delivery to an account or platform',
  description: 'The delivery keeps its ID and body and is due immediately.',
  params: Type.Object({ webhook_id: Type.String({ maxLength: 64, description: "Any account's delivery." }) }),
  body: Type.Object({}),
  answer: Type.Object({ webhook_id: Type.String(), replayed: Type.Literal(true) }, { description: 'It is due.' }),
  on: { operator: { command: 'webhooks replay <webhook_id>', role: 'support' } },
}).run(async ({ db, clock }: { db: Db; clock: Clock }, { by: { session }, params }) => {
  const { webhook_id: webhookId } = params;
  const owner = await findCallOwner(db, webhookId);
  if (owner) await requireActiveEndpoint(db, owner);
  const at = clock.now();
  await db.transaction().execute(async (tx) => {
    if (owner) await replayCalls(tx, owner, { webhookId }, at);
    else if (!(await replayPlatformCall(tx, webhookId, at))) throw new Refusal('not_found', 'No such delivery exists.');
    const { sessionId } = session;
    await insertAction(tx, { at, sessionId, action: 'webhook_call.replay', target: webhookId, details: owner ?? {} });
  });
  return { webhook_id: webhookId, replayed: true as const };
});
