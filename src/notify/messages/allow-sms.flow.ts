import { budgetDay } from '../../access/budgets/budget.ts';
import { spendBudget } from '../../access/budgets/spend-budget.db.ts';
import type { Order } from '../../ordering/order/order.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Sql } from '../../platform/db/connect.ts';
import { isInSmsReach } from '../../platform/lib/numbering-plan.ts';
import type { Channels } from '../outbox/hand-over.flow.ts';
import { findOptedOut } from './sms-opt-outs.db.ts';

export type SmsDeps = { config: Config } & Pick<Channels, 'messaging'>;

/**
 * Counts an SMS about a live order in its account's budget, in the transaction that queues it; false where none can be
 * sent.
 */
export async function allowSms(
  { config, messaging }: SmsDeps,
  tx: Sql,
  { accountId, mode }: Pick<Order, 'accountId' | 'mode'>,
  phone: string,
  now: Temporal.Instant,
): Promise<boolean> {
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
  return (await findOptedOut(tx, [phone])).size === 0;
}
