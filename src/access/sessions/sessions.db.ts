import { sql as raw } from 'kysely';
import { instantParam, type Sql } from '../../platform/db/connect.ts';
import type { OperatorRole } from './operator.ts';

/** Precision of a session's last use, in minutes. */
export const SEEN_EVERY_MINUTES = 5;

/**
 * Whose console it is: a store's (`storeId`; `accountId` is null for live orders, otherwise the account whose sandbox
 * it shows; `staffId` is null for the owner) or an operator's.
 */
export type ConsoleOwner = {
  storeId: string | null;
  accountId: string | null;
  operatorId: string | null;
  staffId: string | null;
};

export type ConsoleSession = ConsoleOwner & {
  sessionId: string;
  /** The operator's or staff member's name; null for a store's owner. */
  name: string | null;
  role: OperatorRole | null;
  device: string;
  createdAt: Temporal.Instant;
  seenAt: Temporal.Instant;
  expiresAt: Temporal.Instant;
  rotatedAt: Temporal.Instant;
};

/** Selects open sessions. Sessions of disabled operators and removed staff members have ended. */
const selectSessions = (sql: Sql) =>
  sql
    .selectFrom('consoleSessions as s')
    .leftJoin('operators as o', 'o.operatorId', 's.operatorId')
    .leftJoin('storeStaff as f', 'f.staffId', 's.staffId')
    .select(['s.sessionId', 's.storeId', 's.accountId', 's.operatorId', 's.staffId', 's.device'])
    .select(['s.createdAt', 's.seenAt', 's.expiresAt', 's.rotatedAt', 'o.role'])
    .select(({ fn }) => fn.coalesce('o.name', 'f.name').as('name'))
    .where('s.revokedAt', 'is', null)
    .where('o.disabledAt', 'is', null)
    .where('f.removedAt', 'is', null);

/** Returns SQL for the name of the person whose session made a change; null for an owner and for a key. */
export const personNameSql = (sessionColumn: string) => raw<string | null>`(
  select coalesce(o.name, f.name) from console_sessions as s
  left join operators as o on o.operator_id = s.operator_id left join store_staff as f on f.staff_id = s.staff_id
  where s.session_id = ${raw.ref(sessionColumn)})`;

export async function insertAccessCode(
  sql: Sql,
  owned: ConsoleOwner & { codeHash: Buffer; at: Temporal.Instant; expiresAt: Temporal.Instant | null },
): Promise<void> {
  const { at, expiresAt, ...code } = owned;
  await sql
    .insertInto('accessCodes')
    .values({ ...code, createdAt: at.toString(), expiresAt: expiresAt?.toString() ?? null })
    .execute();
}

/** Finds the owner of a code, used or not; undefined for an unknown code. */
export async function findAccessCode(sql: Sql, codeHash: Buffer): Promise<{ storeId: string | null } | undefined> {
  return sql.selectFrom('accessCodes').select('storeId').where('codeHash', '=', codeHash).executeTakeFirst();
}

/** Redeems a code and returns its owner; undefined if it is unknown, expired or used. A staff member's is never used up. */
export async function redeemCode(sql: Sql, codeHash: Buffer, at: Temporal.Instant): Promise<ConsoleOwner | undefined> {
  return sql
    .updateTable('accessCodes')
    .set({ redeemedAt: at.toString() })
    .where('codeHash', '=', codeHash)
    .where(({ or, and, eb }) =>
      or([eb('staffId', 'is not', null), and([eb('redeemedAt', 'is', null), eb('expiresAt', '>', instantParam(at))])]),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('operators as o')
            .whereRef('o.operatorId', '=', 'accessCodes.operatorId')
            .where('o.disabledAt', 'is not', null),
        ),
      ),
    )
    .returning(['storeId', 'accountId', 'operatorId', 'staffId'])
    .executeTakeFirst();
}

export type NewSession = ConsoleOwner & {
  sessionId: string;
  device: string;
  expiresAt: Temporal.Instant;
  tokenHash: Buffer;
  at: Temporal.Instant;
};

export async function insertSession(sql: Sql, { at, expiresAt, ...session }: NewSession): Promise<void> {
  const now = at.toString();
  await sql
    .insertInto('consoleSessions')
    .values({ ...session, createdAt: now, seenAt: now, rotatedAt: now, expiresAt: expiresAt.toString() })
    .execute();
}

/** Finds the session of a token; undefined if it is revoked, expired, or was replaced more than a minute ago. */
export async function findSession(sql: Sql, tokenHash: Buffer, at: Temporal.Instant) {
  return selectSessions(sql)
    .where((eb) =>
      eb.or([
        eb('s.tokenHash', '=', tokenHash),
        eb.and([
          eb('s.previousHash', '=', tokenHash),
          eb('s.rotatedAt', '>', instantParam(at.subtract({ minutes: 1 }))),
        ]),
      ]),
    )
    .where('s.expiresAt', '>', instantParam(at))
    .executeTakeFirst();
}

/** Replaces a session's token; returns false if a concurrent request has just done so. */
export async function rotateSession(
  sql: Sql,
  { sessionId, rotatedAt }: ConsoleSession,
  tokenHash: Buffer,
  { at, expiresAt }: { at: Temporal.Instant; expiresAt: Temporal.Instant },
): Promise<boolean> {
  const { numUpdatedRows } = await sql
    .updateTable('consoleSessions')
    .set({
      previousHash: raw<Buffer>`token_hash`,
      tokenHash,
      rotatedAt: at.toString(),
      expiresAt: expiresAt.toString(),
    })
    .where('sessionId', '=', sessionId)
    .where('rotatedAt', '=', instantParam(rotatedAt))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function markSeen(sql: Sql, sessionId: string, at: Temporal.Instant): Promise<void> {
  await sql.updateTable('consoleSessions').set({ seenAt: at.toString() }).where('sessionId', '=', sessionId).execute();
}

/**
 * Whether a person is running the store in the sandbox: its sandbox console for this account was used in the last
 * minutes.
 */
export async function isSandboxConsoleUsed(
  sql: Sql,
  { storeId, accountId }: { storeId: string; accountId: string },
  at: Temporal.Instant,
): Promise<boolean> {
  const session = await sql
    .selectFrom('consoleSessions')
    .select('sessionId')
    .where('storeId', '=', storeId)
    .where('accountId', '=', accountId)
    .where('revokedAt', 'is', null)
    .where('seenAt', '>', instantParam(at.subtract({ minutes: SEEN_EVERY_MINUTES + 2 })))
    .limit(1)
    .executeTakeFirst();
  return session !== undefined;
}

/** Lists the open sessions of a store (null: of operators), newest first. */
export async function listSessions(sql: Sql, storeId: string | null, at: Temporal.Instant): Promise<ConsoleSession[]> {
  return selectSessions(sql)
    .where('s.storeId', storeId === null ? 'is' : '=', storeId)
    .where('s.expiresAt', '>', instantParam(at))
    .orderBy('s.createdAt', 'desc')
    .execute();
}

/** Ends the open sessions that the caller's conditions select. */
export const endSessions = (sql: Sql, at: Temporal.Instant) =>
  sql.updateTable('consoleSessions').set({ revokedAt: at.toString() }).where('revokedAt', 'is', null);

/** Revokes a session of this store (null: of an operator); returns false if it does not exist. */
export async function revokeSession(
  sql: Sql,
  { sessionId, storeId }: { sessionId: string; storeId: string | null },
  at: Temporal.Instant,
): Promise<boolean> {
  const own = endSessions(sql, at).where('sessionId', '=', sessionId);
  const { numUpdatedRows } = await own.where('storeId', storeId === null ? 'is' : '=', storeId).executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Ends everything that lets an operator in: open sessions, unused codes and links. */
export async function endOperatorSessions(sql: Sql, operatorId: string, at: Temporal.Instant): Promise<void> {
  await endSessions(sql, at).where('operatorId', '=', operatorId).execute();
  await sql.deleteFrom('accessCodes').where('operatorId', '=', operatorId).where('redeemedAt', 'is', null).execute();
  await sql.deleteFrom('signInLinks').where('operatorId', '=', operatorId).execute();
}

/** Ends the sessions of a staff member, except the newest ones. */
export async function endOldStaffSessions(
  sql: Sql,
  staffId: string,
  { keep, at }: { keep: number; at: Temporal.Instant },
): Promise<void> {
  await sql
    .updateTable('consoleSessions')
    .set({ revokedAt: at.toString() })
    .where('sessionId', 'in', ({ selectFrom }) =>
      selectFrom('consoleSessions')
        .select('sessionId')
        .where('staffId', '=', staffId)
        .where('revokedAt', 'is', null)
        .orderBy('createdAt', 'desc')
        .orderBy('sessionId')
        .offset(keep),
    )
    .execute();
}

/** How many minutes all attempts are kept: the longest window. */
const LONGEST_WINDOW_MINUTES = 15;

/**
 * Counts an attempt in the window that began with the first one; `count` includes it. One atomic statement, so
 * concurrent attempts get different numbers.
 */
export async function countAttempt(
  sql: Sql,
  { name, minutes }: { name: string; minutes: number },
  at: Temporal.Instant,
): Promise<{ count: number; endsAt: Temporal.Instant }> {
  const expired = raw`f.since <= ${instantParam(at.subtract({ minutes }))}`;
  const { rows } = await raw<{ failures: number; since: Temporal.Instant }>`
    insert into sign_in_failures as f (client, failures, since) values (${name}, 1, ${instantParam(at)})
    on conflict (client) do update set
      failures = case when ${expired} then 1 else f.failures + 1 end,
      since = case when ${expired} then excluded.since else f.since end
    returning failures, since`.execute(sql);
  const { failures: count = 1, since = at } = rows[0] ?? {};
  if (count === 1) {
    const old = instantParam(at.subtract({ minutes: LONGEST_WINDOW_MINUTES }));
    const counts = sql.deleteFrom('signInFailures').where('since', '<=', old);
    // Customers' codes are counted for up to a day, and leave by age.
    await counts.where('client', 'not like', 'codes %').execute();
  }
  return { count, endsAt: since.add({ minutes }) };
}
