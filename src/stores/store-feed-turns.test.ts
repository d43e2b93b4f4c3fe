import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { givenStore } from '../../test/given/stores.ts';
import { type App, givenApp } from '../../test/harness.ts';
import { until } from '../../test/until.ts';
import type { Db } from '../db/connect.ts';
import { EventLoopScheduler, SLICE_MS } from '../load/event-loop-scheduler.ts';
import { followStores } from './store-feed.cache.ts';
import { nextChange } from './stores.db.ts';

let app: App;
before(async () => {
  app = await givenApp();
});
after(() => app.close());

/** Changes these stores at once. */
const touch = (db: Db, storeIds: readonly string[]) =>
  db.transaction().execute(async (tx) => {
    const changedSeq = await nextChange(tx);
    await tx.updateTable('stores').set({ changedSeq }).where('storeId', 'in', storeIds).execute();
  });

for (const [what, passedMs, expected] of [
  ['changes give way to requests that wait', 0, ['change', 'a', 'b', 'c', 'change']],
  ['changes that have waited for a while take turns with requests', 300, ['change', 'change', 'a', 'b', 'c']],
] as const) {
  test(what, async (t) => {
    const { db, log } = app.service.deps;
    const storeIds = [];
    for (const name of ['waits-1', 'waits-2']) storeIds.push(await givenStore(db, { external_id: name }));
    let nowMs = 1000;
    t.mock.method(performance, 'now', () => nowMs);
    const scheduler = new EventLoopScheduler();
    const done: string[] = [];
    const request = (name: string) =>
      scheduler.run(
        'busy account',
        () => {
          nowMs += SLICE_MS;
          done.push(name);
        },
        () => assert.fail('it has room'),
      );
    const apply = () => {
      // The store takes a whole slice.
      nowMs += SLICE_MS;
      done.push('change');
      if (feed.isLoaded && done.length === 1) {
        nowMs += passedMs;
        for (const name of ['a', 'b', 'c']) request(name);
      }
      return [].values();
    };
    const feed = followStores({ scheduler, db, connectionString: '', log, apply });
    await feed.catchUp();
    for (let n = 0; n < 20; n += 1) request('before');
    await until('the account has used much', () => scheduler.waiting === 0);
    await touch(db, storeIds);
    done.length = 0;
    await Promise.all([feed.catchUp(), until('all is done', () => done.length === expected.length)]);
    assert.deepEqual(done, expected);
    await feed.close();
  });
}
