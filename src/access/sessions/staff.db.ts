import type { Sql } from '../../platform/db/connect.ts';
import { randomId } from '../../platform/lib/random-id.ts';
import { endSessions } from './sessions.db.ts';

/** A person who works at a store; `seenAt` is null before the first sign-in. */
export type StaffMember = {
  staffId: string;
  name: string;
  createdAt: Temporal.Instant;
  seenAt: Temporal.Instant | null;
};

type OfStore = { storeId: string; staffId: string };

/** Lists members by name. */
export async function listStaff(sql: Sql, storeId: string): Promise<StaffMember[]> {
  return sql
    .selectFrom('storeStaff as f')
    .select(['f.staffId', 'f.name', 'f.createdAt'])
    .select(({ selectFrom }) =>
      selectFrom('consoleSessions as s')
        .select(({ fn }) => fn.max('s.seenAt').as('seenAt'))
        .whereRef('s.staffId', '=', 'f.staffId')
        .as('seenAt'),
    )
    .where('f.storeId', '=', storeId)
    .where('f.removedAt', 'is', null)
    .orderBy('f.name')
    .execute();
}

/** Locks a store's staff against concurrent additions, and counts it. */
export async function lockStaff(tx: Sql, storeId: string): Promise<number> {
  await tx.selectFrom('stores').select('storeId').where('storeId', '=', storeId).forNoKeyUpdate().execute();
  const members = await tx
    .selectFrom('storeStaff')
    .select('staffId')
    .where('storeId', '=', storeId)
    .where('removedAt', 'is', null)
    .execute();
  return members.length;
}

/** Adds a member; undefined if another member has the name. */
export async function insertStaff(tx: Sql, member: { storeId: string; name: string }, at: Temporal.Instant) {
  const added = await tx
    .insertInto('storeStaff')
    .values({ ...member, staffId: randomId('stf_', 9), createdAt: at.toString() })
    .onConflict((conflict) => conflict.doNothing())
    .returning('staffId')
    .executeTakeFirst();
  return added?.staffId;
}

/**
 * Locks a member, so that codes are replaced one after the other; returns the name, or undefined for a removed one. Not
 * `for update`, which would deadlock with a sign-in, because it locks the code and refers to the member.
 */
export async function lockStaffMember(tx: Sql, { storeId, staffId }: OfStore): Promise<string | undefined> {
  const member = await tx
    .selectFrom('storeStaff')
    .select('name')
    .where('storeId', '=', storeId)
    .where('staffId', '=', staffId)
    .where('removedAt', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return member?.name;
}

export async function markStaffRemoved(tx: Sql, staffId: string, at: Temporal.Instant): Promise<void> {
  await tx.updateTable('storeStaff').set({ removedAt: at.toString() }).where('staffId', '=', staffId).execute();
}

/** Ends the code and the sessions of a member. */
export async function endStaffAccess(tx: Sql, staffId: string, at: Temporal.Instant): Promise<void> {
  await tx.deleteFrom('accessCodes').where('staffId', '=', staffId).execute();
  await endSessions(tx, at).where('staffId', '=', staffId).execute();
}
