import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findTests } from '../runner/import-graph.ts';

/**
 * Runs every test file with a property, all repetitions, from a new seed each round; stops at the first broken one.
 * `node test/soak/properties.ts [--rounds 10] [--seed N]`.
 */
const ROOT = join(import.meta.dirname, '../..');
const { values } = parseArgs({ options: { rounds: { type: 'string', default: '10' }, seed: { type: 'string' } } });
const files = findTests(ROOT).filter((file) => readFileSync(join(ROOT, file), 'utf8').includes("from 'fast-check'"));

for (let round = 1; round <= Number(values.rounds); round += 1) {
  const seed = values.seed ?? String(randomInt(2 ** 31 - 1));
  process.stdout.write(`round ${round}, --seed ${seed}: ${files.length} files\n`);
  const env = { ...process.env, TEST_RUNS: 'all', PROPERTY_SEED: seed };
  const runner = join(ROOT, 'test/runner/run.ts');
  const child = spawn(process.execPath, [runner, ...files], { cwd: ROOT, env, stdio: 'inherit' });
  const [status] = await once(child, 'exit');
  if (status !== 0) process.exit(1);
}
