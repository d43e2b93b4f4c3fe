import { countActions } from '../../access/sessions/actions.db.ts';
import { listChannels } from '../../fulfillment/store-channels/store-channels.db.ts';
import { isNotifiedOfChanges } from '../../fulfillment/store-channels/store-notice.ts';
import { insertNotices, listNotices, nextCopyNo } from '../../fulfillment/store-channels/store-notices.db.ts';
import { maskedRecipient } from '../../notify/messages/message.ts';
import { copyMessage } from '../../notify/messages/messages.db.ts';
import { findOptedOut } from '../../notify/messages/sms-opt-outs.db.ts';
import { requireActiveEndpoint } from '../../notify/webhooks/active-endpoint.flow.ts';
import { listCallsOfOrder, replayCalls } from '../../notify/webhooks/calls.db.ts';
import type { Order } from '../../ordering/order/order.ts';
import { requireLockedOrder } from '../../ordering/order/require-order.flow.ts';
import type { Sql } from '../../platform/db/connect.ts';
import type { Context } from '../../platform/db/context.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { e164Of } from '../../platform/lib/phone.ts';
import { randomId } from '../../platform/lib/random-id.ts';
import type { DeskAlongside, Recipient } from './order-desk.flow.ts';

/** Maximum messages, offers and calls of one order that operators send again. */
const MAX_RESENDS = 10;

/** What is sent again: a message to the customer, the offer on a channel of the store, or a call to the account. */
export type Resend = { messageId: string } | { channel: string } | { webhookId: string };

/**
 * Sends something of an order again, to the same recipient. Refuses with `order_not_found`, `order_forgotten`,
 * `not_found` and `transition_not_allowed`.
 */
export async function resend(
  { db, clock }: Context,
  orderId: string,
  what: Resend,
  alongside: DeskAlongside,
): Promise<Order> {
  const now = clock.now();
  return db.transaction().execute(async (tx) => {
    const order = await requireLockedOrder(tx, orderId);
    if (order.isForgotten) throw new Refusal('order_forgotten', "This order's personal data was erased.");
    const attempt = await countActions(tx, { target: orderId, action: 'order.resend' });
    if (attempt >= MAX_RESENDS) throw refused(`An order allows up to ${MAX_RESENDS} resends.`);
    const recipients = await send(tx, order, what, now);
    await alongside(tx, { before: order, after: order, recipients: [recipients], attempt }, now);
    return order;
  });
}

function send(tx: Sql, order: Order, what: Resend, now: Temporal.Instant): Promise<Recipient> {
  if ('messageId' in what) return sendMessage(tx, order, what.messageId, now);
  return 'channel' in what ? sendOffer(tx, order, what.channel, now) : sendCall(tx, order, what.webhookId, now);
}

/** Sandbox messages are not rows of the queue, so none is found. */
async function sendMessage(tx: Sql, order: Order, messageId: string, now: Temporal.Instant): Promise<Recipient> {
  const { orderId, request } = order;
  const copied = await copyMessage(tx, { orderId, messageId, copyId: randomId('msg_') }, now);
  if (!copied) throw new Refusal('not_found', 'No sent or failed message of this order matches this ID.');
  const { channel, kind } = copied;
  if (channel === 'sms') {
    const phone = e164Of(request.customer.phone ?? 0);
    if ((await findOptedOut(tx, [phone])).size > 0) throw refused('The recipient has opted out of text messages.');
  }
  return { who: 'customer', by: channel, what: kind, to: maskedRecipient(channel, order) };
}

/** The offer, while the store has not confirmed; channels that read orders themselves show it anyway. */
async function sendOffer(tx: Sql, order: Order, name: string, now: Temporal.Instant): Promise<Recipient> {
  const { orderId, storeId, mode, status } = order;
  const channels = mode === 'live' ? await listChannels(tx, storeId) : [];
  const channel = channels.map((one) => one.channel).find((one) => one === name && isNotifiedOfChanges(one));
  if (!channel) {
    throw new Refusal('not_found', 'The store has no such channel for orders.');
  }
  if (status !== 'awaiting_confirmation') throw refused('The order no longer waits for its store.');
  const notices = await listNotices(tx, orderId);
  const isWaiting = notices.some((one) => one.channel === channel && one.kind === 'offered' && one.state === 'waiting');
  if (isWaiting) throw refused('The order is still being sent on this channel.');
  const copy = await nextCopyNo(tx, orderId, 'offered');
  await insertNotices(tx, [{ orderId, storeId, channel, kind: 'offered', copy, at: now }]);
  return { who: 'store', by: channel, what: 'offered', to: '' };
}

/** The call keeps its id and its body, so that an endpoint which had it recognizes it. */
async function sendCall(tx: Sql, order: Order, webhookId: string, now: Temporal.Instant): Promise<Recipient> {
  const call = (await listCallsOfOrder(tx, order.orderId)).find((one) => one.webhookId === webhookId);
  if (!call) throw new Refusal('not_found', 'There is no webhook delivery with this ID for this order.');
  await requireActiveEndpoint(tx, order);
  await replayCalls(tx, order, { webhookId }, now);
  return { who: 'account', by: 'webhook', what: call.type, to: '' };
}

const refused = (sentence: string) => new Refusal('transition_not_allowed', sentence);
