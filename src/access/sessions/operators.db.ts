import type { Sql } from '../../platform/db/connect.ts';
import { randomId } from '../../platform/lib/random-id.ts';
import type { Operator } from './operator.ts';

export type NewOperator = Pick<Operator, 'name' | 'email' | 'phone' | 'role'>;

const COLUMNS = ['operatorId', 'name', 'email', 'phone', 'role', 'createdAt', 'disabledAt'] as const;

/** Adds an operator; undefined if another has the email. */
export async function insertOperator(sql: Sql, operator: NewOperator, at: Temporal.Instant) {
  return sql
    .insertInto('operators')
    .values({ ...operator, operatorId: randomId('opr_', 9), createdAt: at.toString() })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning(COLUMNS)
    .executeTakeFirst();
}

export async function findOperator(sql: Sql, operatorId: string): Promise<Operator | undefined> {
  return sql.selectFrom('operators').select(COLUMNS).where('operatorId', '=', operatorId).executeTakeFirst();
}

/** Finds the operator with this email (in lower case) who may sign in. */
export async function findOperatorByEmail(sql: Sql, email: string): Promise<Operator | undefined> {
  return sql
    .selectFrom('operators')
    .select(COLUMNS)
    .where('email', '=', email)
    .where('disabledAt', 'is', null)
    .executeTakeFirst();
}

/** Locks the admins who can sign in, so that two of them cannot demote each other; returns their ids. */
export async function lockAdmins(sql: Sql): Promise<string[]> {
  const admins = await sql
    .selectFrom('operators')
    .select('operatorId')
    .where('role', '=', 'admin')
    .where('disabledAt', 'is', null)
    .orderBy('operatorId')
    .forUpdate()
    .execute();
  return admins.map(({ operatorId }) => operatorId);
}

export async function updateOperator(
  sql: Sql,
  operatorId: string,
  { disabledAt, ...changes }: Partial<Omit<Operator, 'operatorId' | 'createdAt'>>,
): Promise<Operator | undefined> {
  const disabled = disabledAt === undefined ? {} : { disabledAt: disabledAt?.toString() ?? null };
  return sql
    .updateTable('operators')
    .set({ ...changes, ...disabled })
    .where('operatorId', '=', operatorId)
    .returning(COLUMNS)
    .executeTakeFirst();
}

/** Whether another operator has this email. */
export async function isEmailTaken(sql: Sql, email: string, operatorId: string): Promise<boolean> {
  const other = await sql
    .selectFrom('operators')
    .select('operatorId')
    .where('email', '=', email)
    .where('operatorId', '!=', operatorId)
    .executeTakeFirst();
  return other !== undefined;
}

/** Lists every operator, disabled ones too, oldest first. */
export async function listOperators(sql: Sql): Promise<Operator[]> {
  return sql.selectFrom('operators').select(COLUMNS).orderBy('createdAt').orderBy('operatorId').execute();
}
