import type { Sql } from '../../platform/db/connect.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { invalidField } from '../../platform/http/request-schema.ts';
import { issueStaffCode } from './sign-in.flow.ts';
import { endStaffAccess, insertStaff, lockStaff, lockStaffMember, markStaffRemoved } from './staff.db.ts';

/** A store's staff. The owner names each member, and each member signs in to the console with a personal code. */

/** Maximum staff fields of a store at a time. */
export const MAX_STAFF = 50;

type OfStore = { storeId: string; staffId: string };
export type NewCode = { staffId: string; name: string; code: string };

const invalidName = (message: string) => invalidField('body', 'name', message);

/** Adds a member with a code. Refuses another member's name, and more than `MAX_STAFF`. Call within a transaction. */
export async function addStaff(
  tx: Sql,
  { storeId, name: typed }: { storeId: string; name: string },
  at: Temporal.Instant,
): Promise<NewCode> {
  const name = typed.replaceAll(/[\p{C}\s]+/gu, ' ').trim();
  if (name === '') throw invalidName('is required');
  if ((await lockStaff(tx, storeId)) >= MAX_STAFF) {
    throw invalidName(`cannot be added: a store has at most ${MAX_STAFF} staff members`);
  }
  const staffId = await insertStaff(tx, { storeId, name }, at);
  if (staffId === undefined) throw invalidName('belongs to another staff member');
  return { staffId, name, code: await issueStaffCode(tx, { storeId, staffId }, at) };
}

/** Replaces the code of a member, whose sessions end. Call within a transaction. */
export async function replaceStaffCode(tx: Sql, member: OfStore, at: Temporal.Instant): Promise<NewCode> {
  const name = await lockKnown(tx, member);
  await endStaffAccess(tx, member.staffId, at);
  return { staffId: member.staffId, name, code: await issueStaffCode(tx, member, at) };
}

/** Removes a member: the code and every session end. Call within a transaction. */
export async function removeStaff(tx: Sql, member: OfStore, at: Temporal.Instant): Promise<string> {
  const name = await lockKnown(tx, member);
  await markStaffRemoved(tx, member.staffId, at);
  await endStaffAccess(tx, member.staffId, at);
  return name;
}

async function lockKnown(tx: Sql, member: OfStore): Promise<string> {
  const name = await lockStaffMember(tx, member);
  if (name === undefined) throw new Refusal('not_found', 'The store has no such staff member.');
  return name;
}
