import type { Sql } from '../../platform/db/connect.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { invalidField } from '../../platform/http/request-schema.ts';
import type { Operator } from './operator.ts';
import { insertOperator, isEmailTaken, lockAdmins, type NewOperator, updateOperator } from './operators.db.ts';
import { type ConsoleOwner, endOperatorSessions } from './sessions.db.ts';
import { issueAccessCode } from './sign-in.flow.ts';

/** Omitted members stay as they are; `disabled` ends every session. */
export type OperatorChanges = Partial<NewOperator> & { disabled?: boolean };

const emailTaken = () => invalidField('body', 'email', 'belongs to another operator');

/** Adds an operator with a code for the first sign-in. Refuses the email of another operator. */
export async function inviteOperator(sql: Sql, operator: NewOperator, at: Temporal.Instant) {
  const added = await insertOperator(sql, operator, at);
  if (!added) throw emailTaken();
  const owner: Partial<ConsoleOwner> = { operatorId: added.operatorId };
  return { ...added, ...(await issueAccessCode(sql, owner, at)) };
}

/**
 * Changes an operator; undefined for an unknown one. With `keepsAdmin` the only admin cannot be disabled or demoted
 * (last_admin). Call within a transaction.
 */
export async function setOperator(
  tx: Sql,
  operatorId: string,
  { disabled, ...changes }: OperatorChanges,
  { at, keepsAdmin }: { at: Temporal.Instant; keepsAdmin: boolean },
): Promise<Operator | undefined> {
  const isDemoted = disabled === true || (changes.role !== undefined && changes.role !== 'admin');
  if (isDemoted && keepsAdmin) {
    const admins = await lockAdmins(tx);
    if (admins.length === 1 && admins[0] === operatorId) {
      throw new Refusal('last_admin', 'This is the only admin. Make another operator an admin first.');
    }
  }
  if (changes.email && (await isEmailTaken(tx, changes.email, operatorId))) throw emailTaken();
  const disabledAt = disabled === undefined ? {} : { disabledAt: disabled ? at : null };
  const set = await updateOperator(tx, operatorId, { ...changes, ...disabledAt });
  if (set && disabled) await endOperatorSessions(tx, operatorId, at);
  return set;
}
