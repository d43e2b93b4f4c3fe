import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, test } from 'node:test';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { osm } from '../../../plugins/open-data/place-formats.flow.ts';
import { schemaOrg } from '../../../plugins/schema-org/open-schema-org.flow.ts';
import { keepsFormatContract } from '../../../test/contracts/format-contract.ts';
import { pizzeria } from '../../../test/feed-lines.ts';
import { countsOf, givenImport, product, shop } from '../../../test/given/import.ts';
import { cafe } from '../../../test/given/places.ts';
import { schemaOrgShop } from '../../../test/schema-org-pages.ts';
import { feedSource, importFiles, ndjson } from './import-files.flow.ts';

const given = await givenImport();
const { clock, db, fileOf, folder, importAll, importLines, productsOf, store } = given;
after(() => given.close());

test('our own formats keep the contract of a format', async (t) => {
  const files = [fileOf('contract.ndjson', [shop([product('a')]), shop([], { external_id: 'other' })])];
  await keepsFormatContract(t, { format: ndjson, files, storeIds: ['shop', 'other'] });
  const places = [fileOf('contract.geojson', [cafe('node/1', 'Fable'), cafe('node/2', 'Page')])];
  await keepsFormatContract(t, { format: osm, files: places, storeIds: ['node/1', 'node/2'] });
  const pages = [fileOf('contract.jsonld', [schemaOrgShop()])];
  await keepsFormatContract(t, {
    format: schemaOrg,
    files: pages,
    storeIds: ['contract.jsonld https://kitchen.example/#store'],
  });
});

test('a feed that could not be read to its end is not pruned', async () => {
  await importLines('cut', [shop([product('a')]), shop([], { external_id: '0' })]);
  const whole = gzipSync(
    Array.from({ length: 3000 }, (_, n) => JSON.stringify(shop([], { external_id: `${n}` }))).join('\n'),
  );
  writeFileSync(join(folder, 'cut.ndjson.gz'), whole.subarray(0, whole.length - 30));
  const request = {
    files: [join(folder, 'cut.ndjson.gz'), join(folder, 'nowhere')],
    stdin: Readable.from([]),
    prune: true,
  };
  const { result, unreadableFiles } = await importFiles({ db, clock }, request);
  assert.equal(unreadableFiles.length, 2);
  assert.ok(result.created > 0 && result.created + result.unchanged === result.read);
  assert.deepEqual([result.pruned, (await store('cut'))?.listed], [0, true]);
  assert.ok(result.errors.every(({ file, message }) => file !== undefined && /could not be read/.test(message)));
});

test('plain, gzip, Zstandard and standard input import alike, each feed named by its file', async () => {
  const text = Buffer.from(JSON.stringify(shop([product('a')])));
  const inputs: [string, Buffer][] = [
    ['f1.ndjson', text],
    ['f2.ndjson.gz', gzipSync(text)],
    ['f3.ndjson.zst', zstdCompressSync(text)],
  ];
  for (const [name, bytes] of inputs) writeFileSync(join(folder, name), bytes);
  const result = await importAll(inputs.map(([name]) => join(folder, name)));
  assert.equal(result.created, 3);
  for (const source of ['f1', 'f2', 'f3']) assert.ok(await store(source));
  for (const bytes of [text, gzipSync(text)]) {
    await importFiles({ db, clock }, { files: ['-'], source: 'f4', stdin: Readable.from([bytes]) });
  }
  assert.ok(await store('f4'));
  assert.deepEqual(
    ['/x/m.ndjson.gz', 'm.NDJSON', 'a.b.ndjson.zst', '-'].map((file) => feedSource(file)),
    ['m', 'm', 'a.b', 'stdin'],
  );
});

test('a categories file next to the feed contains the catalog', async () => {
  const lines = [
    { ...product('milk', { upc_code: '1' }), path: ['Dairy', 'Milk'] },
    { ...product('bread'), path: ['Bread'] },
    { ...product('cheese'), path: ['Dairy', 'Cheese'] },
    { ...product('whole'), path: ['Dairy', 'Milk'] },
  ];
  const market = (file: string) =>
    pizzeria({ external_id: 'shop', type: 'grocery', cuisines: null, categories: [], categories_file: file });
  const write = (some: readonly unknown[]) =>
    writeFileSync(join(folder, 'goods.ndjson.gz'), gzipSync(some.map((one) => JSON.stringify(one)).join('\n')));
  write(lines);
  assert.deepEqual(await importLines('market', [market('goods.ndjson.gz')]), [1, 1, 0, 0, 0]);
  assert.deepEqual(await importLines('market', [market('goods.ndjson.gz')]), [1, 0, 0, 1, 0]);
  const row = await store('market');
  assert.deepEqual([row?.profile.cuisines, row?.supportsUpcCodes, row?.hasCatalog], [['Dairy', 'Bread'], true, true]);
  const placed = [...(await productsOf('market')).values()].map((one) => [one.externalId, one.productNo, one.position]);
  assert.deepEqual(placed.sort(), [
    ['bread', 2, 0],
    ['cheese', 3, 0],
    ['milk', 1, 0],
    ['whole', 4, 1],
  ]);

  write([
    ...lines,
    { ...product('milk'), path: ['Bread'] },
    { ...product('x', { price: 'free' }), path: ['Bread'] },
    { ...product('y'), path: ['Dairy'] },
  ]);
  const result = await importAll([fileOf('market.ndjson', [market('goods.ndjson.gz')])]);
  assert.deepEqual(countsOf(result), [1, 0, 0, 0, 1]);
  const places = (faults: typeof result.errors) => faults.map(({ file, line, path }) => [file, line, path]);
  assert.deepEqual(places(result.warnings), [['goods.ndjson.gz', 6, 'price']]);
  assert.deepEqual(places(result.errors), [
    [undefined, 1, 'categories_file'],
    ['goods.ndjson.gz', 7, 'path'],
    ['goods.ndjson.gz', 5, 'id'],
  ]);
  assert.equal((await productsOf('market')).size, 4);

  write(lines.slice(1));
  assert.deepEqual(await importLines('market', [market('goods.ndjson.gz')]), [1, 0, 1, 0, 0]);
  assert.equal((await productsOf('market')).get('milk')?.removed, true);
});

test('warnings of a categories file beyond 1,000 lines are counted', async () => {
  const image = (n: number) => (n === 0 ? {} : { image: 'none' });
  const lines = Array.from({ length: 1004 }, (_, n) => ({ ...product(`p${n}`, image(n)), path: ['Bread'] }));
  fileOf('many.ndjson', lines);
  const market = pizzeria({ external_id: 'many', categories: [], categories_file: 'many.ndjson' });
  const result = await importAll([fileOf('many-feed.ndjson', [market])]);
  assert.deepEqual([countsOf(result), result.errors], [[1, 1, 0, 0, 0], []]);
  assert.deepEqual([result.warnings.length, result.warnings_omitted], [1000, 3]);
});

test('a categories file that is missing or outside the feed’s folder rejects the store', async () => {
  mkdirSync(join(folder, 'inner'));
  fileOf('outside.ndjson', [{ ...product('a'), path: ['A'] }]);
  symlinkSync(join(folder, 'outside.ndjson'), join(folder, 'inner', 'link.ndjson'));
  const names = [
    'missing.ndjson',
    '../outside.ndjson',
    join(folder, 'outside.ndjson'),
    'link.ndjson',
    '.',
    '/etc/passwd',
  ];
  const lines = names.map((name, n) => pizzeria({ external_id: `${n}`, categories: [], categories_file: name }));
  const result = await importAll([fileOf('inner/feed.ndjson', lines)]);
  assert.deepEqual(countsOf(result), [names.length, 0, 0, 0, names.length]);
  assert.ok(result.errors.every(({ path }) => path === 'categories_file'));
});
