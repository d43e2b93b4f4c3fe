import { sql as raw } from 'kysely';
import { Type } from 'typebox';
import type { Sql } from '../../platform/db/connect.ts';
import type { Context } from '../../platform/db/context.ts';
import type { PersonalData } from '../../platform/db/personal-data.db.ts';
import { component, integer, orNull, text } from '../../platform/http/api-components.ts';
import { type ConsoleSession, personNameSql } from './sessions.db.ts';

/**
 * The audit log of operators, and of owners who set a brand. Each entry (who, when, what) is written in the transaction
 * of its change.
 */

const OPERATOR_ACTIONS = [
  'order.confirm',
  'order.ready',
  'order.pick_up',
  'order.complete',
  'order.cancel',
  'order.advance',
  'order.refund',
  'order.adjust',
  'order.tip',
  'order.tip_paid',
  'order.resend',
  'order.acknowledge',
  'order.export',
  'webhook_call.replay',
  'account.create',
  'account.rename',
  'account.rotate_secret',
  'account.set_brand',
  'account.set_limits',
  'account.verify_host',
  'key.create',
  'key.revoke',
  'store_key.create',
  'store.create',
  'store.set_profile',
  'store.set_channels',
  'store.set_switches',
  'store.set_terms',
  'store.set_agreement',
  'store.delist',
  'store.relist',
  'store.set_product',
  'store.rotate_secret',
  'store.invite',
  'store.note',
  'store.end_note',
  'statements.close',
  'tokens.rotate',
  'tokens.retire',
  'signing_key.rotate',
  'ucp_platform.bind',
  'agents.allow',
  'oauth_client.add',
  'oauth_client.rotate',
  'oauth_client.remove',
  'session.revoke',
  'operator.invite',
  'operator.set',
  'operator.key',
  'merge.undo',
  'alert.acknowledge',
  'duty.switch',
  'duty.set_webhook',
  'user.forget',
  'promotion.create',
  'promotion.change',
  'promotion.pause',
  'promotion.resume',
  'promotion.end',
] as const;
export type OperatorAction = (typeof OPERATOR_ACTIONS)[number];

/** Begins the `sessionId` of a change that a command made on the database; the user of the system follows. */
export const COMMAND_LINE = 'command line';

/** An audit entry. `target` is the id of the changed object; `details` must not contain secrets. */
export type RecordedAction = {
  actionNo: number;
  at: Temporal.Instant;
  sessionId: string;
  /** The operator's name, the owner's store, or the user of the command line. */
  by: string | null;
  action: OperatorAction;
  target: string;
  /** The target's usual name: a store, an account, an operator, an order's number. */
  targetName: string | null;
  details: Readonly<Record<string, unknown>>;
};

export const ActionSchema = component(
  'OperatorAction',
  "A change made by an operator, or by a store's owner to its brand.",
  {
    action_no: Type.Integer(),
    at: integer('Epoch seconds.'),
    session_id: text("The operator's or owner's session or key, or `command line (USER)`."),
    by: orNull(Type.String(), "The operator's name, the owner's store, or `command line (USER)`."),
    action: Type.Enum([...OPERATOR_ACTIONS]),
    target: text("The changed object's ID."),
    target_name: orNull(
      Type.String(),
      "The changed object: a store's, account's, operator's or key owner's name, an order's number, or a promotion's title or code.",
    ),
    details: Type.Record(Type.String(), Type.Unknown(), { description: 'The changed values, without secrets.' }),
  },
);

/** Records a change in its transaction. */
export async function insertAction(
  sql: Sql,
  { at, details, ...action }: Omit<RecordedAction, 'actionNo' | 'by' | 'targetName'>,
) {
  await sql
    .insertInto('operatorActions')
    .values({ ...action, at: at.toString(), details: JSON.stringify(details) })
    .execute();
}

/**
 * The name of the session's person; for an owner, or a store's key, the store's name. A command has no session: its
 * `session_id` is shown, `command line (USER)`.
 */
const byName = raw<string | null>`coalesce(${personNameSql('operatorActions.sessionId')},
  case when session_id like ${`${COMMAND_LINE}%`} then session_id end,
  (select st.profile->>'name' from console_sessions as c join stores as st using (store_id)
    where c.session_id = operator_actions.session_id),
  (select st.profile->>'name' from api_keys as k join stores as st using (store_id)
    where k.key_id = operator_actions.session_id))`;

const targetName = raw<string | null>`coalesce(
  (select s.profile->>'name' from stores as s where s.store_id = operator_actions.target),
  (select a.name from accounts as a where a.account_id = operator_actions.target),
  (select o.order_number from orders as o where o.order_id = operator_actions.target),
  (select o.name from operators as o where o.operator_id = operator_actions.target),
  (select coalesce(p.details->>'title', p.code) from promotions as p where p.promotion_id = operator_actions.target),
  (select coalesce(a.name, s.profile->>'name') from api_keys as k left join accounts as a using (account_id)
    left join stores as s using (store_id) where k.key_id = operator_actions.target))`;

/** Changes of one target, or before the previous page's last number; newest first. */
export async function listActions(
  sql: Sql,
  { before, target, limit }: { before?: number | undefined; target?: string | undefined; limit: number },
): Promise<RecordedAction[]> {
  return sql
    .selectFrom('operatorActions')
    .selectAll()
    .select([byName.as('by'), targetName.as('targetName')])
    .$if(before !== undefined, (query) => query.where('actionNo', '<', before ?? 0))
    .$if(target !== undefined, (query) => query.where('target', '=', target ?? ''))
    .orderBy('actionNo', 'desc')
    .limit(limit)
    .execute();
}

/** The change that an operator made of an order with this preview; undefined if there is none. */
export async function findPreviewed(
  sql: Sql,
  { target, action, previewId }: Pick<RecordedAction, 'action' | 'target'> & { previewId: string },
): Promise<Pick<RecordedAction, 'details'> | undefined> {
  return sql
    .selectFrom('operatorActions')
    .select('details')
    .where('target', '=', target)
    .where('action', '=', action)
    .where(raw<boolean>`details->>'preview_id' = ${previewId}`)
    .executeTakeFirst();
}

export async function countActions(sql: Sql, { target, action }: Pick<RecordedAction, 'action' | 'target'>) {
  const counted = await sql
    .selectFrom('operatorActions')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('target', '=', target)
    .where('action', '=', action)
    .executeTakeFirstOrThrow();
  return counted.count;
}

export type ActionRecord = Pick<RecordedAction, 'action' | 'target' | 'details'>;

/** Makes a change and records it in one transaction. `describe` must omit secrets; undefined records nothing. */
export type RecordChange = <T>(
  change: (tx: Sql, at: Temporal.Instant) => Promise<T>,
  describe: (result: T) => ActionRecord | false,
) => Promise<T>;

export const recorderOf =
  ({ db, clock }: Context) =>
  ({ sessionId }: Pick<ConsoleSession, 'sessionId'>): RecordChange =>
  (change, describe) => {
    const at = clock.now();
    return db.transaction().execute(async (tx) => {
      const result = await change(tx, at);
      const described = describe(result);
      if (described) await insertAction(tx, { at, sessionId, ...described });
      return result;
    });
  };

/** The history keeps who changed an order, when and how; a written reason may name a customer. */
export const ACTION_PERSONAL_DATA: PersonalData = {
  table: 'operator_actions',
  where: 'target = any($1::text[])',
  set: { details: `details - 'reason'` },
};
