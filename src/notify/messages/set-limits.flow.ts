import { saveBranding } from '../../access/accounts/brandings.db.ts';
import { type PermissionChanges, setAccountLimit, setPermissions } from '../../access/budgets/account-limits.db.ts';
import { budgetDay, type LimitKind } from '../../access/budgets/budget.ts';
import { spendUpTo } from '../../access/budgets/spend-budget.db.ts';
import type { OrderStatus } from '../../ordering/order/order.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Sql } from '../../platform/db/connect.ts';
import type { Language } from '../../platform/languages/language.ts';
import type { MessageChannel } from './message.ts';
import { lockHeldMessages, queueHeldMessages } from './messages.db.ts';

/** An account's settings; null resets a limit to its default. */
export type AccountSettings = PermissionChanges & {
  /** Language for customers whose orders have none. */
  language?: Language | undefined;
  limits: ReadonlyMap<LimitKind, number | null>;
};

/** Hours until a message about an order is useless, and no longer retried (docs/messages.md#budgets). */
const USEFUL_HOURS = 24;
const UNDER_WAY: readonly OrderStatus[] = ['awaiting_confirmation', 'in_progress'];
/** Maximum messages that one change releases; the rest stays over budget. */
const MAX_RELEASED_MESSAGES = 10_000;

/**
 * Sets an account's permissions and limits. Messages that were over a budget of SMS or emails, and are still useful,
 * are queued up to the new budget of today. Returns the number of queued messages.
 */
export async function setAccountSettings(
  config: Pick<Config, 'dailyBudgets'>,
  tx: Sql,
  { accountId, language, limits, ...permissions }: AccountSettings & { accountId: string },
  now: Temporal.Instant,
): Promise<number> {
  await setPermissions(tx, accountId, permissions);
  if (language !== undefined) await saveBranding(tx, accountId, { language }, now);
  for (const [kind, max] of limits) await setAccountLimit(tx, { accountId, kind, max });
  let released = 0;
  if (limits.has('sms')) released += await releaseMessages(config, tx, { accountId, channel: 'sms' }, now);
  if (limits.has('emails')) released += await releaseMessages(config, tx, { accountId, channel: 'email' }, now);
  return released;
}

/** Queues held messages that are no more than a day old; SMS only while their order is active. */
async function releaseMessages(
  { dailyBudgets }: Pick<Config, 'dailyBudgets'>,
  tx: Sql,
  { accountId, channel }: { accountId: string; channel: MessageChannel },
  now: Temporal.Instant,
): Promise<number> {
  const since = now.subtract({ hours: USEFUL_HOURS });
  const held = await lockHeldMessages(tx, {
    accountId,
    channel,
    since,
    limit: MAX_RELEASED_MESSAGES,
    statuses: channel === 'sms' ? UNDER_WAY : undefined,
  });
  if (held.length === 0) return 0;
  const kind = channel === 'sms' ? 'sms' : 'emails';
  const spending = { accountId, mode: 'live', kind, day: budgetDay(now), used: held.length } as const;
  const granted = await spendUpTo(tx, { ...spending, max: dailyBudgets[kind] });
  await queueHeldMessages(tx, held.slice(0, granted), now);
  return granted;
}
