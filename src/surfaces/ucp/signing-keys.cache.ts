import { generateKeyPairSync } from 'node:crypto';
import type { Sql } from '../../platform/db/connect.ts';
import type { Context } from '../../platform/db/context.ts';
import { ensureSetting, findSettings, lockSetting, writeSetting } from '../../platform/db/settings.db.ts';
import { elapsedMsOf } from '../../platform/lib/clock.ts';
import { parseKeys, publishedKeys, rotate, type SigningKey } from './signing-keys.ts';

const SETTING = 'ucp_signing_keys';
/** Less than the time between a new key's publication and use. */
const READ_AGAIN_MS = 60_000;

/** Returns the published keys, oldest first. The first node that needs one creates it. */
export type ReadSigningKeys = () => Promise<readonly SigningKey[]>;

export function createSigningKeys({ db, clock }: Context): ReadSigningKeys {
  let known: { readMs: number; keys: Promise<readonly SigningKey[]> } | undefined;
  return async () => {
    const nowMs = elapsedMsOf(clock);
    if (known === undefined || nowMs - known.readMs >= READ_AGAIN_MS) {
      known = { readMs: nowMs, keys: readKeys(db, clock.now()) };
    }
    const { keys } = known;
    return keys.catch((error) => {
      known = undefined;
      throw error;
    });
  };
}

async function readKeys(sql: Sql, now: Temporal.Instant): Promise<readonly SigningKey[]> {
  const stored = (await findSettings(sql, [SETTING])).get(SETTING);
  const first = () => JSON.stringify(rotate([], newKey(), now, { dropsOld: true }));
  return publishedKeys(parseKeys(stored ?? (await ensureSetting(sql, SETTING, first()))), now);
}

/** Replaces the key that signs; returns the published ones, oldest first. */
export async function rotateSigningKey(
  tx: Sql,
  now: Temporal.Instant,
  options: { dropsOld: boolean },
): Promise<SigningKey[]> {
  await readKeys(tx, now);
  const stored = (await lockSetting(tx, SETTING)) ?? '[]';
  const keys = rotate(parseKeys(stored), newKey(), now, options);
  await writeSetting(tx, SETTING, JSON.stringify(keys));
  return publishedKeys(keys, now);
}

function newKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}
