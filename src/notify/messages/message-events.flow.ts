import { findBrandings } from '../../access/accounts/brandings.db.ts';
import { budgetDay } from '../../access/budgets/budget.ts';
import type { EventHandler } from '../../ordering/order/dispatch-events.flow.ts';
import type { WaitingEvent } from '../../ordering/order/order-events.db.ts';
import type { OrderEventType } from '../../ordering/order/order-events.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Sql } from '../../platform/db/connect.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { e164Of } from '../../platform/lib/phone.ts';
import { randomId } from '../../platform/lib/random-id.ts';
import { OPTED_OUT } from '../outbox/messaging.ts';
import { insertMessages } from './messages.db.ts';
import { type ExtraMessages, isExtra, messagesForEvent } from './messages-for-event.ts';
import { findOptedOut } from './sms-opt-outs.db.ts';
import { isPhoneInReach, OUT_OF_REACH } from './sms-reach.ts';

/**
 * Queues SMS and emails for events of live orders. Their text is written later, off the placing path; sandbox outboxes
 * derive from the log (sandbox-outbox.ts). Messages over budget, and SMS to numbers out of reach or opted out, are
 * queued as unsent.
 */
export function messageEvents({ config, clock }: { config: Config; clock: Clock }): EventHandler {
  const { smsCountries, dailyBudgets } = config;
  return async (tx, events) => {
    const messages = await writeMessages(tx, events, smsCountries);
    await insertMessages(tx, messages, { ...dailyBudgets, day: budgetDay(clock.now()) });
  };
}

async function writeMessages(tx: Sql, events: readonly WaitingEvent[], smsCountries: readonly string[]) {
  const extras = await extrasOf(tx, events);
  const messages = events.flatMap((event) => {
    const { request, orderId, accountId, mode, sequence, at } = event;
    if (!request) return [];
    return messagesForEvent(event, { ...event, request }, extras.get(accountId) ?? NO_EXTRAS).map((wanted) => {
      const isInReach = wanted.channel === 'email' || isPhoneInReach(request, smsCountries);
      const message = {
        messageId: randomId('msg_'),
        accountId,
        orderId,
        sequence,
        mode,
        ...wanted,
        createdAt: at,
        report: null,
      };
      const phone = wanted.channel === 'sms' ? e164Of(request.customer.phone ?? 0) : undefined;
      return { message, phone, reason: isInReach ? undefined : OUT_OF_REACH };
    });
  });
  const optedOut = await findOptedOut(
    tx,
    messages.flatMap(({ phone, reason }) => (phone === undefined || reason !== undefined ? [] : [phone])),
  );
  return messages.map(({ message, phone = '', reason = optedOut.has(phone) ? OPTED_OUT : undefined }) => {
    if (reason !== undefined) return { ...message, ...UNSENT, lastError: reason, nextAttemptAt: null };
    return { ...message, ...TO_SEND, nextAttemptAt: message.createdAt };
  });
}

const TO_SEND = { state: 'pending', lastError: null } as const;
const UNSENT = { state: 'not_sent' } as const;

const NO_EXTRAS: ExtraMessages = { onItsWay: 'off', delivered: 'off' };

/** Returns the optional messages of these events' accounts, read only if an event can cause one. */
function extrasOf(tx: Sql, events: readonly { type: OrderEventType; accountId: string }[]) {
  const accountIds = events.filter(({ type }) => isExtra(type)).map(({ accountId }) => accountId);
  return findBrandings(tx, [...new Set(accountIds)]);
}
