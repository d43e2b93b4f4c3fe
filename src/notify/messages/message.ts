import type { Order } from '../../ordering/order/order.ts';
import type { OrderMessage } from '../../ordering/order/present-order.ts';
import { maskEmail, maskPhone } from '../../platform/lib/mask-contact.ts';
import { epochSeconds } from '../../platform/lib/time.ts';
import { OPTED_OUT } from '../outbox/messaging.ts';

/* A message to a customer: its channels, kinds and states, and how accounts and sandboxes see it. */

export const MESSAGE_CHANNELS = ['sms', 'email'] as const;
export type MessageChannel = (typeof MESSAGE_CHANNELS)[number];

/** The kinds of messages, in the order that an order causes them. */
export const MESSAGE_KINDS = [
  'order_placed',
  'order_confirmation',
  'store_confirmed',
  'order_delayed',
  'order_item_changed',
  'ready_for_pickup',
  'on_its_way',
  'final_receipt',
  'card_declined',
  'driver_nearby',
  'delivered',
  'order_problem',
  'order_canceled',
  'order_refunded',
] as const;
export type MessageKind = (typeof MESSAGE_KINDS)[number];

/**
 * `pending` waits; `kept` is never sent (sandbox outbox); `dead` failed for good; `over_budget` exceeded the account's
 * daily budget; `not_sent` is an SMS to an unreachable number.
 */
export const MESSAGE_STATES = ['pending', 'sent', 'kept', 'dead', 'over_budget', 'not_sent'] as const;
export type MessageState = (typeof MESSAGE_STATES)[number];

/** A customer's problem with an order. */
export const PROBLEM_REASONS = ['missing_item', 'wrong_item', 'quality', 'late', 'payment', 'other'] as const;
export type ProblemReport = { reason: (typeof PROBLEM_REASONS)[number]; text: string };

/** An SMS or email to one person, and its state in the queue. Its text is written when it is sent or read. */
export type Message = {
  messageId: string;
  accountId: string;
  orderId: string;
  /** The `sequence` of the order's event that caused the message. */
  sequence: number;
  mode: 'sandbox' | 'live';
  channel: MessageChannel;
  kind: MessageKind;
  state: MessageState;
  attempts: number;
  lastError: string | null;
  nextAttemptAt: Temporal.Instant | null;
  createdAt: Temporal.Instant;
  sentAt: Temporal.Instant | null;
  /** Whether the text explains how to opt out, as until the provider accepts an SMS of the account to the number. */
  saysOptOut: boolean;
  /** Number of the copy that an operator has sent again; 0 for the message of the event itself. */
  copy: number;
  /** The customer's report in an `order_problem`, a message to the account; otherwise null. */
  report: ProblemReport | null;
};

export type WrittenMessage = {
  /** A phone number in E.164, or an email address. */
  recipient: string;
  bcc: string | null;
  /** Address for replies, if it is not the sender's. */
  replyTo?: string | undefined;
  /** Sender, which is a mailbox such as `Name <address>`, or a number or name for SMS. */
  sender: string;
  subject: string | null;
  text: string;
  html: string | null;
};

/** Returns an element of GET /sandbox/messages. */
export function presentMessage(message: Message & WrittenMessage) {
  return {
    id: message.messageId,
    order_id: message.orderId,
    channel: message.channel,
    kind: message.kind,
    to: message.recipient,
    bcc: message.bcc,
    from: message.sender,
    subject: message.subject,
    text: message.text,
    html: message.html,
    timestamp: epochSeconds(message.createdAt),
  };
}

const NO_REASON: ReadonlySet<MessageState> = new Set(['pending', 'sent']);

/** Returns a message's recipient for readers who need not reach the customer; every surface masks by this rule. */
export function maskedRecipient(channel: MessageChannel, { request }: Pick<Order, 'request'>): string {
  const { phone, email } = request.customer;
  return channel === 'sms' ? maskPhone(phone) : maskEmail(email);
}

/** Presents a message to the customer as its account sees it (docs/messages.md#messages-that-were-not-sent). */
export function presentOrderMessage(message: Message, order: Pick<Order, 'request'>): OrderMessage {
  const { messageId, channel, kind, state, lastError, createdAt, sentAt } = message;
  return {
    message_id: messageId,
    channel,
    kind,
    to: maskedRecipient(channel, order),
    state: NO_REASON.has(state) ? (state as 'pending' | 'sent') : 'not_sent',
    ...(NO_REASON.has(state) ? {} : { reason: reasonOf(state, lastError) }),
    timestamp: epochSeconds(createdAt),
    ...(sentAt ? { sent_at: epochSeconds(sentAt) } : {}),
  };
}

function reasonOf(state: MessageState, lastError: string | null): NonNullable<OrderMessage['reason']> {
  if (state === 'kept') return 'sandbox';
  if (state === 'over_budget') return 'over_budget';
  if (state === 'dead') return 'failed';
  return lastError === OPTED_OUT ? 'opted_out' : 'out_of_reach';
}
