import { html, toMarkup } from 'doorstep/html';
import { Type } from 'typebox';
import { findBranding } from '../../access/accounts/brandings.db.ts';
import { trackingSiteOf } from '../../access/accounts/tracking-site.ts';
import { listDeliveries } from '../../fulfillment/deliveries/couriers/courier-deliveries.db.ts';
import { presentCourierDelivery } from '../../fulfillment/deliveries/couriers/courier-delivery.ts';
import { presentProof } from '../../fulfillment/deliveries/proof.ts';
import { findProof } from '../../fulfillment/deliveries/proofs.db.ts';
import { presentNotice, presentOrderNotice } from '../../fulfillment/store-channels/store-notice.ts';
import { presentQueuedMessage } from '../../notify/messages/message.ts';
import { withTexts } from '../../notify/messages/write-messages.flow.ts';
import type { Messaging } from '../../notify/outbox/messaging.ts';
import { presentCall } from '../../notify/webhooks/webhook.ts';
import { loadCharges } from '../../ordering/money/book-refund.flow.ts';
import type { Refund } from '../../ordering/money/refund.ts';
import { listRefunds } from '../../ordering/money/refunds.db.ts';
import { takeStep } from '../../ordering/money/take-step.flow.ts';
import { ADVANCE_EVENTS, type Order } from '../../ordering/order/order.ts';
import type { OrderDeps } from '../../ordering/order/order-deps.ts';
import { orderNotFound } from '../../ordering/order/order-faults.ts';
import { findAnyOrder } from '../../ordering/order/orders.db.ts';
import { OrderSchema, presentOrder } from '../../ordering/order/present-order.ts';
import { maskEmail } from '../../platform/lib/mask-contact.ts';
import { isoSeconds } from '../../platform/lib/time.ts';
import { simulatedDetails } from '../sandbox/simulated-courier.ts';
import type { Street } from '../sandbox/street-route.ts';
import { insertAction } from './actions.db.ts';
import { loadFollowed } from './order-record.route.ts';
import { procedure } from './procedure.ts';

/** What `doorstep orders show` and `orders advance` print: an order in the terms of the API, with its records. */

const Params = Type.Object({ order_id: Type.String({ maxLength: 64, description: 'An order of any account.' }) });
const rows = (description: string) => Type.Array(Type.Record(Type.String(), Type.Unknown()), { description });

type OrderDocumentNeeds = Pick<OrderDeps, 'db' | 'config' | 'log' | 'gateways'> & {
  messaging: Pick<Messaging, 'frame' | 'textFrom'>;
};

export const readOrderDocumentProcedure = procedure({
  name: 'readOrderDocument',
  endpoint: 'GET /operator/orders/:order_id/document',
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
  role: 'support',
  refuses: ['order_not_found'],
  summary: 'An order in the terms of the API, with the records that followed from it',
  description:
    'As `doorstep orders show --json` prints it. Links have no key of the customer; the email of the customer is whole for an admin, and masked for support.',
  params: Params,
  answer: Type.Object(
    {
      order: OrderSchema,
      events: rows('`sequence`, `type`, `at` (ISO 8601) and `data`, oldest first.'),
      charges: rows('`charge_id`, `amount`, `refunded_amount` and `status`.'),
      refunds: rows('Refunds of the ledger.'),
      messages: rows('Messages to the customer, with their texts.'),
      proof: Type.Unknown({ description: 'The proof of delivery.' }),
      webhook_deliveries: rows("Calls to the account's endpoint."),
      offers: rows('Offers to the store.'),
      store_notices: rows('Other notices to the store.'),
      deliveries: rows('Couriers that were requested.'),
    },
    { description: 'The order and its records.' },
  ),
  async run(needs: OrderDocumentNeeds, { session, params: { order_id: orderId } }) {
    const { db, config } = needs;
    const { order, events, notices, calls, messages, site } = await loadFollowed(needs, orderId);
    const document = {
      order: presentOrder(order, site),
      events: events.map(({ sequence, type, at, data }) => ({ sequence, type, at: isoSeconds(at), data })),
      charges: await presentCharges(needs, order),
      refunds: (await listRefunds(db, order)).map(presentLedgerRefund),
      messages: (await withTexts({ ...needs, tokens: undefined }, messages)).map(presentQueuedMessage),
      proof: presentProof(orderId, await findProof(db, orderId), config.baseUrl),
      webhook_deliveries: calls.map(presentCall),
      offers: notices.filter(({ kind }) => kind === 'offered').map(presentOrderNotice),
      store_notices: notices.filter(({ kind }) => kind !== 'offered').map(presentNotice),
      deliveries: (await listDeliveries(db, orderId)).map(presentCourierDelivery),
    };
    return session.role === 'admin' ? document : hideEmail(document, order.request.customer.email);
  },
});

/** Masks an email address wherever the document has it, in the texts of messages too. */
function hideEmail<T>(document: T, email: string): T {
  if (email === '') return document;
  const masked = maskEmail(email);
  const hide = (_name: string, value: unknown) =>
    typeof value === 'string' ? value.replaceAll(email, masked).replaceAll(toMarkup(html`${email}`), masked) : value;
  return JSON.parse(JSON.stringify(document, hide));
}

/** Reads a sandbox order's charges from the sandbox gateway, and a live order's from the ledger. */
async function presentCharges({ db, gateways }: OrderDocumentNeeds, order: Order) {
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

type AdvanceNeeds = Pick<OrderDeps, 'db' | 'clock' | 'config'> & {
  inventory: Pick<OrderDeps['inventory'], 'evict'>;
  streets: readonly Street[];
};

export const advanceAnyOrderProcedure = procedure({
  name: 'advanceAnyOrder',
  endpoint: 'POST /operator/orders/:order_id/advance',
  command: 'orders advance <order_id> <event>',
  role: 'support',
  refuses: ['order_not_found', 'transition_not_allowed'],
  summary: 'Move an order to its next step, for its store or courier',
  description:
    'A sandbox order gets the details of a simulated store and courier; a live order gets none. The change is recorded.',
  example: { body: { event: 'confirm' } },
  params: Params,
  body: Type.Object({ event: Type.Enum([...ADVANCE_EVENTS], { description: 'The step.' }) }),
  answer: OrderSchema,
  async run(needs: AdvanceNeeds, { session: { sessionId }, params: { order_id: orderId }, body: { event } }) {
    const { db, config, streets } = needs;
    if (!(await findAnyOrder(db, orderId))) throw orderNotFound();
    const order = await takeStep(needs, orderId, {
      event,
      detailsOf: (locked, now) =>
        locked.mode === 'sandbox' ? simulatedDetails(locked, event, { baseUrl: config.baseUrl, streets, now }) : {},
      alongside: (tx, _change, at) =>
        insertAction(tx, { at, sessionId, action: 'order.advance', target: orderId, details: { event } }),
    });
    return presentOrder(order, trackingSiteOf(await findBranding(db, order.accountId), config.trackingUrl));
  },
});

/** A refund of the ledger, for operators. */
function presentLedgerRefund(refund: Refund) {
  return {
    refund_id: refund.refundId,
    kind: refund.kind,
    state: refund.state,
    reason: refund.reason,
    items: refund.items.map(({ index, quantity, cents, taxCents }) => ({
      index,
      quantity,
      cents,
      tax_cents: taxCents,
    })),
    amount: refund.cents,
    refunded_amount: refund.refundedCents,
    created_at: isoSeconds(refund.createdAt),
    ended_at: refund.endedAt && isoSeconds(refund.endedAt),
  };
}
