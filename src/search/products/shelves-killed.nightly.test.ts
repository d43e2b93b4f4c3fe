// covers: src/search/products/keep-shelves*
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { matchProducts, prepareQuery } from '../../../test/given/product-index.ts';
import { givenStore } from '../../../test/given/stores.ts';
import { createTestDatabase, SCHEMA } from '../../../test/test-database.ts';
import { openDb, openPool } from '../../platform/db/connect.ts';
import { migrate } from '../../platform/db/migrate.ts';
import { createLog } from '../../platform/lib/log.ts';
import { ShelfKeeper } from './keep-shelves.flow.ts';
import { ProductIndexes } from './product-indexes.cache.ts';

const SHOPS = 60;
const KILLS = 12;

/** A program that writes the shelves of all stores again and again, with new terms in between. */
const PROGRAM = (connectionString: string, folder: string, storeIds: readonly string[]) => `
  const { openDb, openPool } = await import(${JSON.stringify(join(import.meta.dirname, '../../platform/db/connect.ts'))});
  const { ShelfKeeper } = await import(${JSON.stringify(join(import.meta.dirname, 'keep-shelves.flow.ts'))});
  const { createLog } = await import(${JSON.stringify(join(import.meta.dirname, '../../platform/lib/log.ts'))});
  const db = openDb(openPool({ connectionString: ${JSON.stringify(connectionString)}, schema: ${JSON.stringify(SCHEMA)} }));
  const kept = { folder: ${JSON.stringify(folder)}, maxBytes: 400_000 };
  const keeper = new ShelfKeeper({ db, kept, log: createLog('silent') });
  await keeper.open();
  keeper.complete(1e9);
  console.log('open');
  const storeIds = ${JSON.stringify(storeIds)};
  for (let turn = 0; ; turn += 1) {
    for (const storeId of storeIds) keeper.change(storeId, 1e9 + turn, true);
    keeper.complete(1e9 + turn);
    keeper.buildAhead(storeIds.values());
    await new Promise((resolve) => setTimeout(resolve, 300));
  }`;

test('a process killed while writing shelves leaves only intact ones', async () => {
  const { connectionString, drop } = await createTestDatabase();
  const pool = openPool({ connectionString, schema: SCHEMA });
  await migrate(pool, SCHEMA);
  const db = openDb(pool);
  const storeIds: string[] = [];
  for (let nth = 0; nth < SHOPS; nth += 1) {
    const products = Array.from({ length: 20 }, (_, at) => `Tea ${nth} kind${nth}x${at}`).map((name, at) => ({
      id: name,
      name,
      price: 100 + at,
    }));
    storeIds.push(
      await givenStore(db, {
        external_id: `s${nth}`,
        name: `Shop ${nth}`,
        categories: [{ id: 'c', name: 'All', products }],
      }),
    );
  }
  // The program's numbers of changes are in the history that its mark names.
  await sql`update change_clock set seq = 2000000000`.execute(db);
  const folder = mkdtempSync(join(tmpdir(), 'doorstep-killed-'));
  for (let kill = 0; kill < KILLS; kill += 1) {
    const child = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM(connectionString, folder, storeIds)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exit = once(child, 'exit');
    await once(child.stdout, 'data');
    await pause(200 + 130 * kill);
    child.kill('SIGKILL');
    await exit;
    const keeper = new ShelfKeeper({ db, kept: { folder, maxBytes: 400_000 }, log: createLog('silent') });
    await keeper.open();
    const indexes = new ProductIndexes({ reportLeftOut: (...reported) => assert.fail(JSON.stringify(reported)) });
    indexes.attach(keeper.connect());
    const found = await indexes.of(storeIds, 'anyone');
    for (const [nth, storeId] of storeIds.entries()) {
      const index = found.get(storeId);
      assert.ok(index);
      const matches = matchProducts(index, prepareQuery(`kind${nth}x7`, index.terms), null);
      assert.ok(
        matches.some(({ priceCents }) => priceCents === 107),
        `store ${nth} after kill ${kill}`,
      );
      assert.equal(index.productCount, 20);
    }
    indexes.close();
    await keeper.close();
  }
  rmSync(folder, { recursive: true });
  await db.destroy();
  await drop();
});
