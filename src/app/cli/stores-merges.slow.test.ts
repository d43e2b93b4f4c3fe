import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { givenDatabase } from '../../../test/given/command.ts';
import { givenCommandHost } from '../../../test/given/command-host.ts';
import { cafe } from '../../../test/given/places.ts';

const host = givenCommandHost();
after(() => host.close());
const { runCommand, runJson } = host;

const database = await givenDatabase();
const file = join(database.env.DATA_DIR ?? '', 'vancouver.geojson');
const features = [cafe('node/1', 'Fable'), cafe('node/2', 'Fable Café', { meters: 12 }), cafe('node/3', '')];
writeFileSync(file, JSON.stringify({ type: 'FeatureCollection', features }));
after(() => database.drop());

const listed = async () => (await runJson(['stores', 'list', '--source', 'vancouver'], database.env)).body.stores;

test('import --format osm reports merged and skipped places, and nothing new the second time', async () => {
  const { status, body } = await runJson(['import', '--format', 'osm', file], database.env);
  const { seconds: _, ...counts } = body;
  const expected = {
    read: 3,
    created: 2,
    updated: 0,
    unchanged: 0,
    rejected: 0,
    merged: 1,
    left_out: { no_name: 1 },
    errors: [],
    warnings: [],
  };
  assert.deepEqual([status, counts], [0, expected]);
  const again = await runCommand(['import', '--format', 'osm', '--prune', file], database.env);
  assert.match(again.stdout, /unchanged +2\nrejected +0\nmerged +0\nleft out: has no name +1\npruned +0\n/);
});

test('stores list names the store that a merged one became, stores origins the sources to credit', async () => {
  const [fable, other] = await listed();
  assert.deepEqual([fable.merged_into, other.merged_into], [null, fable.store_id]);
  const { body } = await runJson(['stores', 'origins'], database.env);
  assert.deepEqual(body, { origins: [{ dataset: 'OpenStreetMap', license: 'ODbL-1.0', stores: 1 }] });
  assert.match((await runCommand(['stores', 'origins'], database.env)).stdout, /^OpenStreetMap +ODbL-1\.0 +1$/m);
});

test('stores merges lists the decision, stores unmerge undoes it permanently', async () => {
  const [fable, other] = await listed();
  const merges = async () => (await runJson(['stores', 'merges'], database.env)).body.merges;
  const [merge] = await merges();
  const { merge_id: mergeId, decided_at: _, ...stated } = merge;
  assert.deepEqual(stated, {
    store_id: other.store_id,
    name: 'Fable Café',
    source: 'vancouver',
    into_store_id: fable.store_id,
    into_name: 'Fable',
    into_source: 'vancouver',
    reason: 'name',
    meters: 12,
    ended_at: null,
    undone_at: null,
    state: 'merged',
  });
  assert.match(
    (await runCommand(['stores', 'merges'], database.env)).stdout,
    /^STATE +STORE +FEED +INTO +.*ID\nmerged +Fable Café +vancouver +Fable +vancouver +name +12 /,
  );
  for (const time of ['first', 'second']) {
    const { status, body } = await runJson(['stores', 'unmerge', mergeId], database.env);
    assert.deepEqual([status, body.state], [0, 'undone'], time);
  }
  assert.deepEqual(
    (await listed()).map((store: { merged_into: string | null }) => store.merged_into),
    [null, null],
  );
  assert.equal((await runJson(['import', '--format', 'osm', file], database.env)).body.merged, 0);
  assert.equal((await merges())[0].state, 'undone');
});

test('an unknown decision exits with status 1, an unknown format with 2', async () => {
  const unknown = await runJson(['stores', 'unmerge', 'mrg_none'], database.env);
  assert.deepEqual([unknown.status, unknown.body], [1, { error: 'No such merge: mrg_none.' }]);
  assert.equal((await runJson(['import', '--format', 'shapefile', file], database.env)).status, 2);
});
