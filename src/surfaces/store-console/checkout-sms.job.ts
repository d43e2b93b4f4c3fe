import type { Logger } from 'pino';
import { allowSms, type SmsDeps } from '../../notify/messages/allow-sms.flow.ts';
import { shortenLink } from '../../notify/messages/shorten-links.flow.ts';
import { isFirstSms, recordSmsTaken } from '../../notify/messages/sms-opt-outs.db.ts';
import { isPhoneInReach } from '../../notify/messages/sms-reach.ts';
import { checkoutSms } from '../../notify/messages/sms-texts.ts';
import type { Channels } from '../../notify/outbox/hand-over.flow.ts';
import { letterJob } from '../../notify/outbox/send-letters.flow.ts';
import { checkoutTokenOf, checkoutUrlOf, isCheckoutAlive } from '../../ordering/order/checkout-link.ts';
import type { Order } from '../../ordering/order/order.ts';
import type { OrderDeps } from '../../ordering/order/order-deps.ts';
import { findAnyOrder } from '../../ordering/order/orders.db.ts';
import type { Worker } from '../../platform/jobs/job-queue.ts';
import type { JobKind } from '../../platform/jobs/jobs.ts';
import { e164Of } from '../../platform/lib/phone.ts';

/** The checkout link for a store's phone order, by SMS to the customer. */
type TextedCheckout = { orderId: string };
const SEND_CHECKOUT_LINK: JobKind<TextedCheckout> = { name: 'send-checkout-link' };

/**
 * Queues the SMS; false where none can be sent, so that the store shares the link itself. The sandbox's outbox lists a
 * sandbox order's SMS.
 */
export async function textCheckoutLink(deps: SmsDeps & Pick<OrderDeps, 'db' | 'clock' | 'jobs'>, order: Order) {
  const { orderId, request } = order;
  if (request.disableSms) return false;
  if (order.mode === 'sandbox') return isPhoneInReach(request, deps.config.smsCountries);
  return deps.db.transaction().execute(async (tx) => {
    const allowed = await allowSms(deps, tx, order, e164Of(request.customer.phone ?? 0), deps.clock.now());
    if (allowed) await deps.jobs.enqueue(tx, SEND_CHECKOUT_LINK, { orderId });
    return allowed;
  });
}

type SendCheckoutDeps = Channels & Pick<OrderDeps, 'db' | 'clock' | 'tokens' | 'trackingSites'> & { log: Logger };

/** Sends a queued link while it works, in the customer's language. */
export function sendCheckoutLink(deps: SendCheckoutDeps): Worker<TextedCheckout> {
  const { db, clock, tokens, trackingSites } = deps;
  return letterJob<TextedCheckout>(deps, {
    kind: SEND_CHECKOUT_LINK,
    noun: 'the link of a checkout',
    idsOf: ({ orderId }) => ({ orderId }),
    recordTaken: (letter) => recordSmsTaken(db, letter),
    async write({ orderId }) {
      const order = await findAnyOrder(db, orderId);
      const token = order && isCheckoutAlive(order, clock.now()) ? checkoutTokenOf(tokens, order) : undefined;
      const phone = order?.request.customer.phone;
      if (!order || token === undefined || typeof phone !== 'number') return undefined;
      const site = trackingSites.siteOf(order.accountId);
      const link = await shortenLink(deps, site.siteUrl, checkoutUrlOf(site, token));
      const { accountId } = order;
      const to = e164Of(phone);
      const isFirst = await isFirstSms(db, { accountId, phone: to });
      return { channel: 'sms', accountId, to, body: checkoutSms(order, link, isFirst) };
    },
  });
}
