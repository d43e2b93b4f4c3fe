import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { googleFood } from '../../../plugins/google-food/open-google-food.flow.ts';
import { osm, overture } from '../../../plugins/open-data/place-formats.flow.ts';
import { schemaOrg } from '../../../plugins/schema-org/open-schema-org.flow.ts';
import { givenImport, product, shop } from '../../../test/given/import.ts';
import { givenApp } from '../../../test/harness.ts';
import type { NamedFormat } from '../../supply/imports/formats.ts';
import { runImport } from './import.ts';

const given = await givenImport(givenApp);
const { db, clock, fileOf, folder } = given;
after(() => given.close());

async function run(
  files: string[],
  options: { json?: boolean; isTTY?: boolean; prune?: boolean; source?: string; format?: NamedFormat } = {},
) {
  const out = new PassThrough();
  const err = Object.assign(new PassThrough(), { isTTY: options.isTTY ?? false });
  const { json, prune, source, format } = options;
  const status = await runImport({ files, db, clock, stdin: Readable.from([]), out, err, json, prune, source, format });
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

test('a file whose name implies another format than it was read in gets a hint', async () => {
  const city = fileOf('city.geojson', ['{"type":"FeatureCollection","features":[', ']}']);
  const { status, err } = await run([city, good]);
  assert.deepEqual([status, err], [1, `${city} was read as ndjson; its name suggests --format osm or overture.\n`]);
});

const WRONG_FILES: readonly (readonly [name: string, bytes: string | Buffer, kind: RegExp])[] = [
  ['menu.pdf', '%PDF-1.7\n%\xe2', /it is a PDF document; expected newline-delimited JSON in UTF-8, one store a line/],
  ['menu.pdf.gz', gzipSync('%PDF-1.7\n'), /it is a PDF document; expected/],
  ['twice.ndjson.gz', gzipSync(gzipSync('{}')), /it is a packed file within a packed file; .* \(it is packed twice\)/],
  ['menu.zip', Buffer.from('504b0304140000000800', 'hex'), /it is a zip archive.* \(unpack it first\)/],
  ['menu.tar', `menu.ndjson${'\0'.repeat(246)}ustar`, /it is a tar archive/],
  ['menu.png', Buffer.from('89504e470d0a1a0a', 'hex'), /it is an image/],
  ['empty.ndjson', '', /it is empty; expected newline-delimited JSON/],
  ['empty.ndjson.gz', gzipSync(''), /it is empty; expected newline-delimited JSON/],
  ['page.html', '\n<!DOCTYPE html><html></html>', /it is an HTML page; .*--format schema-org reads the menu/],
  ['menu.xml', '<?xml version="1.0"?><menu/>', /it is XML; expected/],
  ['array.ndjson', '[\n{"external_id":"a"}]', /it is one JSON array; .*jq -c '\.\[\]'/],
  ['pretty.ndjson', '{\n  "external_id": "a"\n}', /it is JSON over several lines; .*jq -c \./],
  [
    'utf16.ndjson',
    Buffer.from('\ufeff{"external_id":"a"}', 'utf16le'),
    /it is text in UTF-16; .*iconv -f UTF-16 -t UTF-8/,
  ],
  ['bare16.ndjson', Buffer.from('{"external_id":"a"}', 'utf16le'), /it is text in UTF-16; .*iconv -f UTF-16LE/],
  ['places.parquet', 'PAR1\x15\x04', /it is a Parquet file; .*name it \.parquet/],
  ['cut.ndjson.gz', gzipSync('{"external_id":"a"}').subarray(0, 20), /unexpected end of file/],
];

for (const [name, bytes, kind] of WRONG_FILES) {
  test(`${name}: status 2 and a sentence with the file's kind and the expected one; another file imports`, async () => {
    const file = join(folder, name);
    writeFileSync(file, typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
    const { status, out, err } = await run([file, good], { json: true });
    assert.equal(status, 2);
    assert.match(err, kind);
    assert.ok(err.startsWith(`${file} could not be read: `) && err.indexOf('\n') === err.length - 1, err);
    const { read, errors } = JSON.parse(out);
    assert.deepEqual([read, errors.length, `${errors[0].message}\n`], [1, 1, err]);
  });
}

test('a folder of mixed formats: each file is read by its own format', async () => {
  assert.equal((await run([folder])).err, `${folder} could not be read: it is a folder, expected a file\n`);
  const page = fileOf('shop.html', ['<html><body>no menu</body></html>']);
  for (const format of [osm, overture, googleFood]) {
    assert.match((await run([page], { format })).err, /it is an HTML page; expected .*(GeoJSON|Google)/, format.name);
  }
  assert.equal((await run([page], { format: schemaOrg })).status, 1);
  const pretty = fileOf('pretty.geojson', ['{', '"type": "FeatureCollection", "features": []', '}']);
  assert.deepEqual(await run([pretty], { format: osm }).then(({ status, err }) => [status, err]), [0, '']);
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

test('an import that finds no file says so, and no run of it is kept', async () => {
  const runs = async () =>
    (await sql<{ count: number }>`select count(*)::int as count from import_runs`.execute(db)).rows;
  const before = await runs();
  const sentence = 'nowhere.ndjson could not be read: no such file\n';
  assert.deepEqual(await run(['nowhere.ndjson']), { status: 2, out: '', err: sentence });
  assert.equal((await run(['nowhere.ndjson', 'nor-here.ndjson'])).status, 2);
  const { status, out } = await run(['nowhere.ndjson'], { json: true });
  assert.deepEqual([status, JSON.parse(out).read, JSON.parse(out).errors.length], [2, 0, 1]);
  assert.deepEqual(await runs(), before);
});

test('status 2 when a file of a known name is another feed; the message asks for a source', async () => {
  const feedOf = (part: string, lines: readonly unknown[]) => {
    mkdirSync(join(folder, part), { recursive: true });
    return fileOf(`${part}/stores.ndjson`, lines);
  };
  await run([feedOf('one', [shop([], { external_id: '1' }), shop([], { external_id: '2' })])]);
  const others = feedOf('three', [shop([], { external_id: '3' })]);
  const refused = await run([others], { json: true, prune: true });
  const { created, pruned, errors } = JSON.parse(refused.out);
  assert.deepEqual([refused.status, created, pruned, errors.length, errors[0].line], [2, 0, 0, 1, 1]);
  assert.match(errors[0].message, /names none of the stores of the feed stores\. Name the feed with --source: stores/);
  const stated = await run([others], { json: true, prune: true, source: 'stores' });
  assert.deepEqual([stated.status, JSON.parse(stated.out).pruned, JSON.parse(stated.out).warnings], [0, 2, []]);
});

test('the number of stores is shown on a terminal only, and never on standard output', async () => {
  const { out, err } = await run([good], { json: true, isTTY: true });
  assert.equal(JSON.parse(out).read, 1);
  assert.notEqual(err, '');
});
