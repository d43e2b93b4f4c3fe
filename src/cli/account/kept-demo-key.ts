import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** In DATA_DIR; readable by its owner alone. */
export const DEMO_KEY_FILE = 'demo.json';

/** The key that the demo keeps for its next start; undefined where there is none. */
export function readKeptKey(dataDir: string): string | undefined {
  try {
    const kept: { key?: unknown } | null = JSON.parse(readFileSync(join(dataDir, DEMO_KEY_FILE), 'utf8'));
    return typeof kept?.key === 'string' ? kept.key : undefined;
  } catch {
    return undefined;
  }
}
