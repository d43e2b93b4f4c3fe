import { execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { cleanUp, killAll, open, servers } from '../faults/embedded-postgres-harness.ts';
import { checkSoak, settle } from './shop/check-soak.ts';
import { createSummary, tell } from './shop/figures.ts';
import { givenSoak } from './shop/given-soak.ts';
import { startClients, throughOutage } from './shop/through-outage.ts';

/**
 * Fills an embedded database's disk under load, and frees it again. The disk is a small tmpfs, which only root may
 * mount. `node test/soak/disk.ts [--rounds 1] [--seconds 30] [--size 400m] [--seed N]`.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '30' },
    size: { type: 'string', default: '400m' },
    seed: { type: 'string' },
  },
});
const SEED = Number(values.seed ?? randomInt(1_000_000));
/** Interval of refilling: PostgreSQL frees and takes space while the disk is full. */
const TOP_UP_MS = 300;

const summary = createSummary(`disk, ${values.rounds} rounds of ${values.seconds} s, --seed ${SEED}`);
const disk = mkdtempSync(join(tmpdir(), 'doorstep-disk-'));
execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${values.size}`, 'tmpfs', disk]);
const dataDir = join(disk, 'shop', 'data');
const ballast = join(disk, 'ballast');
let topUp: NodeJS.Timeout | undefined;

function fill(): void {
  const file = openSync(ballast, 'a');
  for (const size of [1024 * 1024, 4096]) {
    const bytes = Buffer.alloc(size, 1);
    try {
      while (writeSync(file, bytes) === size);
    } catch (error) {
      if ((error as { code?: string }).code !== 'ENOSPC') throw error;
    }
  }
  closeSync(file);
}

try {
  execFileSync('mkdir', ['-p', join(disk, 'shop')]);
  const keeper = await open(dataDir);
  const soak = await givenSoak(dataDir, SEED, { directUrl: () => keeper.connectionString });
  await keeper.close();
  const clients = startClients(soak, summary);
  for (let round = 0; round < Number(values.rounds); round += 1) {
    await throughOutage(
      soak,
      {
        name: 'a full disk',
        seconds: Number(values.seconds),
        begin: async () => {
          fill();
          topUp = setInterval(fill, TOP_UP_MS);
        },
        end: async () => {
          clearInterval(topUp);
          rmSync(ballast);
        },
      },
      summary,
    );
  }
  await clients.end();
  tell('settling');
  await soak.world.service?.stop();
  const database = await open(dataDir);
  const where = { dataDir, connectionString: database.connectionString };
  await settle(soak, where, summary);
  await checkSoak(soak, where, summary);
  await soak.world.service?.stop();
  await database.close();
  await soak.close();
  summary.print();
} finally {
  clearInterval(topUp);
  cleanUp();
  killAll(servers(dataDir));
  execFileSync('umount', ['-l', disk]);
  rmSync(disk, { recursive: true, force: true });
}
