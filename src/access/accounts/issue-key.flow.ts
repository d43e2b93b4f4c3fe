import type { Sql } from '../../platform/db/connect.ts';
import { randomId } from '../../platform/lib/random-id.ts';
import { sha256 } from '../../platform/lib/sha256.ts';
import { KEY_SCOPES, type KeyMode, type KeyScope, keyText } from './account.ts';
import { insertAccount, insertKey } from './accounts.db.ts';

/** Length of a secret: 192 bits. */
const SECRET_BYTES = 24;

export async function createAccount(sql: Sql, name: string, at: Temporal.Instant) {
  const accountId = randomId('acc_', 12);
  await insertAccount(sql, { accountId, name, at });
  return { accountId, name };
}

/** Creates a key. Its text is only in the result; the database stores its SHA-256. */
export async function issueKey(
  sql: Sql,
  accountId: string,
  mode: KeyMode,
  at: Temporal.Instant,
  scopes: readonly KeyScope[] = KEY_SCOPES,
) {
  const { key, hint } = keyText(mode, randomId('', SECRET_BYTES));
  const keyId = randomId('key_', 12);
  await insertKey(sql, { keyId, accountId, mode, hash: sha256(key), hint, scopes, at });
  return { keyId, key, mode, scopes: [...scopes] };
}
