import type { Logger } from 'pino';
import { budgetDay } from '../../access/budgets/budget.ts';
import { spendBudget } from '../../access/budgets/spend-budget.db.ts';
import { gsmText } from '../../notify/messages/gsm-text.ts';
import { recordSmsRecipients } from '../../notify/messages/sms-opt-outs.db.ts';
import { isInSmsReach } from '../../notify/messages/sms-reach.ts';
import type { Channels } from '../../notify/outbox/hand-over.flow.ts';
import { letterJob } from '../../notify/outbox/send-letters.flow.ts';
import { type Order, shownOrderNumber } from '../../ordering/order/order.ts';
import type { OrderDeps } from '../../ordering/order/order-deps.ts';
import { findAnyOrder } from '../../ordering/order/orders.db.ts';
import type { Sql } from '../../platform/db/connect.ts';
import type { Worker } from '../../platform/jobs/job-queue.ts';
import type { JobKind } from '../../platform/jobs/jobs.ts';
import { e164Of } from '../../platform/lib/phone.ts';
import { oneLine, shorten } from '../../platform/lib/plain-text.ts';
import { findStorePreferences } from '../../supply/stores/set-store.db.ts';
import { localeOf } from '../../texts/catalogs.ts';
import { type DriverLink, driverLinkOf, isLinkAlive } from './driver-link.ts';

/** The link of a driver's page, by SMS to the driver that a store has assigned. */
type TextedLink = DriverLink & { saysOptOut: boolean };
const SEND_DRIVER_LINK: JobKind<TextedLink> = { name: 'send-driver-link' };

const MAX_SMS_NAME = 24;

export type TextLinkDeps = Pick<OrderDeps, 'config' | 'jobs'> & Pick<Channels, 'messaging'>;

/**
 * Queues the SMS in the transaction that assigns the driver; false where none can be sent, so that the store hands the
 * link over itself. It counts in the account's budget of SMS.
 */
export async function textDriverLink(
  { config, jobs, messaging }: TextLinkDeps,
  tx: Sql,
  { orderId, accountId, mode, driver, driverLink: link }: Order,
  now: Temporal.Instant,
): Promise<boolean> {
  const phone = e164Of(driver.phone ?? 0);
  if (mode !== 'live' || !messaging.smsSender || !isInSmsReach(phone, config.smsCountries)) return false;
  const spending = {
    accountId,
    mode,
    kind: 'sms',
    day: budgetDay(now),
    used: 1,
    max: config.dailyBudgets.sms,
  } as const;
  if (!(await spendBudget(tx, spending))) return false;
  const { firsts, optedOut } = await recordSmsRecipients(tx, [{ accountId, phone }]);
  if (optedOut.has(phone)) return false;
  await jobs.enqueue(tx, SEND_DRIVER_LINK, { orderId, link, saysOptOut: firsts.size > 0 });
  return true;
}

type SendLinkDeps = Channels & Pick<OrderDeps, 'db' | 'config' | 'tokens'> & { log: Logger };

/** Sends a queued link while it works, in the store's language. */
export function sendDriverLink(deps: SendLinkDeps): Worker<TextedLink> {
  const { db, config, tokens } = deps;
  return letterJob<TextedLink>(deps, {
    kind: SEND_DRIVER_LINK,
    noun: 'the link of a driver',
    idsOf: ({ orderId }) => ({ orderId }),
    async write({ orderId, link, saysOptOut }) {
      const order = await findAnyOrder(db, orderId);
      if (!order || !isLinkAlive(order, link) || order.driver.phone === undefined) return undefined;
      const { words } = localeOf((await findStorePreferences(db, order.storeId)).language, order.quote.store.country);
      const text = words.store.notice.smsDriver({
        store: shorten(oneLine(order.quote.store.name), MAX_SMS_NAME),
        number: shownOrderNumber(order),
        link: driverLinkOf(order, { tokens, baseUrl: config.baseUrl }),
      });
      const body = gsmText(saysOptOut ? `${text} ${words.customer.sms.optOut}` : text);
      return { channel: 'sms', to: e164Of(order.driver.phone), body };
    },
  });
}
