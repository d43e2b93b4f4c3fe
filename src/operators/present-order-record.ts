import type { TrackingSite } from '../accounts/tracking-site.ts';
import { epochSeconds } from '../lib/time.ts';
import { itemChanges } from '../messages/item-change.ts';
import type { Message } from '../messages/message.ts';
import type { StoreNotice } from '../offers/store-notice.ts';
import { allowsStep } from '../orders/advance-order.ts';
import { numberOf, type Order } from '../orders/order.ts';
import { ADVANCE_EVENTS, type OrderEventType } from '../orders/order-events.ts';
import { tipOf } from '../orders/tips/tip-raise.ts';
import { trackingLinkOf } from '../orders/tracking-link.ts';
import type { PricedCustomization } from '../quotes/price-order.ts';
import type { FailedCall } from '../webhooks/calls.db.ts';
import { maskEmail, maskPhone } from './mask-recipient.ts';
import { presentAction, type RecordedAction } from './operator-action.ts';
import type { OrderRecord } from './order-record-schema.ts';

const secondsOf = (moment: Temporal.Instant | null) => moment && epochSeconds(moment);

/** Everything that followed from an order. */
export type Followed = {
  accountName: string;
  events: readonly {
    sequence: number;
    type: OrderEventType;
    at: Temporal.Instant;
    data: Readonly<Record<string, unknown>>;
  }[];
  notices: readonly StoreNotice[];
  messages: readonly Message[];
  calls: readonly FailedCall[];
  actions: readonly RecordedAction[];
};

/** An order with everything that followed from it: its customer is shown with name, phone and address, and no e-mail. */
export function presentOrderRecord(order: Order, followed: Followed, site: TrackingSite): OrderRecord {
  return {
    ...factsOf(order, site),
    account_name: followed.accountName,
    charge: {
      ...{ charge_state: order.chargeState, charge_id: order.chargeId, attempts: order.chargeAttempt },
      ...{ started_at: secondsOf(order.chargeStartedAt), charged_amount: order.chargedCents },
      ...{ refunded_amount: order.refundedCents, refunding_amount: order.refundingCents },
    },
    events: followed.events.map(({ sequence, type, at, data }) => ({ sequence, type, at: epochSeconds(at), data })),
    notices: followed.notices.map(presentNotice),
    messages: followed.messages.map((message) => presentMessage(message, order)),
    webhook_calls: followed.calls.map(presentCall),
    actions: followed.actions.map(presentAction),
  };
}

function factsOf(order: Order, site: TrackingSite) {
  const { request, quote } = order;
  const { store } = quote;
  return {
    ...{ order_id: order.orderId, order_number: numberOf(order), customer_order_id: request.customerOrderId },
    ...{ mode: order.mode, account_id: order.accountId },
    ...{ store_id: order.storeId, store_name: store.name, store_phone: store.phoneNumber },
    ...{ status: order.status, is_ready: order.isReady, pickup: request.mode === 'pickup' },
    ...{ cancel_reason: order.cancelReason, created_at: epochSeconds(order.createdAt) },
    ...{ placed_at: secondsOf(order.placedAt), offered_at: secondsOf(order.offerAt) },
    ...{ received_at: secondsOf(order.receivedAt), confirm_by: secondsOf(order.confirmBy) },
    ...{ ready_by: secondsOf(order.readyBy), eta: secondsOf(order.eta) },
    scheduled_for: quote.scheduled?.startEpochS ?? null,
    steps: order.placedAt === null ? [] : ADVANCE_EVENTS.filter((event) => allowsStep(order, event)),
    customer: customerOf(order),
    items: itemsOf(order),
    ...{ subtotal: quote.subtotalCents, tax: quote.salesTaxCents, tip: tipOf(order) },
    fees: quote.deliveryFeeCents + quote.serviceFeeCents + quote.smallOrderFeeCents,
    total_with_tip: quote.totalWithTipCents + order.addedTipCents,
    tracking_link: trackingLinkOf(site, order.orderId),
  };
}

function customerOf({ request }: Order) {
  const { customer, mode } = request;
  const street = [customer.streetNum, customer.streetName, customer.aptNum].filter((part) => part !== '').join(' ');
  const address = [street, customer.city, customer.state, customer.zipcode].filter((part) => part !== '').join(', ');
  return {
    name: customer.name,
    phone: customer.phone,
    address: mode === 'delivery' ? address : null,
    notes: mode === 'delivery' ? customer.dropoffNotes : customer.pickupNotes,
  };
}

function itemsOf(order: Order): OrderRecord['items'] {
  const changes = itemChanges(order);
  return order.quote.items.map(({ name, quantity, customizations, notes, totalCents }, index) => ({
    ...{ name, quantity, options: customizations.flatMap(optionNames), notes },
    ...{ change: changes[index] ?? null, total: totalCents },
  }));
}

function optionNames({ options }: PricedCustomization): string[] {
  return options.flatMap(({ name, quantity, customizations }) => [
    quantity > 1 ? `${quantity} × ${name}` : name,
    ...customizations.flatMap(optionNames),
  ]);
}

function presentNotice({ channel, kind, state, attempts, lastError, createdAt, sentAt, acknowledgedAt }: StoreNotice) {
  return {
    ...{ channel, kind, state, attempts, last_error: lastError, created_at: epochSeconds(createdAt) },
    ...{ sent_at: secondsOf(sentAt), acknowledged_at: secondsOf(acknowledgedAt) },
  };
}

function presentMessage({ messageId, channel, kind, state, ...message }: Message, { request }: Order) {
  const { phone, email } = request.customer;
  return {
    ...{ message_id: messageId, channel, kind, state, attempts: message.attempts, last_error: message.lastError },
    to: channel === 'sms' ? maskPhone(phone) : maskEmail(email),
    ...{ created_at: epochSeconds(message.createdAt), sent_at: secondsOf(message.sentAt) },
  };
}

function presentCall({ webhookId, type, state, attempts, lastStatus, lastError, nextAttemptAt }: FailedCall) {
  return {
    ...{ webhook_id: webhookId, type, state, attempts, last_status: lastStatus, last_error: lastError },
    next_attempt_at: secondsOf(nextAttemptAt),
  };
}
