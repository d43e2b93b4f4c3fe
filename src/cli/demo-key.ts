import { findAccount, findCallerByKeyHash, insertAccount } from '../accounts/accounts.db.ts';
import { issueKey } from '../accounts/issue-key.flow.ts';
import type { Db } from '../db/connect.ts';
import { ensureSetting } from '../db/settings.db.ts';
import type { Clock } from '../lib/clock.ts';
import { randomId } from '../lib/random-id.ts';
import { sha256 } from '../lib/sha256.ts';
import { DEMO_KEY_FILE, readKeptKey } from './account/kept-demo-key.ts';
import { writeDemoFile } from './demo-file.ts';

const ACCOUNT_NAME = 'Demo';
const UNIQUE_VIOLATION = '23505';

export type DemoKey = { accountId: string; key: string };

/**
 * Returns the sandbox key of the account "Demo". The database keeps only the hash of a key, so DATA_DIR/demo.json keeps
 * the key for the next start. A new key is issued where the file is missing or of another database, or its key revoked.
 */
export async function ensureDemoKey(deps: { db: Db; clock: Clock }, dataDir: string): Promise<DemoKey> {
  const kept = readKeptKey(dataDir);
  const caller = kept === undefined ? undefined : await findCallerByKeyHash(deps.db, sha256(kept));
  if (kept !== undefined && caller?.mode === 'sandbox') return { accountId: caller.accountId, key: kept };
  const accountId = await ensureDemoAccount(deps);
  const { key, keyId } = await issueKey(deps.db, accountId, 'sandbox', deps.clock.now());
  const text = `${JSON.stringify({ account_id: accountId, key_id: keyId, key })}\n`;
  await writeDemoFile(dataDir, DEMO_KEY_FILE, text, { mode: 0o600 });
  return { accountId, key };
}

/** Two demos that start at the same time on a new database share one account. */
async function ensureDemoAccount({ db, clock }: { db: Db; clock: Clock }): Promise<string> {
  const accountId = await ensureSetting(db, 'demo_account_id', randomId('acc_', 12));
  if (await findAccount(db, accountId)) return accountId;
  try {
    await insertAccount(db, { accountId, name: ACCOUNT_NAME, at: clock.now() });
  } catch (error) {
    if ((error as { code?: unknown } | null)?.code !== UNIQUE_VIOLATION) throw error;
  }
  return accountId;
}
