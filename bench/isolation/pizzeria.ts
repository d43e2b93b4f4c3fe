import { Readable } from 'node:stream';
import { issueKey } from '../../src/access/accounts/issue-key.flow.ts';
import { systemClock } from '../../src/platform/lib/clock.ts';
import { importFiles } from '../../src/supply/imports/import-files.flow.ts';
import { storeIdOf } from '../../src/supply/stores/store-id.ts';
import { type FeedLine, pizzeria } from '../../test/feed-lines.ts';
import type { BenchService } from '../setup.ts';

const SOURCE = 'bench';
export const PIZZERIA = storeIdOf(SOURCE, 'pizzeria');

/** Imports the pizzeria; returns a client of the attacker's account and the products. */
export async function givenPizzeria({ db, url }: BenchService, accountId: string, changes: FeedLine = {}) {
  const stdin = Readable.from([`${JSON.stringify(pizzeria(changes))}\n`]);
  await importFiles({ db, clock: systemClock }, { files: ['-'], source: SOURCE, stdin });
  const { key } = await issueKey(db, accountId, 'sandbox', systemClock.now());
  const headers = { 'id-token': key, 'content-type': 'application/json' };
  const post = (path: string, body: object) =>
    fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  const inventory = await fetch(`${url}/details/inventory?pickup=false&store_id=${PIZZERIA}`, { headers });
  const { categories } = (await inventory.json()) as { categories: { menu_item_list: { product_id: string }[] }[] };
  return { post, productIds: categories.flatMap((one) => one.menu_item_list.map((item) => item.product_id)) };
}
