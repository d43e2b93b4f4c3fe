import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ask, CHECKOUT, endWithTests } from '../../faults/embedded-postgres-harness.ts';
import { type Environment, environmentOf, runCommand } from '../../faults/service-process.ts';
import { pizzeria } from '../../feed-lines.ts';
import { WITHOUT_ENV_FILE } from '../../given/command.ts';

const STORES = 300;
const PRODUCTS = 12;
/** Pause between imports, each of which uses a whole processor. */
const PAUSE_MS = 3000;

/** Repeatedly imports a feed of 300 stores with changing prices, in a child process. */
export function keepImporting(dataDir: string, settings: Environment) {
  const folder = mkdtempSync(join(tmpdir(), 'doorstep-soak-'));
  const file = join(folder, 'feed.ndjson');
  let child: ChildProcess | undefined;
  let isEnding = false;
  const counts = { finished: 0, killed: 0, failed: 0 };

  function write(price: number): void {
    const products = Array.from({ length: PRODUCTS }, (_, n) => ({ id: `${n}`, name: `Item ${n}`, price }));
    const lines = Array.from({ length: STORES }, (_, n) =>
      JSON.stringify(pizzeria({ external_id: `soak-${n}`, categories: [{ id: 'c', name: 'C', products }] })),
    );
    writeFileSync(file, lines.join('\n'));
  }

  async function run(): Promise<void> {
    for (let price = 100; !isEnding; price += 1) {
      write(price);
      const args = [join(CHECKOUT, 'bin/doorstep'), 'import', file, '--source', 'soak', '--json'];
      const env = environmentOf({ DATA_DIR: dataDir, ...settings });
      child = spawn(process.execPath, args, { cwd: WITHOUT_ENV_FILE, env, stdio: 'ignore', detached: true });
      endWithTests(child);
      const [status, signal] = await once(child, 'exit');
      child = undefined;
      if (status === 0) counts.finished += 1;
      else if (signal === 'SIGKILL') counts.killed += 1;
      else counts.failed += 1;
      await pause(status === 0 ? PAUSE_MS : 100);
    }
  }

  const running = run();
  return {
    counts,
    /** Kills the running import and its process group; false if none runs. */
    kill(): boolean {
      if (child?.pid === undefined) return false;
      process.kill(-child.pid, 'SIGKILL');
      return true;
    },
    /** Kills the last import, completes one more, and asserts that every store is complete. */
    async finish(connectionString: string): Promise<string> {
      isEnding = true;
      this.kill();
      await running;
      const result = await runCommand(dataDir, ['import', file, '--source', 'soak'], settings);
      rmSync(folder, { recursive: true });
      assert.deepEqual([result.created + result.updated + result.unchanged, result.errors], [STORES, []]);
      const broken = await ask(connectionString, BROKEN);
      assert.deepEqual(broken, [{ stores: STORES, broken: 0 }]);
      return `imports finished ${counts.finished}, killed ${counts.killed}, ended by the trouble ${counts.failed}`;
    },
  };
}

/** The feed's stores, and the incomplete ones: products missing, or an inconsistent version. */
const BROKEN = `
  select count(*)::int as stores,
    count(*) filter (where p.n is distinct from ${PRODUCTS} or p.digest is distinct from m.delivery_digest)::int as broken
  from doorstep.stores as s
  left join doorstep.menus as m on m.store_id = s.store_id
  left join lateral (
    select count(*)::int as n,
      bit_xor(delivery_digest) # (select bit_xor(c.digest) from doorstep.categories as c where c.store_id = s.store_id) as digest
    from doorstep.products as p where p.store_id = s.store_id
  ) as p on true
  where s.source = 'soak'`;
