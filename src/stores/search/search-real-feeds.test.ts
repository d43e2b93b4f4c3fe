import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { givenApp } from '../../../test/harness.ts';
import { importFiles } from '../../imports/import-files.flow.ts';

const FEEDS = join(import.meta.dirname, '../../../../shared/data/feed');
const FILES = ['chains', 'bay-area'].map((name) => join(FEEDS, `${name}.ndjson.gz`));
const skip = FILES.every((file) => existsSync(file)) ? false : 'the real feeds are not beside this clone';

test('walking the pages over the real feeds visits every store once', { skip }, async (t) => {
  const app = await givenApp();
  // An application left open by a failure keeps the process alive, and the failure untold.
  t.after(() => app.close());
  const { db, clock } = app.service.deps;
  await importFiles({ db, clock }, { files: FILES, stdin: Readable.from([]) });
  await app.catchUp();
  const listed = await db.selectFrom('stores').select('storeId').where('listed', '=', true).execute();
  const expected = new Set(listed.map((row) => row.storeId));

  const walk = async (query: Record<string, string | number>) => {
    const seen: string[] = [];
    for (let page = 0; ; ) {
      const { body } = await app.get('/search/store/v3', { latitude: 39.1, longitude: -94.6, page, ...query });
      if (body.stores.length === 0) return seen;
      for (const store of body.stores) seen.push(store._id);
      page = body.next_page;
    }
  };

  await t.test('browsing', async () => {
    const seen = await walk({});
    assert.equal(seen.length, expected.size);
    assert.deepEqual(new Set(seen), expected);
  });

  await t.test('by a name that thousands of stores bear', async () => {
    const seen = await walk({ query: 'pizza hut' });
    assert.equal(new Set(seen).size, seen.length);
    assert.ok(seen.length > 5000);
  });
});
