import { sql as raw } from 'kysely';
import { type Db, instantParam, type Sql } from '../../platform/db/connect.ts';
import { MAX_PLACINGS } from './agent-placing.ts';
import type { TokenBearer } from './grants.db.ts';

/* Agents' changes for customers. A placing is written before it is tried, and deleted if nothing was placed. */

type Acts = Pick<TokenBearer, 'accountId' | 'mode' | 'userId' | 'grantId'>;

const PLACE = 'place_order';

/** Records an action once: a repeated call did nothing. */
export async function recordAgentAction(
  sql: Sql,
  { grantId }: Pick<Acts, 'grantId'>,
  { orderId, operation }: { orderId: string; operation: string },
  at: Temporal.Instant,
): Promise<void> {
  await raw`insert into agent_actions (grant_id, order_id, operation, created_at)
    select ${grantId}, ${orderId}, ${operation}, ${at.toString()}::timestamptz where not exists
      (select from agent_actions where (grant_id, order_id, operation) = (${grantId}, ${orderId}, ${operation}))`.execute(
    sql,
  );
}

/** Counts the placing of an order; false if agents have placed as many of this user as they may. */
export async function takePlacing(db: Db, agent: Acts, orderId: string, at: Temporal.Instant): Promise<boolean> {
  const { accountId, mode, userId } = agent;
  return db.transaction().execute(async (tx) => {
    const ofUser = { accountId, mode, userId };
    // Concurrent placings of one user count one after another.
    await tx
      .selectFrom('customers')
      .select('userId')
      .where((eb) => eb.and(ofUser))
      .forUpdate()
      .execute();
    const placed = await tx
      .selectFrom('agentActions as a')
      .innerJoin('oauthGrants as g', 'g.grantId', 'a.grantId')
      .select('a.orderId')
      .distinct()
      .where((eb) => eb.and(ofUser))
      .where('a.operation', '=', PLACE)
      .where('a.createdAt', '>', instantParam(at.subtract({ hours: 24 })))
      .execute();
    if (placed.some((row) => row.orderId === orderId)) return true;
    if (placed.length >= MAX_PLACINGS) return false;
    await recordAgentAction(tx, agent, { orderId, operation: PLACE }, at);
    return true;
  });
}

/** Uncounts a placing that placed nothing. */
export async function dropPlacing(sql: Sql, { grantId }: Pick<Acts, 'grantId'>, orderId: string): Promise<void> {
  const placings = sql.deleteFrom('agentActions').where('grantId', '=', grantId).where('operation', '=', PLACE);
  await placings.where('orderId', '=', orderId).execute();
}

/** How many orders each grant has placed. */
export async function countPlacings(sql: Sql, grantIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (grantIds.length === 0) return new Map();
  const rows = await sql
    .selectFrom('agentActions')
    .select(['grantId', (eb) => eb.fn.countAll<number>().as('orders')])
    .where('operation', '=', PLACE)
    .where('grantId', 'in', [...grantIds])
    .groupBy('grantId')
    .execute();
  return new Map(rows.map(({ grantId, orders }) => [grantId, Number(orders)]));
}
