import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OutsideError } from '../../src/platform/lib/outside-error.ts';
import { pizzeria } from '../feed-lines.ts';
import { givenLiveShop, type LiveShop, step } from '../given/live-shop.ts';
import { givenChannel } from '../given/merchant.ts';
import { orderBody, productTokens } from '../given/orders.ts';
import { givenStores } from '../given/stores.ts';
import { givenBrowser } from './browser.ts';
import { DESK, openView, showView } from './operator-view.ts';
import { keepPicture, skip } from './picture.ts';

const PHONE = { width: 390, height: 780 };
const SAMPLE = {
  user_name: 'Sample Customer',
  user_street_num: '10',
  user_street_name: 'W 21st St',
  user_zipcode: '10010',
};

/** Stores whose channels have different states during one evening. */
async function givenEvening(shop: LiveShop): Promise<string> {
  const { app } = shop;
  const texts: Record<string, object> = {
    'Brick Oven': { email: 'kitchen@example.com' },
    'Corner Diner': { sms: '+12125550145' },
    'Noodle House': { console: true },
  };
  const names = Object.keys(texts);
  const ids = await givenStores(
    app,
    names.map((name, index) => pizzeria({ external_id: `store-${index}`, name })),
  );
  for (const [index, name] of names.entries()) await givenChannel(app, ids[index] ?? '', texts[name]);
  const { messaging } = app.service.deps;
  messaging.smsSender = { sendText: () => Promise.reject(new OutsideError('SMS', 'no answer', { retryable: true })) };
  const orders: string[] = [];
  for (const id of [...ids, shop.storeId]) {
    orders.push(await place(shop, id));
    await app.advance({ seconds: 9 });
  }
  await step(shop, orders[0] ?? '', 'confirm', 'ready');
  await app.advance({ seconds: 20 });
  orders.push(await place(shop, ids[0] ?? ''));
  await app.advance({ seconds: 4 });
  return orders[0] ?? '';
}

async function place({ client }: LiveShop, storeId: string): Promise<string> {
  const token = (await productTokens(client, storeId)).Soda;
  const body = orderBody(token, null, { items: [{ product_id: token, quantity: 3 }], charge_user: false, ...SAMPLE });
  const reply = await client.post('/order/order/v2', body);
  assert.equal(reply.status, 200, reply.text);
  return reply.body.order_id;
}

test("the pictures of the operator's view", { skip }, async (t) => {
  const browser = await givenBrowser(t);
  if (!browser) return;
  const shop = await givenLiveShop(t);
  const url = await shop.app.service.listen();
  const orderId = await givenEvening(shop);
  const shots = [
    ['waiting', 'operator-waiting', 'light', DESK],
    ['waiting', 'operator-waiting-phone', 'dark', PHONE],
    [`orders/${orderId}`, 'operator-order', 'light', { width: 1280, height: 1250 }],
    ['health', 'operator-health', 'dark', { width: 1280, height: 900 }],
  ] as const;
  for (const [view, name, colorScheme, viewport] of shots) {
    const { page, close } = await openView(browser, shop.app, url, { viewport, colorScheme, deviceScaleFactor: 1.5 });
    await showView(page, url, view);
    await page.locator('td').first().waitFor();
    await keepPicture(page, name);
    await close();
  }
});
