import type { Sql } from '../../platform/db/connect.ts';
import { randomId } from '../../platform/lib/random-id.ts';
import type { Operator } from './operator.ts';

export type NewOperator = Pick<Operator, 'name' | 'email' | 'phone' | 'role'>;

const COLUMNS = ['operatorId', 'name', 'email', 'phone', 'role', 'createdAt', 'disabledAt'] as const;

/** Adds an operator; undefined if another has the email. */
export async function insertOperator(
  sql: Sql,
  operator: NewOperator,
  at: Temporal.Instant,
): Promise<Operator | undefined> {
  return sql
    .insertInto('operators')
    .values({ ...operator, operatorId: randomId('opr_', 9), createdAt: at.toString() })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning(COLUMNS)
    .executeTakeFirst();
}

/** Every operator, disabled ones too, oldest first. */
export async function listOperators(sql: Sql): Promise<Operator[]> {
  return sql.selectFrom('operators').select(COLUMNS).orderBy('createdAt').orderBy('operatorId').execute();
}
