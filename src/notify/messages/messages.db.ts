import { sql as raw } from 'kysely';
import { limitText } from '../../access/budgets/spend-budget.db.ts';
import type { OrderStatus } from '../../ordering/order/order.ts';
import { instantParam, type Sql } from '../../platform/db/connect.ts';
import { columnName, runPrepared } from '../../platform/db/hot-statement.ts';
import type { PersonalData } from '../../platform/db/personal-data.db.ts';
import { type LetterTable, letterTable, queueAgain, rowsOf, rowsParam } from '../outbox/letters.db.ts';
import { MESSAGE_KINDS, type Message, type MessageChannel, type ProblemReport } from './message.ts';

/** Messages to customers in SQL: a queue by account, and the log that accounts read. */
export const MESSAGES = letterTable({
  table: 'messages',
  key: ['message_id'],
  owner: ['account_id'],
  onEnd: 'says_opt_out = e.says_opt_out',
});

/** Two conditions, because each of them has an index. */
export const MESSAGE_PERSONAL_DATA: PersonalData = {
  table: 'messages',
  where: 'order_id = any($1::text[]) and report is null or order_id = any($1::text[]) and report is not null',
};

/** Returns the messages of one channel, which have a queue of their own. */
export function messagesBy(channel: MessageChannel): LetterTable {
  return { ...MESSAGES, waits: `q.channel = '${channel}' and ${MESSAGES.waits}` };
}

/**
 * Lists the messages of a live order, sent or not, oldest first; messages of the same moment in the order of an order's
 * life.
 */
export const listMessages = async (sql: Sql, orderId: string): Promise<Message[]> => listOrdersMessages(sql, [orderId]);

/** Lists messages as `listMessages` does, for several orders. */
export async function listOrdersMessages(sql: Sql, orderIds: readonly string[]): Promise<Message[]> {
  if (orderIds.length === 0) return [];
  const rank = raw`array_position(${[...MESSAGE_KINDS]}::text[], kind)`;
  const query = sql
    .selectFrom('messages')
    .selectAll()
    .where('orderId', 'in', [...orderIds]);
  return query.orderBy('createdAt').orderBy(rank).execute();
}

/** Locks an account's messages over budget, oldest first; `statuses` limits them to orders in one of these. */
export async function lockHeldMessages(
  sql: Sql,
  held: {
    accountId: string;
    channel: MessageChannel;
    since: Temporal.Instant;
    statuses: readonly OrderStatus[] | undefined;
    limit: number;
  },
): Promise<string[]> {
  const rows = await sql
    .selectFrom('messages as m')
    .innerJoin('orders as o', 'o.orderId', 'm.orderId')
    .select('m.messageId')
    .where('m.state', '=', 'over_budget')
    .where('m.accountId', '=', held.accountId)
    .where('m.channel', '=', held.channel)
    .where('m.createdAt', '>', instantParam(held.since))
    .$if(held.statuses !== undefined, (query) => query.where('o.status', 'in', held.statuses ?? []))
    .orderBy('m.createdAt')
    .orderBy('m.orderId')
    .orderBy('m.sequence')
    .orderBy('m.messageId')
    .limit(held.limit)
    .forUpdate('m')
    .execute();
  return rows.map(({ messageId }) => messageId);
}

/** Queues messages that were over budget, due at once. */
export async function queueHeldMessages(sql: Sql, messageIds: readonly string[], now: Temporal.Instant): Promise<void> {
  const which = raw`message_id = any(${[...messageIds]}::text[]) and state = 'over_budget'`;
  await queueAgain(sql, MESSAGES, which, now);
}

/** Locks the last event of an order, so that its reports are written one at a time. Undefined for an unplaced order. */
export async function lockLastEvent(tx: Sql, orderId: string): Promise<number | undefined> {
  const query = tx.selectFrom('orderEvents').select('sequence').where('orderId', '=', orderId);
  return (await query.orderBy('sequence', 'desc').limit(1).forUpdate().executeTakeFirst())?.sequence;
}

/** Lists the problems that an order's customer has reported. */
export async function listReports(sql: Sql, orderId: string): Promise<ProblemReport[]> {
  const query = sql.selectFrom('messages').select('report').where('orderId', '=', orderId);
  return (await query.where('report', 'is not', null).execute()).flatMap(({ report }) => report ?? []);
}

/**
 * Queues a live message again, due at once, and returns it. Undefined for a message that waits or is never sent, and
 * for a reported problem.
 */
export async function copyMessage(
  tx: Sql,
  { orderId, messageId, copyId }: { orderId: string; messageId: string; copyId: string },
  at: Temporal.Instant,
): Promise<Pick<Message, 'channel' | 'kind'> | undefined> {
  const { rows } = await raw<Pick<Message, 'channel' | 'kind'>>`
    insert into messages (message_id, account_id, order_id, sequence, mode, channel, kind, state,
      created_at, next_attempt_at, copy)
    select ${copyId}, account_id, order_id, sequence, mode, channel, kind, 'pending',
      ${instantParam(at)}, ${instantParam(at)}, (select max(c.copy) + 1 from messages as c
        where (c.order_id, c.channel, c.kind, c.sequence) = (m.order_id, m.channel, m.kind, m.sequence))
    from messages as m
    where message_id = ${messageId} and order_id = ${orderId} and mode = 'live' and report is null
      and state in ('sent', 'dead')
    returning channel, kind`.execute(tx);
  return rows[0];
}

export type NewMessage = Omit<Message, 'attempts' | 'sentAt' | 'state' | 'copy' | 'saysOptOut'> & {
  state: 'pending' | 'kept' | 'not_sent';
};

/** The budget day of new messages, and the default budgets. */
type MessageBudgets = { day: string; sms: number; emails: number };

/**
 * Queues messages, and skips existing ones. Messages to send count against the account's daily
 * budget; those beyond it are `over_budget`, last ones first.
 */
export async function insertMessages(sql: Sql, messages: readonly NewMessage[], { day, sms, emails }: MessageBudgets) {
  if (messages.length > 0) await runPrepared(sql, INSERT_TEXT, [rowsParam(messages), day, sms, emails]);
}

const NEW_FIELDS = [
  'messageId',
  'accountId',
  'orderId',
  'sequence',
  'mode',
  'channel',
  'kind',
  'state',
  'lastError',
  'createdAt',
  'nextAttemptAt',
  'report',
] as const satisfies readonly (keyof NewMessage)[];
const NEW_NAMES = NEW_FIELDS.map(columnName).join(', ');
const IS_OVER_BUDGET = "c.state = 'pending' and c.place > coalesce(g.granted, 0)";
const SELECTED: Readonly<Partial<Record<keyof NewMessage, string>>> = {
  state: `case when ${IS_OVER_BUDGET} then 'over_budget' else c.state end`,
  nextAttemptAt: `case when ${IS_OVER_BUDGET} then null else c.next_attempt_at end`,
};
/**
 * `granted` is how many messages of each account and channel the remaining budget allows. It is stored in the budget's
 * row, so that it is correct even if several transactions count the same budget at once.
 */
const INSERT_TEXT = `
  with given as materialized (
    select * from ${rowsOf('messages')} with ordinality as m
    where m.report is not null or not exists (select from messages as known where known.order_id = m.order_id and known.channel = m.channel
      and known.kind = m.kind and known.sequence = m.sequence)
  ), counted as (
    select *, case channel when 'sms' then 'sms' else 'emails' end as budget,
      row_number() over (partition by account_id, channel, state order by ordinality) as place
    from given
  ), wanted as (
    select account_id, mode, budget, count(*) as units,
      case budget when 'sms' then ${limitText('counted.account_id', 'sms', '$3::bigint')}
        else ${limitText('counted.account_id', 'emails', '$4::bigint')} end as max
    from counted where state = 'pending' group by 1, 2, 3
  ), granted as (
    insert into budget_use as u (account_id, mode, kind, day, used, granted)
    select account_id, mode, budget, $2::date, least(units, max), least(units, max) from wanted order by 1, 2, 3
    on conflict (account_id, mode, kind, day) do update set (used, granted) = (
      select u.used + least(w.units, greatest(w.max - u.used, 0)), least(w.units, greatest(w.max - u.used, 0))
      from wanted as w where w.account_id = excluded.account_id and w.mode = excluded.mode and w.budget = excluded.kind
    )
    returning u.account_id, u.mode, u.kind, u.granted
  )
  insert into messages (${NEW_NAMES})
  select ${NEW_FIELDS.map((name) => SELECTED[name] ?? `c.${columnName(name)}`).join(', ')}
  from counted as c left join granted as g on g.account_id = c.account_id and g.mode = c.mode and g.kind = c.budget
  on conflict do nothing`;
