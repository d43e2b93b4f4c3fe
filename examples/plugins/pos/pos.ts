import { readFile } from 'node:fs/promises';
import { definePlugin, type FeedEntry, OutsideError, type Ticket } from 'doorstep/plugin';

/*
 * A point of sale over HTTP: orders are pushed to it, its menu and stock are pulled. It confirms and steps orders by
 * calls of the Store API, with a key of `doorstep stores key`.
 *
 *     doorstep import locations.ndjson --format pos --source pos
 *     doorstep stores channels STORE_ID --printer pos://12
 *
 * `locations.ndjson` has a store a line, as docs/feeds.md has them, with `location` in place of its categories.
 */

type Settings = { url: URL; apiKey: string };
type Menu = { groups: { id: string; name: string; dishes: Dish[] }[] };
type Dish = { sku: string; name: string; cents: number; left: number | null };

/** Makes one request. After a failure its effect is unknown, and it is repeated. */
async function ask({ url, apiKey }: Settings, path: string, init: RequestInit): Promise<unknown> {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  const reply = await fetch(new URL(path, url), { ...init, headers }).catch((cause: unknown) => {
    throw new OutsideError('point of sale', 'The point of sale does not answer.', { retryable: true, cause });
  });
  if (reply.ok) return reply.json();
  throw new OutsideError('point of sale', `The point of sale answered ${reply.status}.`, { retryable: true });
}

/** The point of sale's reading of a ticket. It takes an order once per ID, and a later one replaces it. */
function orderOf({ document, order }: Ticket) {
  const items = order.items.filter(({ fulfilled_quantity: quantity }) => quantity > 0);
  return {
    id: order.order_id,
    number: order.order_number,
    is_canceled: document === 'canceled',
    lines: items.map(({ external_id: sku, name, fulfilled_quantity: quantity, selected_options: options }) => {
      return { sku, name, quantity, options: options.map(({ option_id, quantity }) => ({ sku: option_id, quantity })) };
    }),
  };
}

async function* readStores(settings: Settings, text: string): AsyncGenerator<FeedEntry[]> {
  for (const [at, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const { location, ...store } = JSON.parse(line);
    const signal = AbortSignal.timeout(20_000);
    const menu = (await ask(settings, `/locations/${encodeURIComponent(location)}/menu`, { signal })) as Menu;
    yield [{ line: at + 1, store: { ...store, categories: categoriesOf(menu) } }];
  }
}

function categoriesOf({ groups }: Menu) {
  const productOf = ({ sku, name, cents, left }: Dish) => ({ id: sku, name, price: cents, qty_available: left });
  return groups.map(({ id, name, dishes }) => ({ id, name, products: dishes.map(productOf) }));
}

export default definePlugin({
  name: 'pos',
  version: '1.0.0',
  api: 1,
  settings: {
    url: { expected: 'a URL', parse: (text) => (URL.canParse(text) ? new URL(text) : undefined) },
    apiKey: { expected: 'a key' },
  },
  printers: [
    {
      name: 'pos',
      open: async ({ settings }) => ({
        async print(ticket, signal) {
          // The point of sale prints receipts itself.
          if (ticket.document === 'receipt') return;
          const init = { method: 'POST', body: JSON.stringify(orderOf(ticket)), signal };
          await ask(settings, `/locations/${encodeURIComponent(ticket.target)}/orders`, init);
        },
      }),
    },
  ],
  formats: [
    {
      name: 'pos',
      open: async ({ settings }) => ({
        open: async ([file = '']) => ({ entries: readStores(settings, await readFile(file, 'utf8')) }),
      }),
    },
  ],
});
