import { randomId } from '../lib/random-id.ts';
import type { TokenSecrets } from '../lib/tokens.ts';
import type { Sql } from './connect.ts';
import { deleteSetting, ensureSetting, findSettings, lockSetting, writeSetting } from './settings.db.ts';

const CURRENT = 'token_secret';
const PREVIOUS = 'token_secret_previous';

type ConfiguredSecrets = { tokenSecret: string | undefined; tokenSecretPrevious: string | undefined };

const newSecret = () => randomId('', 32);

/**
 * Returns the secrets that seal and open tokens: TOKEN_SECRET or a generated and stored one, and the previous one
 * during a rotation. TOKEN_SECRET_PREVIOUS also opens tokens.
 */
export async function readTokenSecrets(sql: Sql, configured: ConfiguredSecrets): Promise<TokenSecrets> {
  const also = configured.tokenSecretPrevious === undefined ? [] : [configured.tokenSecretPrevious];
  if (configured.tokenSecret !== undefined) return { current: configured.tokenSecret, previous: also };
  const made = await ensureSetting(sql, CURRENT, newSecret());
  // One statement reads both, so a concurrent rotation is seen whole or not at all.
  const stored = await findSettings(sql, [CURRENT, PREVIOUS]);
  const previous = stored.get(PREVIOUS);
  return { current: stored.get(CURRENT) ?? made, previous: [...(previous === undefined ? [] : [previous]), ...also] };
}

/**
 * Replaces the stored secret. With `keepsPrevious`, tokens of the replaced secret still open. Returns false, and
 * changes nothing, if that would lose an earlier previous secret.
 */
export async function rotateTokenSecret(tx: Sql, { keepsPrevious }: { keepsPrevious: boolean }): Promise<boolean> {
  const current = await ensureSetting(tx, CURRENT, newSecret());
  await lockSetting(tx, CURRENT);
  // Read after the lock wait, so that the result of a concurrent rotation is visible.
  const stored = await findSettings(tx, [CURRENT, PREVIOUS]);
  if (keepsPrevious && stored.has(PREVIOUS)) return false;
  await writeSetting(tx, CURRENT, newSecret());
  if (keepsPrevious) await writeSetting(tx, PREVIOUS, stored.get(CURRENT) ?? current);
  else await deleteSetting(tx, PREVIOUS);
  return true;
}

/** Drops the previous secret, which invalidates its tokens. Returns false if there is none. */
export function retireTokenSecret(sql: Sql): Promise<boolean> {
  return deleteSetting(sql, PREVIOUS);
}
