import { sql as raw } from 'kysely';
import { instantParam, type Sql } from '../../platform/db/connect.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import type { Language } from '../../platform/languages/language.ts';
import { sha256 } from '../../platform/lib/sha256.ts';
import type { KeyMode } from '../accounts/account.ts';
import { type Customer, isPhoneContact } from './customer.ts';

/* Customers, their sessions, and the codes that browsers wait for. Sessions are stored as hashes. */

const CUSTOMER = ['accountId', 'mode', 'userId', 'email', 'phone', 'firstName', 'lastName'] as const;

type SiteOwner = { accountId: string; mode: KeyMode };

/** Finds the customer with a verified contact, or makes one of `userId`. */
export async function findOrInsertCustomer(
  sql: Sql,
  { accountId, mode, contact, userId, language }: SiteOwner & { contact: string; userId: string; language: Language },
  at: Temporal.Instant,
): Promise<Customer> {
  const name = isPhoneContact(contact) ? 'phone' : 'email';
  await sql
    .insertInto('customers')
    .values({ accountId, mode, userId, [name]: contact, language, createdAt: at.toString() })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return sql
    .selectFrom('customers')
    .select(CUSTOMER)
    .where('accountId', '=', accountId)
    .where('mode', '=', mode)
    .where(name, '=', contact)
    .executeTakeFirstOrThrow();
}

export async function insertSession(
  sql: Sql,
  { accountId, mode, userId }: Customer,
  { tokenHash, expiresAt }: { tokenHash: Buffer; expiresAt: Temporal.Instant },
): Promise<void> {
  const session = { tokenHash, accountId, mode, userId, expiresAt: expiresAt.toString() };
  await sql.insertInto('customerSessions').values(session).execute();
}

/** Finds the customer of a browser's session at a site; undefined without one, for an ended one, and one of another site. */
export async function findSessionCustomer(
  sql: Sql,
  session: string | undefined,
  { accountId, mode }: SiteOwner,
  at: Temporal.Instant,
): Promise<Customer | undefined> {
  if (session === undefined) return undefined;
  return sql
    .selectFrom('customerSessions as s')
    .innerJoin('customers as c', (join) =>
      join.onRef('c.accountId', '=', 's.accountId').onRef('c.mode', '=', 's.mode').onRef('c.userId', '=', 's.userId'),
    )
    .select(['c.accountId', 'c.mode', 'c.userId', 'c.email', 'c.phone', 'c.firstName', 'c.lastName'])
    .where('s.tokenHash', '=', sha256(session))
    .where('s.accountId', '=', accountId)
    .where('s.mode', '=', mode)
    .where('s.expiresAt', '>', instantParam(at))
    .executeTakeFirst();
}

export async function deleteSession(sql: Sql, session: string): Promise<void> {
  await sql.deleteFrom('customerSessions').where('tokenHash', '=', sha256(session)).execute();
}

export type SignInCode = {
  browserHash: Buffer;
  accountId: string;
  mode: KeyMode;
  contact: string;
  nonce: Buffer;
  tries: number;
  language: Language;
  createdAt: Temporal.Instant;
  expiresAt: Temporal.Instant;
};
type CodeKey = Pick<SignInCode, 'browserHash' | 'accountId'>;

/** Writes the code of a browser in place of an earlier one. */
export async function saveCode(sql: Sql, code: Omit<SignInCode, 'tries'>): Promise<void> {
  const { browserHash, accountId, ...values } = code;
  const row = { ...values, tries: 0, createdAt: code.createdAt.toString(), expiresAt: code.expiresAt.toString() };
  await sql
    .insertInto('signInCodes')
    .values({ browserHash, accountId, ...row })
    .onConflict((conflict) => conflict.columns(['browserHash', 'accountId']).doUpdateSet(row))
    .execute();
}

export async function findCode(
  sql: Sql,
  { browserHash, accountId }: CodeKey,
  at: Temporal.Instant,
): Promise<SignInCode | undefined> {
  return sql
    .selectFrom('signInCodes')
    .selectAll()
    .where('browserHash', '=', browserHash)
    .where('accountId', '=', accountId)
    .where('expiresAt', '>', instantParam(at))
    .executeTakeFirst();
}

/** Counts a try of a code that has tries left; concurrent tries count one after another. */
export async function countTry(
  sql: Sql,
  { browserHash, accountId }: CodeKey,
  { max, at }: { max: number; at: Temporal.Instant },
): Promise<SignInCode | undefined> {
  return sql
    .updateTable('signInCodes')
    .set({ tries: raw`tries + 1` })
    .where('browserHash', '=', browserHash)
    .where('accountId', '=', accountId)
    .where('expiresAt', '>', instantParam(at))
    .where('tries', '<', max)
    .returningAll()
    .executeTakeFirst();
}

/** Uses up a code; false if another request has. */
export async function deleteCode(sql: Sql, { browserHash, accountId, nonce }: CodeKey & { nonce?: Buffer }) {
  const { numDeletedRows } = await sql
    .deleteFrom('signInCodes')
    .where('browserHash', '=', browserHash)
    .where('accountId', '=', accountId)
    .$if(nonce !== undefined, (query) => query.where('nonce', '=', nonce ?? Buffer.alloc(0)))
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

type UserKey = Pick<Customer, 'accountId' | 'mode' | 'userId'>;

const keyOf = ({ accountId, mode, userId }: UserKey) => ({ accountId, mode, userId });

export async function findCustomer(sql: Sql, user: UserKey): Promise<Customer | undefined> {
  const customers = sql.selectFrom('customers').select(CUSTOMER);
  return customers.where((eb) => eb.and(keyOf(user))).executeTakeFirst();
}

/** Writes what an account vouches for; names are kept unless given. Refuses with contact_taken if another user has a contact. */
export async function saveCustomer(sql: Sql, customer: Customer, at: Temporal.Instant): Promise<void> {
  const { email, phone } = customer;
  const saved = await ifUnique(
    sql
      .insertInto('customers')
      .values({ ...customer, language: null, createdAt: at.toString() })
      .onConflict((conflict) =>
        conflict.columns(['accountId', 'mode', 'userId']).doUpdateSet((row) => ({
          email,
          phone,
          firstName: row.fn.coalesce('excluded.firstName', 'customers.firstName'),
          lastName: row.fn.coalesce('excluded.lastName', 'customers.lastName'),
        })),
      )
      .execute(),
  );
  if (!saved) throw new Refusal('contact_taken', 'The email or phone belongs to another user.');
}

/** Adds a proven contact to a customer; why not: another user has it, or the customer already has one of its kind. */
export async function joinContact(
  sql: Sql,
  user: UserKey,
  contact: string,
): Promise<'contactTaken' | 'contactKept' | undefined> {
  const name = isPhoneContact(contact) ? 'phone' : 'email';
  const customers = sql.updateTable('customers').where((eb) => eb.and(keyOf(user)));
  const ofIts = customers.where((eb) => eb.or([eb(name, 'is', null), eb(name, '=', contact)]));
  const joined = await ifUnique(ofIts.set({ [name]: contact }).executeTakeFirst());
  if (!joined) return 'contactTaken';
  return joined.numUpdatedRows === 0n ? 'contactKept' : undefined;
}

/** Keeps the name in a customer's last order. */
export async function renameCustomer(sql: Sql, user: UserKey, names: Pick<Customer, 'firstName' | 'lastName'>) {
  const { firstName, lastName } = names;
  await sql
    .updateTable('customers')
    .set({ firstName, lastName })
    .where((eb) => eb.and(keyOf(user)))
    .execute();
}

/** SQLSTATE of a value that another row has. */
const UNIQUE_VIOLATION = '23505';

/** The result of a write; undefined if another row contains one of its unique values. */
async function ifUnique<Written>(written: Promise<Written>): Promise<Written | undefined> {
  try {
    return await written;
  } catch (error) {
    if ((error as { code?: string }).code !== UNIQUE_VIOLATION) throw error;
    return undefined;
  }
}

/** Deletes a customer with every session, grant and token; false if there is none. */
export async function deleteCustomer(sql: Sql, user: UserKey): Promise<boolean> {
  const customers = sql.deleteFrom('customers').where((eb) => eb.and(keyOf(user)));
  const { numDeletedRows } = await customers.executeTakeFirst();
  return numDeletedRows > 0n;
}
