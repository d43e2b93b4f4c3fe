import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { after, test } from 'node:test';
import { givenImport, product, shop } from '../../test/given-import.ts';
import { runImport } from './import.ts';

const given = await givenImport();
const { db, clock, fileOf, folder } = given;
after(() => given.close());

async function run(
  files: string[],
  options: { json?: boolean; isTTY?: boolean; prune?: boolean; source?: string } = {},
) {
  const out = new PassThrough();
  const err = Object.assign(new PassThrough(), { isTTY: options.isTTY ?? false });
  const { json, prune, source } = options;
  const status = await runImport({ files, db, clock, stdin: Readable.from([]), out, err, json, prune, source });
  return { status, out: String(out.read() ?? ''), err: String(err.read() ?? '') };
}

const good = fileOf('good.ndjson', [shop([product('a')])]);
const bad = fileOf('bad.ndjson', [shop([product('a')]), shop([product('a', { price: -1 })], { external_id: 'b' })]);

test('status 0 and one JSON document when nothing was rejected', async () => {
  const { status, out, err } = await run([good], { json: true });
  const { seconds, ...rest } = JSON.parse(out);
  const counts = { read: 1, created: 1, updated: 0, unchanged: 0, rejected: 0 };
  assert.deepEqual([status, rest, typeof seconds, err], [0, { ...counts, errors: [], warnings: [] }, 'number', '']);
});

test('status 1 when some lines were rejected; all others are in, and each fault is printed', async () => {
  const { status, out, err } = await run([bad]);
  assert.equal(status, 1);
  assert.match(out, /created +1\n(?:.*\n){2}rejected +1\n/);
  assert.match(out, /error: line 2: categories\[0\]\.products\[0\]\.price: expected whole cents/);
  assert.equal(err, '');
});

test('a file whose name tells of another format than it was read in is told so', async () => {
  const city = fileOf('city.geojson', ['{"type":"FeatureCollection","features":[', ']}']);
  const { status, err } = await run([city, good]);
  assert.deepEqual([status, err], [1, `${city} was read as ndjson; its name suggests --format osm or overture.\n`]);
});

test('status 2 when a file could not be read; the other files are in', async () => {
  const { status, out, err } = await run(['nowhere.ndjson', good], { json: true });
  assert.equal(status, 2);
  assert.equal(JSON.parse(out).unchanged, 1);
  assert.equal(err, 'nowhere.ndjson could not be read: no such file\n');
  assert.deepEqual(JSON.parse(out).errors, [
    { file: 'nowhere.ndjson', line: 1, path: '', message: 'nowhere.ndjson could not be read: no such file' },
  ]);
  assert.doesNotMatch((await run(['nowhere.ndjson', good])).out, /nowhere/, 'told once');
});

test('status 1 when another feed of the same name was imported without a source, and a sentence that says what to state', async () => {
  const feedOf = (part: string, lines: readonly unknown[]) => {
    mkdirSync(join(folder, part), { recursive: true });
    return fileOf(`${part}/stores.ndjson`, lines);
  };
  const chicago = { latitude: 41.8843, longitude: -87.6484 };
  await run([feedOf('one', [shop([], { external_id: '1' }), shop([], { external_id: '2' })])]);
  const clash = await run([feedOf('two', [shop([], { external_id: '1', ...chicago })])], { json: true });
  const { errors, rejected, updated } = JSON.parse(clash.out);
  assert.deepEqual([clash.status, rejected, updated], [1, 1, 0]);
  assert.deepEqual([errors.length, errors[0].line, errors[0].path], [1, 1, 'external_id']);
  assert.match(errors[0].message, /Test Pizzeria, \d+ km away\. State the feed with --source: stores where/);

  const others = feedOf('three', [shop([], { external_id: '3' })]);
  const unpruned = await run([others], { json: true, prune: true });
  const answer = JSON.parse(unpruned.out);
  assert.deepEqual([unpruned.status, answer.created, answer.pruned, answer.rejected], [1, 1, 0, 0]);
  assert.match(answer.warnings[0].message, /^Nothing was pruned: .* State the feed with --source: stores/);
  assert.match((await run([feedOf('four', [])], { prune: true })).out, /\nwarning: line 1: Nothing was pruned/);
  const stated = await run([others], { json: true, prune: true, source: 'stores' });
  assert.deepEqual([stated.status, JSON.parse(stated.out).pruned, JSON.parse(stated.out).warnings], [0, 2, []]);
});

test('progress is drawn on a terminal only, and never on standard output', async () => {
  const { out, err } = await run([good], { json: true, isTTY: true });
  assert.equal(JSON.parse(out).read, 1);
  assert.notEqual(err, '');
});
