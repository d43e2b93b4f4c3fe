import { randomId } from '../lib/random-id.ts';
import type { Sql } from './connect.ts';
import { ensureSetting } from './settings.db.ts';

/** The secret that seals tokens: TOKEN_SECRET, else one that the service made for itself and keeps. */
export async function readTokenSecret(sql: Sql, configured: string | undefined): Promise<string> {
  return configured ?? ensureSetting(sql, 'token_secret', randomId('', 32));
}
