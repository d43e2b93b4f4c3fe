import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The demo's file in DATA_DIR, readable only by its owner: the key for the next start, and the address while the demo
 * runs.
 */
export const DEMO_FILE = 'demo.json';
export type SavedDemo = { account_id: string; key_id: string; key: string; url?: string };

/** Empty without the file. */
export function readSavedDemo(dataDir: string): Partial<SavedDemo> {
  try {
    const kept: object | null = JSON.parse(readFileSync(join(dataDir, DEMO_FILE), 'utf8'));
    return Object.fromEntries(Object.entries(kept ?? {}).filter(([, value]) => typeof value === 'string'));
  } catch {
    return {};
  }
}

/** The address of the demo running on DATA_DIR; undefined if a setting names the service's address. */
export function runningDemoUrl(env: NodeJS.ProcessEnv, dataDir: string): string | undefined {
  return env.HOST?.trim() || env.PORT?.trim() ? undefined : readSavedDemo(dataDir).url;
}
