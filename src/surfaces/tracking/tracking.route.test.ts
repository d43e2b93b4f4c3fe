import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { brotliDecompressSync } from 'node:zlib';
import { DELIVERY_STEPS, givenTracked, givenTrackedStore, PICKUP_STEPS, PRIVATE } from '../../../test/given/tracked.ts';
import { givenApp, type Reply } from '../../../test/harness.ts';
import { recordHostCheck, saveBranding } from '../../access/accounts/brandings.db.ts';

const app = await givenApp({
  env: { TRACKING_URL: 'https://follow.example', MAP_TILES: 'https://{s}.tiles.example/{z}/{x}/{y}.png' },
});
const storeId = await givenTrackedStore(app);
after(() => app.close());

const open = (link: string, headers: Record<string, string> = {}) => app.get(link, {}, { 'id-token': '', ...headers });
const headlineOf = ({ text }: Reply) => /<h1[^>]*>([^<]*)<\/h1>/.exec(text)?.[1];
const stepsOf = ({ text }: Reply) =>
  [...text.matchAll(/<li class="(done|current|next|canceled)"[^>]*>.*?<\/span>([^<]*)<\/span>/g)].map(
    ([, state, label]) => `${state}: ${label}`,
  );
const minutesOf = ({ text }: Reply) => /<strong id="minutes"[^>]*>([^<]*)</.exec(text)?.[1];

test('a delivery has a plain message at each of its steps', async () => {
  const order = await givenTracked(app, storeId);
  const headlines = [headlineOf(await open(order.link))];
  for (const step of DELIVERY_STEPS) {
    await order.advance(step);
    headlines.push(headlineOf(await open(order.link)));
  }
  assert.deepEqual(headlines, [
    'Waiting for Test Pizzeria to confirm',
    'Your order is being prepared',
    'Your order is ready',
    'Your order is ready',
    'Sandbox is on the way',
    'Sandbox is almost there',
    'Delivered',
  ]);
});

test('a pickup has steps of its own, and no driver', async () => {
  const order = await givenTracked(app, storeId, { pickup: true });
  const pages = [await open(order.link)];
  for (const step of PICKUP_STEPS) {
    await order.advance(step);
    pages.push(await open(order.link));
  }
  assert.deepEqual(pages.map(headlineOf), [
    'Waiting for Test Pizzeria to confirm',
    'Your order is being prepared',
    'Ready for pickup',
    'Picked up',
  ]);
  assert.deepEqual(pages[2] && stepsOf(pages[2]), [
    'done: Order placed',
    'done: Confirmed by Test Pizzeria',
    'done: Preparing',
    'current: Ready for pickup',
    'next: Picked up',
  ]);
  for (const { text } of pages) assert.doesNotMatch(text, /call-driver|class="sketch"|data-map="\{/);
});

test('minutes and the time of day say how long still; a driver on the way counts more than the first estimate', async () => {
  const order = await givenTracked(app, storeId);
  const first = await open(order.link);
  assert.equal(minutesOf(first), '12–22 min');
  assert.match(first.text, /Arrives <time datetime="2026-06-10T13:22:00-04:00">1:12 – 1:22 PM<\/time>/);
  for (const step of ['confirm', 'assign_driver', 'pick_up']) await order.advance(step);
  const onTheWay = await open(order.link);
  assert.equal(minutesOf(onTheWay), '2 min');
  assert.match(onTheWay.text, /Sandbox is about 0\.5 miles away\./);
});

test('the driver can be called while bringing the order, and not before or after', async () => {
  const order = await givenTracked(app, storeId);
  await order.advance('confirm');
  const hasDriver = async () => /href="tel:\+15555550100"/.test((await open(order.link)).text);
  assert.equal(await hasDriver(), false);
  await order.advance('assign_driver');
  assert.match((await open(order.link)).text, /Sandbox Driver<\/h2>\s*<p>Car · .*★&nbsp;4\.9/);
  assert.equal(await hasDriver(), true);
  for (const step of ['pick_up', 'complete']) await order.advance(step);
  assert.equal(await hasDriver(), false);
  assert.match((await open(order.link)).text, /<section id="driver-location"[^>]* hidden>/);
});

test('a canceled order says why, and where the money is', async () => {
  const order = await givenTracked(app, storeId);
  await order.advance('cancel');
  const page = await open(order.link);
  assert.equal(headlineOf(page), 'Your order was canceled');
  assert.match(page.text, /The store canceled it\. We’ve refunded the full \$67\.87 to your card\./);
  assert.deepEqual(stepsOf(page), ['done: Order placed', 'canceled: Canceled', 'done: Refunded']);
  assert.match(page.text, /Refunded<\/th><td>-\$67\.87/);
  assert.doesNotMatch(page.text, /http-equiv="refresh"|<script/);
});

test('the receipt shows marked prices and adds up to the total', async () => {
  const { link } = await givenTracked(app, storeId, {
    items: await markedItems(),
    autofill_selected_options: true,
    email_receipt_specifications: {
      prices_marked: true,
      added_fee: { added_fee_flat: 75, added_fee_percent: 3 },
      unify_service_fee: true,
      misc_fees: [{ fee_name: 'Bag fee', fee_amount: 10 }],
    },
  });
  const { text } = await open(link);
  const cents = (amount: string | undefined) => Math.round(Number(amount) * 100);
  const rows = [...text.matchAll(/<th scope="row">([^<]*)<\/th><td>\$([\d.]+)<\/td>/g)];
  const total = cents(rows.pop()?.[2]);
  assert.equal(
    rows.reduce((sum, [, , amount]) => sum + cents(amount), 0),
    total,
  );
  const items = [...text.matchAll(/<\/span> [^<]*<\/span><span class="price">\$([\d.]+)</g)];
  assert.equal(
    items.reduce((sum, [, amount]) => sum + cents(amount), 0),
    cents(rows[0]?.[2]),
  );
  assert.match(text, /Margherita<\/span><span class="price">\$99\.00/);
  assert.ok(rows.some(([, label]) => label === 'Bag fee') && !rows.some(([, label]) => label === 'Additional fee'));
});

async function markedItems() {
  const { body } = await app.get('/details/inventory', { store_id: storeId, pickup: false });
  const [margherita] = body.categories[0].menu_item_list;
  return [{ product_id: margherita.product_id, product_marked_price: 9900 }];
}

test('a scheduled order shows its slot, and no minutes while it is far away', async () => {
  const inventory = await app.get('/details/inventory', { store_id: storeId, pickup: true, include_quote: true });
  const slot = inventory.body.quote.time_estimate.scheduled.at(-1);
  const { link } = await givenTracked(app, storeId, { pickup: true, scheduled_id: slot.id });
  const page = await open(link);
  assert.match(page.text, /Scheduled for<\/dt><dd>Thu, Jun 11, 11:30 PM – Fri, Jun 12, 12:00 AM</);
  assert.equal(minutesOf(page), undefined);
});

for (const pickup of [false, true]) {
  test(`the steps of a ${pickup ? 'pickup' : 'delivery'} keep their labels to its end`, async () => {
    const order = await givenTracked(app, storeId, { pickup });
    const first = stepsOf(await open(order.link));
    const labels = first.map((step) => step.replace(/^\w+: /, ''));
    assert.deepEqual(labels, [
      ...['Order placed', 'Confirmed by Test Pizzeria', 'Preparing'],
      ...(pickup ? ['Ready for pickup', 'Picked up'] : ['Ready', 'On the way', 'Delivered']),
    ]);
    for (const step of pickup ? PICKUP_STEPS : DELIVERY_STEPS) {
      await order.advance(step);
      const steps = stepsOf(await open(order.link));
      assert.deepEqual(
        steps.map((one) => one.replace(/^\w+: /, '')),
        labels,
        step,
      );
    }
    assert.ok(stepsOf(await open(order.link)).every((step) => step.startsWith('done: ')));
  });
}

test('nothing of the customer is shown that the holder of the link does not need', async () => {
  const order = await givenTracked(app, storeId);
  for (const step of [undefined, ...DELIVERY_STEPS]) {
    if (step) await order.advance(step);
    const { text } = await open(order.link);
    const shown = text.replaceAll(order.orderId, '');
    for (const [what, secret] of Object.entries(PRIVATE)) assert.ok(!shown.includes(secret), `${what} after ${step}`);
    assert.ok(!shown.includes('555-0177') && !shown.includes('@'), 'phone and email');
    assert.match(shown, /W 21st St, New York, NY/);
    assert.match(shown, /•••• ••77/);
  }
});

test('an unknown, a mangled and no id get a page that helps, with status 404', async () => {
  for (const id of ['ord_unknown', '', 'x'.repeat(5000), "' or 1=1 --", '%00', '<script>']) {
    const page = await open(`/tracking?tracking_id=${encodeURIComponent(id)}`);
    assert.equal(page.status, 404, id);
    assert.equal(headlineOf(page), 'We can’t find that order');
    assert.match(String(page.headers['content-security-policy']), /default-src 'none'/);
  }
  assert.equal((await open('/tracking')).status, 404);
});

test('a program that asks for JSON gets problem details', async () => {
  const reply = await open('/tracking?tracking_id=nope', { accept: 'application/json' });
  assert.deepEqual([reply.status, reply.body.code], [404, 'order_not_found']);
});

test('an order that is not placed yet has a page that tells nothing of it', async () => {
  const { link } = await givenTracked(app, storeId, { place_order: false });
  const page = await open(link);
  assert.deepEqual([page.status, headlineOf(page)], [200, 'Not placed yet']);
  assert.doesNotMatch(page.text, /Margherita|Test Customer/);
});

test('an unplaced order’s page leads to its checkout, in the page’s language, for anyone with the key', async () => {
  const { link, seenLink } = await givenTracked(app, storeId, { place_order: false });
  const checkoutIn = ({ text }: Reply) => /<a id="checkout"[^>]*href="([^"]*)"/.exec(text)?.[1];
  const url = checkoutIn(await open(`${link}&lang=fr`)) ?? assert.fail('no link to the checkout');
  const { pathname, search } = new URL(url);
  const page = await open(pathname + search);
  assert.equal(page.status, 200);
  assert.match(page.text, /<html lang="fr">.*Margherita/s);
  for (const other of [seenLink, `${seenLink}&key=AAAAAAAAAAAAAAAAAAAAAA`]) {
    assert.equal(checkoutIn(await open(other)), undefined);
  }
});

test('a refund is in the headline: its amount once the order is delivered, and a sentence before', async () => {
  const [half, whole, cooking] = [
    await givenTracked(app, storeId),
    await givenTracked(app, storeId, { pickup: true }),
    await givenTracked(app, storeId),
  ];
  const refund = async ({ orderId }: { orderId: string }, amount: number) => {
    const reply = await app.post('/order/refund', { order_id: orderId, amount, reason: 'quality' });
    assert.equal(reply.status, 200, reply.text);
  };
  for (const step of DELIVERY_STEPS) await half.advance(step);
  for (const step of PICKUP_STEPS) await whole.advance(step);
  await cooking.advance('confirm');
  await refund(half, 500);
  const { body } = await app.get('/account/orders', { order_id: whole.orderId });
  await refund(whole, body.orders[0].total_with_tip);
  await refund(cooking, 250);
  const [ofHalf, ofWhole, ofCooking] = [await open(half.link), await open(whole.link), await open(cooking.link)];
  assert.equal(headlineOf(ofHalf), 'Delivered, with a $5.00 refund');
  assert.match(ofHalf.text, /<p class="detail">We’ve refunded \$5\.00 to your card\.<\/p>/);
  assert.match(ofHalf.text, /<th scope="row">Total after refunds<\/th><td>\$\d+\.\d\d<\/td><\/tr><\/tfoot>/);
  assert.match(headlineOf(ofWhole) ?? '', /^Picked up, with a \$\d+\.\d\d refund$/);
  assert.match(ofWhole.text, /<p class="detail">We’ve refunded the full \$\d+\.\d\d to your card\.<\/p>/);
  assert.match(ofCooking.text, /Test Pizzeria confirmed your order\. We’ve refunded \$2\.50 to your card\./);
});

test('a pickup has directions in the map app of the phone until it has ended, a delivery has none', async () => {
  const [pickup, delivery] = [await givenTracked(app, storeId, { pickup: true }), await givenTracked(app, storeId)];
  const directionsIn = ({ text }: Reply) => /<a id="directions"[^>]* href="([^"]*)"/.exec(text)?.[1];
  const agents = [
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)', /^https:\/\/maps\.apple\.com\/\?daddr=40\.\d+,-73/],
    ['Mozilla/5.0 (Linux; Android 16)', /^geo:40\.\d+,-73/],
    ['Mozilla/5.0 (X11; Linux x86_64)', /^https:\/\/www\.google\.com\/maps\/dir\//],
  ] as const;
  for (const [agent, address] of agents) {
    assert.match(directionsIn(await open(pickup.link, { 'user-agent': agent })) ?? '', address);
  }
  assert.equal(directionsIn(await open(delivery.link)), undefined);
  for (const step of PICKUP_STEPS) await pickup.advance(step);
  assert.equal(directionsIn(await open(pickup.link)), undefined);
});

test('receipt and share are one card', async () => {
  const { text } = await open((await givenTracked(app, storeId)).link);
  const card = text.split('<div class="card care">')[1]?.split('</div>')[0] ?? '';
  assert.match(card, /id="receipt-link".*id="share"/s);
  assert.equal(text.split('id="share"').length, 2);
});

test('every page carries headers that let it load, run and send nothing else', async () => {
  const { headers } = await open((await givenTracked(app, storeId)).link);
  assert.equal(
    headers['content-security-policy'],
    "default-src 'none';script-src 'self';style-src 'self';img-src 'self' data:;connect-src 'self' https://*.tiles.example;frame-ancestors 'none';base-uri 'none';form-action 'none'",
  );
  assert.equal(headers['cache-control'], 'private, no-store');
  assert.equal(headers['referrer-policy'], 'no-referrer');
  assert.equal(headers['x-content-type-options'], 'nosniff');
  assert.equal(headers['x-frame-options'], 'DENY');
  assert.equal(headers['cross-origin-opener-policy'], 'same-origin');
  assert.match(String(headers['strict-transport-security']), /^max-age=\d{8}/);
  assert.match(String(headers['x-robots-tag']), /noindex/);
  assert.match(String(headers['permissions-policy']), /geolocation=\(\)/);
});

test('no page contains an inline script, style or handler', async () => {
  const order = await givenTracked(app, storeId);
  await order.advance('confirm');
  await order.advance('assign_driver');
  const { text } = await open(order.link);
  assert.doesNotMatch(text, /<style|\sstyle=|\son[a-z]+=|<script(?![^>]* src=)/);
});

test('all that a page loads is under 12 KB, and 400 KB more with streets; each file is kept for ever under its name', async () => {
  const order = await givenTracked(app, storeId);
  for (const step of ['confirm', 'assign_driver', 'pick_up']) await order.advance(step);
  const compressed = { 'accept-encoding': 'br' };
  const page = await app.service.http.inject({ url: order.link, headers: compressed });
  const html = brotliDecompressSync(page.rawPayload).toString();
  const paths = [...new Set(html.match(/\/tracking\/assets\/[\w.-]+/g))];
  const files = await Promise.all(paths.map((url) => app.service.http.inject({ url, headers: compressed })));
  for (const file of files) {
    assert.equal(file.headers['cache-control'], 'public, max-age=31536000, immutable');
    assert.equal(file.headers['content-encoding'], 'br');
  }
  const ofMap = files.filter((_, index) => /\/map/.test(paths[index] ?? ''));
  const sizeOf = (replies: readonly { rawPayload: Buffer }[]) =>
    replies.reduce((sum, { rawPayload }) => sum + rawPayload.length, 0);
  assert.deepEqual([files.length, ofMap.length], [6, 3]);
  const [ofStreets, ofPage] = [sizeOf(ofMap), sizeOf([page, ...files]) - sizeOf(ofMap)];
  assert.ok(ofPage < 12_000 && ofStreets < 400_000, `${ofPage} bytes, and ${ofStreets} of streets`);
});

test("an account's host shows its own orders with its brand, and no others", async () => {
  const other = await app.givenClient();
  const favicon = { bytes: Buffer.from('icon of the brand'), type: 'image/png' };
  const branding = {
    displayName: 'Fast <Food>',
    logoUrl: 'https://logo.example/l.png',
    trackingHost: 'track.fast.example',
  };
  const { db } = app.service.deps;
  await saveBranding(db, other.accountId, { ...branding, favicon }, app.now());
  const { accountId } = other;
  await recordHostCheck(db, { accountId, host: branding.trackingHost, verifiedAt: app.now() }, app.now());
  const [own, foreign] = [await givenTracked(other, storeId), await givenTracked(app, storeId)];
  const host = { host: 'Track.Fast.Example:443' };

  const page = await open(own.link, host);
  assert.equal(page.status, 200);
  assert.match(page.text, /class="brand"[^>]*><img src="https:\/\/logo\.example\/l\.png" alt="Fast &lt;Food&gt;"/);
  assert.match(String(page.headers['content-security-policy']), /img-src [^;]*https:\/\/logo\.example/);
  const icon = await open(/rel="icon" href="([^"]*)"/.exec(page.text)?.[1] ?? '', host);
  assert.deepEqual([icon.text, icon.headers['content-type']], ['icon of the brand', 'image/png']);

  const refused = await open(foreign.link, host);
  assert.deepEqual([refused.status, headlineOf(refused)], [404, 'We can’t find that order']);
  assert.match(refused.text, /Fast &lt;Food&gt;/);
  assert.equal((await open(`/tracking/events?tracking_id=${foreign.orderId}`, host)).status, 404);
  assert.match((await open(own.link, { host: 'unknown.example' })).text, /Fast &lt;Food&gt;/);
  assert.match((await open(foreign.link, { host: 'unknown.example' })).text, /<span class="brand">Doorstep</);
});

test('times are in the delivery address’s zone, and name it where the store or device shows another', async () => {
  const west = await givenTrackedStore(app, { external_id: 'west', time_zone: 'America/Los_Angeles' });
  const { link } = await givenTracked(app, west);
  assert.match((await open(link)).text, /Arrives <time[^>]*>1:12 – 1:22 PM EDT</);
});
