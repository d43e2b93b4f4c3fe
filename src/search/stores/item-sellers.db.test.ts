import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { givenStore } from '../../../test/given/stores.ts';
import { openTestDatabase } from '../../../test/harness.ts';
import { type Db, openDb, openPool } from '../../db/connect.ts';
import { migrate } from '../../db/migrate.ts';
import { randomId } from '../../lib/random-id.ts';
import { wordsOf } from '../../lib/text/normalise-text.ts';
import { findSellersAmong } from './item-sellers.db.ts';
import { wordPatterns } from './item-words.ts';

/** A server's databases differ in collation: under C, PostgreSQL knows no letters but the English ones. */
const name = randomId('c_', 6).toLowerCase().replaceAll('-', '_');
let db: Db;
let closeAll: () => Promise<void>;

before(async () => {
  const server = await openTestDatabase();
  const admin = openPool({ connectionString: server.connectionString, max: 1 });
  await admin.query(
    `create database ${name} template template0 encoding 'UTF8' locale_provider libc lc_collate 'C' lc_ctype 'C'`,
  );
  const url = new URL(server.connectionString);
  url.pathname = `/${name}`;
  const pool = openPool({ connectionString: url.href, schema: 'doorstep' });
  await migrate(pool, 'doorstep');
  db = openDb(pool);
  closeAll = async () => {
    await db.destroy();
    await admin.query(`drop database ${name}`);
    await admin.end();
    await server.close();
  };
});
after(() => closeAll());

const NAMES: [product: string, query: string][] = [
  ['Jalapeño Poppers', 'jalapeno poppers'],
  ['ÆBLESKIVER', 'aebleskiver'],
  ['Hors d’Œuvres', "hors d'oeuvres"],
  ['Þorramatur', 'thorramatur'],
  ['GROẞE BREZEL', 'grosse brezel'],
  ['İskender Kebap', 'iskender'],
  ['Ærøskøbing Øl', 'AEROSKOBING øl'],
  ['Борщ', 'БОРЩ'],
  ['味噌ラーメン', '味噌ラーメン'],
  ['Nº 5 ½ Sandwich', 'nº 5 ½ sandwich'],
];

test('a product is found by the words of its name in any script, whatever the collation of the database', async (t) => {
  for (const [n, [product, query]] of NAMES.entries()) {
    await t.test(product, async () => {
      const products = [{ id: 'p', name: product, price: 100 }];
      const storeId = await givenStore(db, {
        external_id: `store-${n}`,
        categories: [{ id: 'c', name: 'C', products }],
      });
      const sells = async (text: string, lastIsPrefix = false) => {
        const patterns = wordPatterns(wordsOf(text), lastIsPrefix).map((pattern) => [pattern]);
        return (await findSellersAmong(db, [storeId], { patterns, pickup: null })).has(storeId);
      };
      assert.equal(await sells(query), true);
      assert.equal(await sells(query.toUpperCase()), true);
      assert.equal(await sells(query.slice(0, -1), true), true);
      assert.equal(await sells(`${query} zzz`), false);
    });
  }
});
