import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { continentStores } from './continent-stores.ts';
import { lineOf } from './forms.ts';

const CHUNK_CHARACTERS = 1 << 20;

/** Writes the continent's feed and returns the number of products in its menus. */
export async function writeFeed(file: string, stores: number, menus: number): Promise<{ products: number }> {
  const out = createWriteStream(file);
  let [products, chunk] = [0, ''];
  for (const store of continentStores(stores, menus)) {
    products += store.products;
    chunk += `${lineOf(store)}\n`;
    if (chunk.length < CHUNK_CHARACTERS) continue;
    if (!out.write(chunk)) await once(out, 'drain');
    chunk = '';
  }
  out.end(chunk);
  await once(out, 'finish');
  return { products };
}
