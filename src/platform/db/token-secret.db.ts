import { scryptSync } from 'node:crypto';
import { ConfigError } from '../config/config.ts';
import { randomId } from '../lib/random-id.ts';
import type { TokenSecrets } from '../lib/tokens.ts';
import type { Sql } from './connect.ts';
import { deleteSetting, ensureSetting, findSettings, lockSetting, writeSetting } from './settings.db.ts';

const CURRENT = 'token_secret';
const PREVIOUS = 'token_secret_previous';
const FINGERPRINTS = 'token_secret_fingerprints';

type ConfiguredSecrets = { tokenSecret: string | undefined; tokenSecretPrevious: string | undefined };

const newSecret = () => randomId('', 32);

/**
 * Returns the secrets that seal and open tokens: TOKEN_SECRET or a generated and stored one, and the previous one
 * during a rotation. TOKEN_SECRET_PREVIOUS also opens tokens.
 */
export async function readTokenSecrets(sql: Sql, configured: ConfiguredSecrets): Promise<TokenSecrets> {
  const secrets = await findSecrets(sql, configured);
  await refuseForeignSecrets(sql, secrets, configured);
  return secrets;
}

async function findSecrets(sql: Sql, configured: ConfiguredSecrets): Promise<TokenSecrets> {
  const also = configured.tokenSecretPrevious === undefined ? [] : [configured.tokenSecretPrevious];
  if (configured.tokenSecret !== undefined) return { current: configured.tokenSecret, previous: also };
  const made = await ensureSetting(sql, CURRENT, newSecret());
  // One statement reads both, so a concurrent rotation is seen whole or not at all.
  const stored = await findSettings(sql, [CURRENT, PREVIOUS]);
  const previous = stored.get(PREVIOUS);
  return { current: stored.get(CURRENT) ?? made, previous: [...(previous === undefined ? [] : [previous]), ...also] };
}

/**
 * Refuses a node that has no secret in common with the last started node: neither could open the other's tokens.
 * The database keeps fingerprints of TOKEN_SECRET and its previous one; nodes without TOKEN_SECRET share the stored
 * secret.
 */
async function refuseForeignSecrets(sql: Sql, { current, previous }: TokenSecrets, { tokenSecret }: ConfiguredSecrets) {
  const isSet = tokenSecret !== undefined;
  const known = (await findSettings(sql, [FINGERPRINTS])).get(FINGERPRINTS);
  if (known === undefined && !isSet) return;
  const own = [current, ...previous].map(fingerprintOf);
  const kept = (known ?? (await ensureSetting(sql, FINGERPRINTS, own.join(' ')))).split(' ');
  if (!own.some((one) => kept.includes(one))) throw new ConfigError([isSet ? FOREIGN : UNSET]);
  if (isSet && own.join(' ') !== kept.join(' ')) await writeSetting(sql, FINGERPRINTS, own.join(' '));
}

/** Hashes a secret slowly, because backups have the hash and it must not help to guess the secret. */
const fingerprintOf = (secret: string) => scryptSync(secret, 'doorstep token secret', 12).toString('base64url');

const LOST =
  'After a leak, or if it is lost, run `doorstep tokens rotate --keep-previous off` with the new settings, and restart all nodes.';
const FOREIGN = `TOKEN_SECRET is not the one of this database's other nodes, nor is TOKEN_SECRET_PREVIOUS. Use theirs. To change it, first restart each node with the new one in TOKEN_SECRET_PREVIOUS, then swap the two (docs/secrets.md). ${LOST}`;
const UNSET = `TOKEN_SECRET is not set, and this database's other nodes have one. Use theirs. ${LOST}`;

/** Lets only nodes with this TOKEN_SECRET start from now on; if undefined, only nodes that use the stored secret. */
export async function replaceFingerprints(sql: Sql, tokenSecret: string | undefined): Promise<void> {
  if (tokenSecret === undefined) await deleteSetting(sql, FINGERPRINTS);
  else await writeSetting(sql, FINGERPRINTS, fingerprintOf(tokenSecret));
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
export const retireTokenSecret = (sql: Sql): Promise<boolean> => deleteSetting(sql, PREVIOUS);
