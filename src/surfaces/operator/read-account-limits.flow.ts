import { findBranding } from '../../access/accounts/brandings.db.ts';
import type { AccountPermissions } from '../../access/budgets/account-limits.db.ts';
import { readBudgets } from '../../access/budgets/read-budgets.flow.ts';
import { listBreakers } from '../../ordering/payments/declines.db.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Sql } from '../../platform/db/connect.ts';
import { presentAccountLimits } from './accounts-schema.ts';

const MAX_BREAKERS = 100;

/** An account's permissions and limits, today's use, and blocks because of declined cards. */
export async function readAccountLimits(
  deps: { db: Sql; config: Pick<Config, 'dailyBudgets'> },
  { accountId, ...permissions }: AccountPermissions & { accountId: string },
  now: Temporal.Instant,
) {
  const budgets = await readBudgets(deps, accountId, now);
  const breakers = await listBreakers(deps.db, { accountId, now, limit: MAX_BREAKERS });
  const { language } = await findBranding(deps.db, accountId);
  return presentAccountLimits({ ...permissions, language }, budgets, breakers);
}
