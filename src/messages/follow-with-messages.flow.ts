import { findBrandings } from '../accounts/brandings.db.ts';
import type { Deps } from '../deps.ts';
import { randomId } from '../lib/random-id.ts';
import type { Follower } from '../orders/dispatch-events.flow.ts';
import type { LoggedEvent } from '../orders/order-events.db.ts';
import { trackingLinkOf } from '../orders/present-order.ts';
import { findCardsOfOrders } from '../payments/payment-methods.db.ts';
import { insertMessages, type NewMessage } from './messages.db.ts';
import { type MessageToWrite, messagesForEvent } from './messages-for-event.ts';
import type { Occasion } from './occasion.ts';
import { type MessageSettings, type WrittenMessage, writeMessage } from './write-message.ts';

/**
 * The SMS and e-mails that events bring, written as they will be read: later changes of the order, the store or the
 * branding do not reach them. A sandbox order's are kept, a live one's wait to be sent.
 */
export const followWithMessages: Follower = async (tx, deps, events) => {
  const due = events.flatMap((event) =>
    messagesForEvent(event.type, event.order.request).map((wanted) => ({ event, wanted })),
  );
  if (due.length === 0) return;
  const occasionOf = await occasionsOf(tx, deps, [...new Set(due.map(({ event }) => event))]);
  const { config, messaging } = deps;
  const { mailFrom, twilio } = config;
  const settings = { mailFrom, textFrom: twilio?.from, frame: await messaging.frame() };
  const messages = due.map(({ event, wanted }) => messageOf(deps, event, wanted, occasionOf(event), settings));
  await insertMessages(tx, messages);
};

async function occasionsOf(tx: Parameters<Follower>[0], { config }: Deps, events: readonly LoggedEvent[]) {
  const accountIds = [...new Set(events.map(({ order }) => order.accountId))];
  const cardIds = new Set(events.flatMap(({ order }) => order.request.paymentMethodId ?? []));
  const brandings = await findBrandings(tx, accountIds);
  const cards = await findCardsOfOrders(tx, [...cardIds]);
  return ({ order, at, data }: LoggedEvent): Occasion => {
    const branding = brandings.get(order.accountId);
    if (!branding) throw new Error('Every account has a branding.');
    return {
      order,
      at,
      branding,
      trackingLink: trackingLinkOf(config.trackingUrl, order.orderId),
      card: cards.get(order.request.paymentMethodId ?? ''),
      refundCents: typeof data.refund_cents === 'number' ? data.refund_cents : 0,
    };
  };
}

/** A message that cannot be written is our bug: it is kept as dead, and holds up neither the others nor the order. */
function messageOf(
  { log }: Deps,
  { order, at }: LoggedEvent,
  wanted: MessageToWrite,
  occasion: Occasion,
  settings: MessageSettings,
): NewMessage {
  const { orderId, accountId, mode } = order;
  const base = { messageId: randomId('msg_'), accountId, orderId, mode, ...wanted, createdAt: at };
  try {
    const written = writeMessage(wanted, occasion, settings);
    const isLive = mode === 'live';
    return { ...base, ...written, state: isLive ? 'pending' : 'kept', nextAttemptAt: isLive ? at : null };
  } catch (error) {
    log.error({ err: error, orderId, kind: wanted.kind }, 'a message could not be written');
    return { ...base, ...UNWRITTEN, state: 'dead', nextAttemptAt: null, lastError: 'could not be written' };
  }
}

const UNWRITTEN: WrittenMessage = { recipient: '', bcc: null, sender: '', subject: null, text: '', html: null };
