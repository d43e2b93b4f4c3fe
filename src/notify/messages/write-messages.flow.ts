import type { Logger } from 'pino';
import type { Branding } from '../../access/accounts/branding.ts';
import { findBrandings } from '../../access/accounts/brandings.db.ts';
import { createTrackingKeys, trackingLinkOf, trackingSiteOf } from '../../access/accounts/tracking-site.ts';
import type { Refund } from '../../ordering/money/refund.ts';
import { findRefunds } from '../../ordering/money/refunds.db.ts';
import { cardPageUrlOf } from '../../ordering/order/checkout-link.ts';
import { findEvents, type LoggedEvent } from '../../ordering/order/order-events.db.ts';
import { payingMethodId } from '../../ordering/order/order-view.ts';
import { findCardsOfOrders } from '../../ordering/payments/payment-methods.db.ts';
import { findTaxIds } from '../../ordering/statements/store-terms.db.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Db } from '../../platform/db/connect.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import type { TokenSealer } from '../../platform/lib/tokens.ts';
import type { Messaging } from '../outbox/messaging.ts';
import type { Message, WrittenMessage } from './message.ts';
import type { MessageContext } from './message-context.ts';
import { shortenLinks } from './shorten-links.flow.ts';
import { LINKED_SMS } from './sms-texts.ts';
import { writeMessage } from './write-message.ts';

/* Writes the text of messages when they are sent or read: reads the orders, brands and cards that it names. */

export type WritingDeps = { db: Db; log: Logger; config: Config; clock: Clock } & {
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

async function readContexts({ db, config, clock, tokens }: WritingDeps, messages: readonly Message[]) {
  const trackingKeyOf = tokens && createTrackingKeys(tokens);
  const events = await findEvents(db, messages);
  const byKey = new Map(events.map((event) => [keyOf(event.order.orderId, event.sequence), event]));
  const brandings = await findBrandings(db, [...new Set(messages.map(({ accountId }) => accountId))]);
  const cardIds = new Set(events.flatMap(({ order }) => payingMethodId(order) ?? []));
  const cards = await findCardsOfOrders(db, [...cardIds]);
  const refunded = events.filter(({ order }) => order.refundedCents > 0).map(({ order }) => order.orderId);
  const refunds = await findRefunds(db, [...new Set(refunded)]);
  const taxIds = await findTaxIds(db, [...new Set(events.map(({ order }) => order.orderId))], config.taxIds);
  const siteOf = (branding: Branding) => ({ ...trackingSiteOf(branding, config.trackingUrl), keyOf: trackingKeyOf });
  const inSms = messages.flatMap(({ accountId, orderId, channel, kind }) => {
    const branding = channel === 'sms' && LINKED_SMS.has(kind) ? brandings.get(accountId) : undefined;
    const site = branding && siteOf(branding);
    return site ? [{ siteUrl: site.siteUrl, link: trackingLinkOf(site, orderId) }] : [];
  });
  const short = tokens && (await shortenLinks({ db, clock, tokens }, inSms));
  return ({ accountId, orderId, sequence, saysOptOut, report, channel }: Message): MessageContext => {
    const event = byKey.get(keyOf(orderId, sequence));
    const branding = brandings.get(accountId);
    if (!event || !branding) throw new Error('Messages must have an event, and accounts branding.');
    const { order, at } = event;
    const card = cards.get(payingMethodId(order) ?? '');
    const site = siteOf(branding);
    // A report goes to the account's staff, who must not have the customer's key.
    const linkSite = report ? { siteUrl: site.siteUrl } : site;
    const link = trackingLinkOf(linkSite, orderId);
    const trackingLink = (channel === 'sms' && short?.get(link)) || link;
    const links = { trackingLink, cardPageUrl: cardPageUrlOf(linkSite, orderId) };
    const reported = refunds
      .filter((refund) => refund.orderId === orderId && isReportedBy(refund, sequence))
      .toSorted((a, b) => (a.sequence ?? 0) - (b.sequence ?? 0));
    const refundCents = refundCentsOf(event);
    const remitter = { taxIds: taxIds.get(orderId) ?? [] };
    return { order, at, branding, ...links, card, refundCents, refunds: reported, saysOptOut, report, ...remitter };
  };
}

const keyOf = (orderId: string, sequence: number) => `${orderId} ${sequence}`;

/** Whether the event with this sequence, or an earlier one, already reported the refund. */
const isReportedBy = (refund: Refund, sequence: number) => refund.sequence !== null && refund.sequence <= sequence;

function refundCentsOf({ data }: LoggedEvent): number {
  const isRefunding = typeof data === 'object' && data !== null && 'refund_cents' in data;
  return isRefunding && typeof data.refund_cents === 'number' ? data.refund_cents : 0;
}
