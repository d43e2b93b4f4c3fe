import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, test } from 'node:test';
import { type FinishedImport, importFiles } from '../../src/supply/imports/import-files.flow.ts';
import { givenImport, shop } from '../../test/given/import.ts';
import { menuOf, schemaOrgShop, soup } from '../../test/schema-org-pages.ts';
import { schemaOrg } from './open-schema-org.flow.ts';
import { pageStoreId } from './store-value.ts';

const given = await givenImport();
const { db, clock, folder } = given;
after(() => given.close());

const site = (url: string) => new URL(url);
const OWN = schemaOrgShop({ hasMenu: menuOf(soup({ name: 'Own soup' })) });
/** Another site's page that copies everything that could identify the store. */
const FOREIGN = schemaOrgShop({
  hasMenu: menuOf(soup({ name: 'Foreign soup' })),
  url: 'https://kitchen.example/',
  sameAs: ['https://kitchen.example/#store'],
  branchOf: { '@id': 'https://kitchen.example/#store' },
});

function writePage(name: string, store: object): string {
  const file = join(folder, name);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, `<html><script type="application/ld+json">${JSON.stringify(store)}</script></html>`);
  return file;
}

const importPages = (source: string, files: string[], url?: string): Promise<FinishedImport> =>
  importFiles(
    { db, clock },
    { files, source, format: schemaOrg, stdin: Readable.from(['']), site: url === undefined ? undefined : site(url) },
  );

/** Each store's product names in a feed. */
async function readMenus(source: string): Promise<string[]> {
  const rows = await db
    .selectFrom('products as p')
    .innerJoin('stores as s', 's.storeId', 'p.storeId')
    .select(['p.name', 's.externalId'])
    .where('s.source', '=', source)
    .orderBy('s.externalId')
    .execute();
  return rows.map(({ externalId, name }) => `${externalId}: ${name}`);
}

test("a page with another site's @id, name, address and links makes a store of its own, before or after that site's page", async () => {
  const own = 'https://kitchen.example/#store: Own soup';
  const foreign = 'evil.example https://kitchen.example/#store: Foreign soup';
  for (const [source, sequence] of [
    ['after', ['https://kitchen.example', 'https://evil.example']],
    ['before', ['https://evil.example', 'https://kitchen.example']],
  ] as const) {
    for (const url of [...sequence, ...sequence]) {
      const isForeign = url.includes('evil');
      const { result } = await importPages(source, [writePage('page.html', isForeign ? FOREIGN : OWN)], url);
      assert.equal(result.created + result.unchanged, 1);
      assert.equal(
        result.warnings.filter(({ message }) => /expected an address of the site/.test(message)).length,
        isForeign ? 1 : 0,
      );
    }
    assert.deepEqual((await readMenus(source)).sort(), [foreign, own].sort());
  }
});

test('without a site each file is a publisher of its own, and the same file again changes nothing', async () => {
  const files = [writePage('a.html', OWN), writePage('b.html', FOREIGN)];
  const { result } = await importPages('files', files);
  assert.equal(result.created, 2);
  assert.equal((await importPages('files', files)).result.unchanged, 2);
  assert.deepEqual(await readMenus('files'), [
    'a.html https://kitchen.example/#store: Own soup',
    'b.html https://kitchen.example/#store: Foreign soup',
  ]);
});

test('ambiguous pages are refused with a message: one name in two folders, and standard input', async () => {
  const files = [writePage('one/index.html', OWN), writePage('two/index.html', FOREIGN)];
  const { result, unreadableFiles } = await importPages('folders', files);
  assert.deepEqual([result.created, unreadableFiles.length], [1, 1]);
  assert.match(
    unreadableFiles[0] ?? '',
    /index\.html was not read: .*one\/index\.html has the same name\. Name each file's site/,
  );
  assert.deepEqual(await readMenus('folders'), ['index.html https://kitchen.example/#store: Own soup']);
  const piped = await importPages('piped', ['-']);
  assert.deepEqual(piped.unreadableFiles, ['Standard input could not be read: name the site of its pages with --site']);
});

test('only a whole address on the very host is an id by itself', () => {
  const publisher = { site: site('https://kitchen.example/menu') };
  const place = ['Kitchen', '1 Main St', '60607'];
  const permanentId = (lasting: string | null) => pageStoreId(lasting, place, publisher);
  for (const own of ['https://kitchen.example/#store', 'http://kitchen.example/x', 'HTTPS://KITCHEN.example/'])
    assert.deepEqual(permanentId(own), { id: own, isOwn: true });
  for (const foreign of [
    'https://evil.example/',
    'https://www.kitchen.example/',
    'https://kitchen.example:8443/',
    'https://kitchen.example@evil.example/',
    'https://a@kitchen.example/',
    'https://kitchen.example.evil.example/',
    'urn:uuid:1',
    'https://[',
  ])
    assert.deepEqual(permanentId(foreign), { id: `kitchen.example ${foreign}`, isOwn: false });
  for (const relative of [null, '#store', '/menu', 'store'])
    assert.deepEqual(permanentId(relative), { id: 'kitchen.example Kitchen, 1 Main St, 60607', isOwn: true });
  assert.deepEqual(pageStoreId(null, ['', ''], publisher), { id: '', isOwn: true });
});

test('two files of one name in two folders are no feed together without a source', async () => {
  const line = (id: string) => JSON.stringify(shop([], { external_id: id }));
  const files = ['x/same.ndjson', 'y/same.ndjson'].map((name) => join(folder, name));
  for (const [n, file] of files.entries()) {
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, line(`${n}`));
  }
  const run = (source?: string) => importFiles({ db, clock }, { files, source, prune: true, stdin: Readable.from([]) });
  const { result, unreadableFiles } = await run();
  assert.deepEqual([result.created, result.pruned, unreadableFiles.length], [1, 0, 1]);
  assert.match(
    unreadableFiles[0] ?? '',
    /y\/same\.ndjson was not read: .*x\/same\.ndjson has the same name\. Name one feed/,
  );
  assert.equal((await run('both')).result.created, 2);
});
