import type { Logger } from 'pino';
import { allowSms, type SmsDeps } from '../../notify/messages/allow-sms.flow.ts';
import { shortenLink } from '../../notify/messages/shorten-links.flow.ts';
import { isFirstSms, recordSmsTaken } from '../../notify/messages/sms-opt-outs.db.ts';
import { linkSms } from '../../notify/messages/sms-texts.ts';
import type { Channels } from '../../notify/outbox/hand-over.flow.ts';
import { letterJob } from '../../notify/outbox/send-letters.flow.ts';
import { type Order, shownOrderNumber } from '../../ordering/order/order.ts';
import type { OrderDeps } from '../../ordering/order/order-deps.ts';
import { findAnyOrder } from '../../ordering/order/orders.db.ts';
import type { Sql } from '../../platform/db/connect.ts';
import type { Worker } from '../../platform/jobs/job-queue.ts';
import type { JobKind } from '../../platform/jobs/jobs.ts';
import { e164Of } from '../../platform/lib/phone.ts';
import { findStorePreferences } from '../../supply/stores/set-store.db.ts';
import { localeOf } from '../../texts/catalogs.ts';
import { type DriverLink, driverLinkOf, isLinkAlive } from './driver-link.ts';

/** The link of a driver's page, by SMS to the driver that a store has assigned. */
const SEND_DRIVER_LINK: JobKind<DriverLink> = { name: 'send-driver-link' };

export type TextLinkDeps = SmsDeps & Pick<OrderDeps, 'jobs'>;

/**
 * Queues the SMS in the transaction that assigns the driver; false where none can be sent, so that the store hands the
 * link over itself. It counts in the account's budget of SMS.
 */
export async function textDriverLink(deps: TextLinkDeps, tx: Sql, order: Order, now: Temporal.Instant) {
  const { orderId, driver, driverLink: link } = order;
  const allowed = await allowSms(deps, tx, order, e164Of(driver.phone ?? 0), now);
  if (allowed) await deps.jobs.enqueue(tx, SEND_DRIVER_LINK, { orderId, link });
  return allowed;
}

type SendLinkDeps = Channels & Pick<OrderDeps, 'db' | 'clock' | 'config' | 'tokens'> & { log: Logger };

/** Sends a queued link while it works, in the store's language. */
export function sendDriverLink(deps: SendLinkDeps): Worker<DriverLink> {
  const {
    db,
    config: { baseUrl },
    tokens,
  } = deps;
  return letterJob<DriverLink>(deps, {
    kind: SEND_DRIVER_LINK,
    noun: 'the link of a driver',
    idsOf: ({ orderId }) => ({ orderId }),
    recordTaken: (letter) => recordSmsTaken(db, letter),
    async write({ orderId, link: assignment }) {
      const order = await findAnyOrder(db, orderId);
      if (!order || !isLinkAlive(order, assignment) || order.driver.phone === undefined) return undefined;
      const { words } = localeOf((await findStorePreferences(db, order.storeId)).language, order.quote.store.country);
      const link = await shortenLink(deps, baseUrl, driverLinkOf(order, { tokens, baseUrl }));
      const facts = { number: shownOrderNumber(order), link };
      const { accountId } = order;
      const to = e164Of(order.driver.phone);
      const isFirst = await isFirstSms(db, { accountId, phone: to });
      const body = linkSms(order, isFirst ? words.customer.sms.optOut : undefined, (store) =>
        words.store.notice.smsDriver({ store, ...facts }),
      );
      return { channel: 'sms', accountId, to, body };
    },
  });
}
