import type { Sql } from '../../platform/db/connect.ts';
import type { AgentRules } from './agent-rules.ts';

/* Which programs an account's customers may let act for them, by the domain that the consent names. */

const NO_RULES: AgentRules = { isListed: false, hosts: [], blockedHosts: [] };

export async function findAgentRules(sql: Sql, accountId: string): Promise<AgentRules> {
  const columns = ['isListed', 'hosts', 'blockedHosts'] as const;
  const found = sql.selectFrom('agentRules').select(columns).where('accountId', '=', accountId);
  return (await found.executeTakeFirst()) ?? NO_RULES;
}

export async function saveAgentRules(sql: Sql, accountId: string, rules: AgentRules): Promise<void> {
  const row = { isListed: rules.isListed, hosts: [...rules.hosts], blockedHosts: [...rules.blockedHosts] };
  await sql
    .insertInto('agentRules')
    .values({ accountId, ...row })
    .onConflict((conflict) => conflict.column('accountId').doUpdateSet(row))
    .execute();
}
