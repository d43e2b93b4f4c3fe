import { Readable } from 'node:stream';
import type { Db } from '../../src/db/connect.ts';
import { importFiles } from '../../src/imports/import-files.flow.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { storeIdOf } from '../../src/stores/store-id.ts';
import { pizzeria } from '../../test/feed-lines.ts';
import { CARD, orderBody } from '../../test/given-orders.ts';

const SOURCE = 'bench';

/** Brings in the store that every order is for; the store counts no stock and holds no windows. */
export async function importPizzeria(db: Db): Promise<void> {
  const stdin = Readable.from([`${JSON.stringify(pizzeria())}\n`]);
  await importFiles({ db, clock: systemClock }, { files: ['-'], source: SOURCE, stdin });
}

type Inventory = { categories: { menu_item_list: { product_id: string }[] }[] };

/** The body of an order that is placed and charged, with a card that is saved for it. */
export async function givenOrderBody({ url, key }: { url: string; key: string }): Promise<string> {
  const headers = { 'id-token': key, 'content-type': 'application/json' };
  const query = new URLSearchParams({ pickup: 'false', store_id: storeIdOf(SOURCE, 'pizzeria') });
  const inventory = (await (await fetch(`${url}/details/inventory?${query}`, { headers })).json()) as Inventory;
  const body = JSON.stringify({ payment_method: CARD, user_id: 'u1', user_email: 'u1@example.com' });
  const saved = await fetch(`${url}/payment/create`, { method: 'POST', headers, body });
  const { payment_method_id } = (await saved.json()) as { payment_method_id: string };
  const product_id = inventory.categories[0]?.menu_item_list[0]?.product_id;
  return JSON.stringify(orderBody(product_id, payment_method_id, { items: [{ product_id, ...OPTIONS }] }));
}

const OPTIONS = { selected_options: [{ option_id: 'l', quantity: 1 }] };
