import { saveBranding } from '../../access/accounts/brandings.db.ts';
import { type AccountPermissions, setAccountLimit, setPermissions } from '../../access/budgets/account-limits.db.ts';
import { budgetDay, type LimitKind } from '../../access/budgets/budget.ts';
import { spendUpTo } from '../../access/budgets/spend-budget.db.ts';
import type { OrderStatus } from '../../ordering/orders/order.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Sql } from '../../platform/db/connect.ts';
import type { Language } from '../../platform/languages/language.ts';
import type { MessageChannel } from './message.ts';
import { lockHeldMessages, queueHeldMessages } from './messages.db.ts';

/** What an operator sets for an account; null brings the default of a limit back. */
export type AccountSettings = AccountPermissions & {
  /** Of customers whose orders have no language. */
  language?: Language | undefined;
  limits: ReadonlyMap<LimitKind, number | null>;
};

/** A message about an order is of use for as long as a failed message is tried again (docs/messages.md#budgets). */
const USEFUL_HOURS = 24;
const UNDER_WAY: readonly OrderStatus[] = ['awaiting_confirmation', 'in_progress'];
/** Limit of messages released by one change. The rest stays over budget. */
const MAX_RELEASED_MESSAGES = 10_000;

/**
 * Sets what one account may do and use. Messages that were beyond a budget of SMS or emails, and are still of use, are
 * queued as far as the new budget of today goes; returns their number.
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

/** An email is of use for a day, an SMS while its order is under way besides. */
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
