import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, createClient } from '../../clients/typescript/src/main.ts';
import { EXAMPLE_STORE_ID } from '../../src/supply/stores/example-store.ts';
import { DOORSTEP, freePort, startProgram } from '../given/command.ts';

const USER = { user_id: 'reader-1', user_email: 'eater@example.com' };
/** A delivery address alongside the demo's always-open store. */
const DOOR = { user_latitude: 41.8827, user_longitude: -87.6493, user_street_num: '100' };
const ADDRESS = { user_street_name: 'N Sangamon St', user_city: 'Chicago', user_state: 'IL', user_zipcode: '60607' };
const STEPS_TO_THE_DOOR = ['confirm', 'ready', 'assign_driver', 'pick_up'] as const;

export type ShownPage = {
  name: string;
  url: string;
  /** The page forbids indexing: its link is a credential (docs/tracking.md), or it belongs to a sandbox shop. */
  isUnlisted: boolean;
};

/**
 * Starts the demo on its own database, and places the orders whose pages are scored. `close` ends it and removes its
 * data. Throws if a demo fails to start or an order is refused.
 */
export async function openPages(): Promise<{ pages: ShownPage[]; close(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'doorstep-lighthouse-'));
  const settings = { DATA_DIR: folder, PORT: await freePort(), SANDBOX_PACE: 'manual', LOG_LEVEL: 'error' };
  const demo = startProgram(process.execPath, [DOORSTEP, 'demo', '--json'], settings, { timeout: 0 });
  // A signal that ends the command ends the demo too.
  process.once('exit', () => demo.child.kill('SIGTERM'));
  const close = async () => {
    demo.child.kill('SIGTERM');
    await demo.finished.finally(() => rmSync(folder, { recursive: true, force: true }));
  };
  try {
    const [json] = await demo.printed(/^\{.*\}$/m);
    const { url, key } = JSON.parse(json) as { url: string; key: string };
    const client = createClient({ baseUrl: url, key });
    return { pages: [...publicPages(url), ...(await secretPages(client))], close };
  } catch (error) {
    await close();
    throw error;
  }
}

function publicPages(url: string): ShownPage[] {
  const shop = ['shop', `shop/s/${EXAMPLE_STORE_ID}`];
  const listed = ['docs/', 'docs/tutorial', 'docs/alerts', 'docs/webhooks', 'reference/'];
  return [...shop, ...listed].map((path) => ({
    name: path.replace(/\/$/, ''),
    url: `${url}/${path}`,
    isUnlisted: shop.includes(path),
  }));
}

/** Pages of an order before and after a driver picks it up, its checkout, and the sandbox's card page. */
async function secretPages(client: Client): Promise<ShownPage[]> {
  const [placed, underWay] = [await placeOrder(client), await placeOrder(client)];
  for (const event of STEPS_TO_THE_DOOR) await client.sandbox.advance(underWay.order_id, { event });
  const card = await client.paymentMethods.setUp({ ...USER, return_url: 'https://shop.example/' });
  const links = {
    'tracking-placed': placed.tracking_link,
    'tracking-on-the-way': underWay.tracking_link,
    card: card.url,
    checkout: (await placeOrder(client, false)).checkout_url ?? '',
  };
  return Object.entries(links).map(([name, url]) => ({ name, url, isUnlisted: true }));
}

async function placeOrder(client: Client, place_order = true) {
  const near = { latitude: DOOR.user_latitude, longitude: DOOR.user_longitude };
  const { stores } = await client.stores.search({ ...near, query: 'diner', open: true, delivers_here: true }).first();
  const menu = await client.stores.inventory({ store_id: stores[0]?._id ?? '', pickup: false });
  const dish = menu.categories.flatMap(({ menu_item_list }) => menu_item_list).find(({ is_available }) => is_available);
  const { payment_method_id } = await client.paymentMethods.create({ ...USER, payment_token: 'tok_visa' });
  return client.orders.create({
    place_order,
    items: [{ product_id: dish?.product_id ?? '', quantity: 2 }],
    autofill_selected_options: true,
    pickup: false,
    payment_method_id,
    ...DOOR,
    ...ADDRESS,
    ...USER,
    user_name: 'Test Eater',
    user_phone: 13125550100,
  });
}
