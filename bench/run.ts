import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** Runs the benches one after the other, each in its own process; fails when a bench misses its limit. */
const BENCHES = [
  'relevance',
  'search-index',
  'continent',
  'start',
  'under-change',
  'workers',
  'search',
  'carts',
  'inventory',
  'grocery',
  'products',
  'orders',
  'webhooks',
  'tracking',
  'consoles',
  'positions',
  'isolation',
  'traces',
  'backup',
  'import',
];

const failed = BENCHES.filter((name) => {
  process.stdout.write(`\n== ${name}\n`);
  return spawnSync(process.execPath, [join(import.meta.dirname, `${name}.ts`)], { stdio: 'inherit' }).status !== 0;
});
if (failed.length > 0) {
  process.stdout.write(`\nFell short or failed: ${failed.join(', ')}\n`);
  process.exitCode = 1;
}
