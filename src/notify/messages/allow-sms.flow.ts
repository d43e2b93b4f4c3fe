import { budgetDay } from '../../access/budgets/budget.ts';
import { spendBudget } from '../../access/budgets/spend-budget.db.ts';
import type { Order } from '../../ordering/order/order.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Sql } from '../../platform/db/connect.ts';
import { isInSmsReach } from '../../platform/lib/numbering-plan.ts';
import type { Channels } from '../outbox/hand-over.flow.ts';
import { recordSmsRecipients } from './sms-opt-outs.db.ts';

export type SmsDeps = { config: Config } & Pick<Channels, 'messaging'>;

/**
 * Counts an SMS about a live order in its account's budget, in the transaction that queues it. Returns whether it must
 * explain how to opt out; undefined where none can be sent.
 */
export async function allowSms(
  { config, messaging }: SmsDeps,
  tx: Sql,
  { accountId, mode }: Pick<Order, 'accountId' | 'mode'>,
  phone: string,
  now: Temporal.Instant,
): Promise<{ saysOptOut: boolean } | undefined> {
  if (mode !== 'live' || !messaging.smsSender || !isInSmsReach(phone, config.smsCountries)) return undefined;
  const spending = {
    accountId,
    mode,
    kind: 'sms',
    day: budgetDay(now),
    used: 1,
    max: config.dailyBudgets.sms,
  } as const;
  if (!(await spendBudget(tx, spending))) return undefined;
  const { firsts, optedOut } = await recordSmsRecipients(tx, [{ accountId, phone }]);
  return optedOut.has(phone) ? undefined : { saysOptOut: firsts.size > 0 };
}
