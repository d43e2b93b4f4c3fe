import type { Sql } from '../../platform/db/connect.ts';
import { invalidField } from '../../platform/http/request-schema.ts';
import { randomId } from '../../platform/lib/random-id.ts';
import { sha256 } from '../../platform/lib/sha256.ts';
import { KEY_SCOPES, type KeyMode, type KeyScope, keyText } from './account.ts';
import { insertAccount, insertKey, type NewKey } from './accounts.db.ts';

/** Length of a secret: 192 bits. */
const SECRET_BYTES = 24;

/** Creates an account; refuses a second house account. */
export async function createAccount(sql: Sql, name: string, at: Temporal.Instant, isHouse = false) {
  const accountId = randomId('acc_', 12);
  if (await insertAccount(sql, { accountId, name, isHouse, at })) return { accountId, name };
  throw invalidField('body', 'house', 'another account is the house account');
}

/** Creates a key. Its text is only in the result; the database stores its SHA-256. */
export async function issueKey(
  sql: Sql,
  accountId: string,
  mode: KeyMode,
  at: Temporal.Instant,
  scopes: readonly KeyScope[] = KEY_SCOPES,
) {
  const { keyId, key } = await insertNewKey(sql, { accountId, mode, at, scopes, origins: null });
  return { keyId, key, mode, scopes: [...scopes] };
}

/** Creates a publishable key for pages of these origins. */
export async function issuePublishableKey(
  sql: Sql,
  accountId: string,
  mode: KeyMode,
  at: Temporal.Instant,
  origins: readonly string[],
) {
  return insertNewKey(sql, { accountId, mode, at, scopes: [], origins });
}

async function insertNewKey(sql: Sql, created: Omit<NewKey, 'keyId' | 'hash' | 'hint'>) {
  const { key, hint } = keyText(created.origins ? 'publishable' : 'secret', created.mode, randomId('', SECRET_BYTES));
  const keyId = randomId('key_', 12);
  await insertKey(sql, { ...created, keyId, hash: sha256(key), hint });
  return { keyId, key };
}
