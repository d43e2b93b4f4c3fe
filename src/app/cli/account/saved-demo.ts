import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The demo's file in DATA_DIR, readable only by its owner: the key for the next start, and the URL while the demo runs.
 */
export const DEMO_FILE = 'demo.json';
export type SavedDemo = { account_id: string; key_id: string; key: string; url?: string };

/** Reads the demo's file; empty if there is none. */
export function readSavedDemo(dataDir: string): Partial<SavedDemo> {
  try {
    const kept: object | null = JSON.parse(readFileSync(join(dataDir, DEMO_FILE), 'utf8'));
    return Object.fromEntries(Object.entries(kept ?? {}).filter(([, value]) => typeof value === 'string'));
  } catch {
    return {};
  }
}

/** The URL of the demo that runs on DATA_DIR; undefined if a setting names the service's URL. */
export function runningDemoUrl(env: NodeJS.ProcessEnv, dataDir: string): string | undefined {
  return env.HOST?.trim() || env.PORT?.trim() ? undefined : readSavedDemo(dataDir).url;
}
