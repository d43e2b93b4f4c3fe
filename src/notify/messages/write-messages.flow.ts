import type { Logger } from 'pino';
import { findBrandings } from '../../access/accounts/brandings.db.ts';
import { createTrackingKeys, trackingLinkOf, trackingSiteOf } from '../../access/accounts/tracking-site.ts';
import type { Refund } from '../../ordering/money/refund.ts';
import { findRefunds } from '../../ordering/money/refunds.db.ts';
import { findEvents, type LoggedEvent } from '../../ordering/order/order-events.db.ts';
import { findCardsOfOrders } from '../../ordering/payments/payment-methods.db.ts';
import { findTaxIds } from '../../ordering/statements/store-terms.db.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/db/connect.ts';
import type { TokenSealer } from '../../platform/lib/tokens.ts';
import type { Messaging } from '../outbox/messaging.ts';
import type { Message, WrittenMessage } from './message.ts';
import type { MessageContext } from './message-context.ts';
import { writeMessage } from './write-message.ts';

export type WritingDeps = { db: Db; log: Logger; config: Config } & {
  messaging: Pick<Messaging, 'frame' | 'textFrom'>;
  /** Signs the key in the customer's link; undefined for readers whose links have no key. */
  tokens?: TokenSealer | undefined;
};

/**
 * Writes messages about the order as it was right after the event, with the account's current branding. Undefined for a
 * message that cannot be written, which is an internal error and delays no other message.
 */
export async function writeMessages(
  writing: WritingDeps,
  messages: readonly Message[],
): Promise<(WrittenMessage | undefined)[]> {
  if (messages.length === 0) return [];
  const { config, log, messaging } = writing;
  const contextOf = await readContexts(writing, messages);
  const hasMail = messages.some(({ channel }) => channel === 'email');
  const frame = hasMail ? await messaging.frame() : '';
  const settings = { mailFrom: config.mailFrom, textFrom: messaging.textFrom, frame };
  return messages.map((message) => {
    try {
      return writeMessage(message, contextOf(message), settings);
    } catch (error) {
      const { messageId, accountId, orderId, kind } = message;
      log.error({ err: error, messageId, accountId, orderId, kind }, 'a message could not be written');
      return undefined;
    }
  });
}

/** Returns the messages with their texts, for readers of the outbox. Omits messages that cannot be written. */
export async function withTexts(
  writing: WritingDeps,
  messages: readonly Message[],
): Promise<(Message & WrittenMessage)[]> {
  const written = await writeMessages(writing, messages);
  return messages.map((message, index) => ({ ...message, ...(written[index] ?? UNWRITTEN) }));
}

export const UNWRITTEN: WrittenMessage = { recipient: '', bcc: null, sender: '', subject: null, text: '', html: null };

async function readContexts({ db, config, tokens }: WritingDeps, messages: readonly Message[]) {
  const trackingKeyOf = tokens && createTrackingKeys(tokens);
  const events = await findEvents(db, messages);
  const byKey = new Map(events.map((event) => [keyOf(event.order.orderId, event.sequence), event]));
  const brandings = await findBrandings(db, [...new Set(messages.map(({ accountId }) => accountId))]);
  const cardIds = new Set(events.flatMap(({ order }) => order.request.paymentMethodId ?? []));
  const cards = await findCardsOfOrders(db, [...cardIds]);
  const refunded = events.filter(({ order }) => order.refundedCents > 0).map(({ order }) => order.orderId);
  const refunds = await findRefunds(db, [...new Set(refunded)]);
  const taxIds = await findTaxIds(db, [...new Set(events.map(({ order }) => order.orderId))], config.taxIds);
  return ({ accountId, orderId, sequence, saysOptOut, report }: Message): MessageContext => {
    const event = byKey.get(keyOf(orderId, sequence));
    const branding = brandings.get(accountId);
    if (!event || !branding) throw new Error('Every message has an event, and every account a branding.');
    const { order, at } = event;
    const card = cards.get(order.request.paymentMethodId ?? '');
    const site = trackingSiteOf(branding, config.trackingUrl);
    // A report goes to the account's staff, who must not have the customer's key.
    const trackingLink = trackingLinkOf({ ...site, keyOf: report ? undefined : trackingKeyOf }, orderId);
    const reported = refunds
      .filter((refund) => refund.orderId === orderId && isReportedBy(refund, sequence))
      .toSorted((a, b) => (a.sequence ?? 0) - (b.sequence ?? 0));
    const refundCents = refundCentsOf(event);
    const remitter = { taxIds: taxIds.get(orderId) ?? [] };
    return { order, at, branding, trackingLink, card, refundCents, refunds: reported, saysOptOut, report, ...remitter };
  };
}

const keyOf = (orderId: string, sequence: number) => `${orderId} ${sequence}`;

/** Whether the event with this sequence, or an earlier one, already reported the refund. */
function isReportedBy(refund: Refund, sequence: number): boolean {
  return refund.sequence !== null && refund.sequence <= sequence;
}

function refundCentsOf({ data }: LoggedEvent): number {
  const isRefunding = typeof data === 'object' && data !== null && 'refund_cents' in data;
  return isRefunding && typeof data.refund_cents === 'number' ? data.refund_cents : 0;
}
