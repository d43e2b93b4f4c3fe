import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { DELIVERY_STEPS, givenTracked, givenTrackedStore, PRIVATE, type Tracked } from '../../../test/given/tracked.ts';
import { type App, type Client, givenApp, type Reply } from '../../../test/harness.ts';
import type { BrandingChanges } from '../../access/accounts/branding.ts';
import { saveBranding } from '../../access/accounts/brandings.db.ts';

const HOST = 'follow.example';
/** Headers that a browser sends with the page's form. */
const FROM_THE_PAGE = { host: HOST, origin: `https://${HOST}`, 'sec-fetch-site': 'same-origin' };

let app: App;
let storeId: string;
before(async () => {
  app = await givenApp({ env: { TRACKING_URL: `https://${HOST}/orders` } });
  storeId = await givenTrackedStore(app);
});
after(() => app.close());

async function givenAccount(changes: BrandingChanges): Promise<Client> {
  const client = await app.givenClient();
  await saveBranding(app.service.deps.db, client.accountId, changes, app.now());
  return client;
}

const open = (path: string, headers: Record<string, string> = {}) => app.get(path, {}, { 'id-token': '', ...headers });
const headlineOf = ({ text }: Reply) => /<h1[^>]*>([^<]*)<\/h1>/.exec(text)?.[1];
const linksOf = ({ text }: Reply) => [...text.matchAll(/<a id="([\w-]+)" class="action/g)].map(([, id]) => id);

/** Path of the form and its page; a link with other members is an outsider's. */
const cancelPathOf = ({ link }: Pick<Tracked, 'link'>) => link.replace('/tracking?', '/tracking/cancel?');

async function submit(
  { link }: Pick<Tracked, 'link'>,
  headers: Record<string, string> = FROM_THE_PAGE,
): Promise<Reply> {
  const reply = await app.service.http.inject({
    method: 'POST',
    url: '/tracking/cancel',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: link.slice('/tracking?'.length),
  });
  const body = /json/.test(String(reply.headers['content-type'])) ? reply.json() : undefined;
  return { status: reply.statusCode, headers: reply.headers as Reply['headers'], text: reply.body, body };
}

const stateOf = async (client: Client, { orderId }: Tracked) => {
  const { orders } = (await client.get('/account/orders', { order_id: orderId })).body;
  return [orders[0].status, orders[0].cancel_reason, orders[0].refunded_amount];
};

test('a customer cancels where the account allows it, until a driver has the order', async () => {
  const client = await givenAccount({ customerCancel: true });
  const order = await givenTracked(client, storeId);
  assert.deepEqual(linksOf(await open(order.link)), ['change-notes', 'cancel-order', 'receipt-link']);
  await order.advance('confirm');
  const confirmation = await open(cancelPathOf(order));
  assert.deepEqual([confirmation.status, headlineOf(confirmation)], [200, 'Cancel this order?']);
  assert.match(confirmation.text, /We’ll refund \$67\.87 to your card\./);
  assert.match(confirmation.text, /<form method="post" action="\/orders\/tracking\/cancel">/);
  assert.match(String(confirmation.headers['content-security-policy']), /form-action 'self'/);
  const done = await submit(order);
  const location = `/orders${order.link}`;
  assert.deepEqual([done.status, done.headers.location, done.text], [303, location, '']);
  await app.advance({ seconds: 1 });
  assert.equal((await submit(order)).status, 303);
  assert.deepEqual(await stateOf(client, order), ['canceled', 'canceled_by_customer', 6787]);

  const gone = await givenTracked(client, storeId);
  for (const step of ['confirm', 'assign_driver', 'pick_up']) await gone.advance(step);
  assert.deepEqual(linksOf(await open(gone.link)), ['receipt-link']);
  for (const reply of [await open(cancelPathOf(gone)), await submit(gone)]) {
    assert.deepEqual([reply.status, headlineOf(reply)], [409, 'You can’t cancel this order here']);
    assert.match(reply.text, /Sandbox is on the way</);
  }
  const problem = await submit(gone, { ...FROM_THE_PAGE, accept: 'application/json' });
  assert.deepEqual([problem.status, problem.body.code], [409, 'transition_not_allowed']);
  assert.deepEqual(await stateOf(client, gone), ['in_progress', undefined, 0]);
});

test('without the permission of the account no page offers it and nothing is canceled', async () => {
  const client = await givenAccount({ customerCancel: false });
  const order = await givenTracked(client, storeId);
  assert.deepEqual(linksOf(await open(order.link)), ['change-notes', 'receipt-link']);
  assert.equal((await open(cancelPathOf(order))).status, 409);
  assert.equal((await submit(order)).status, 409);
  assert.deepEqual(await stateOf(client, order), ['awaiting_confirmation', undefined, 0]);
});

test('an order’s ID shows it and cancels nothing: canceling needs its link’s key', async () => {
  const client = await givenAccount({ customerCancel: true, reorderUrl: 'https://shop.example/{order_id}' });
  const [order, other] = [await givenTracked(client, storeId), await givenTracked(client, storeId)];
  assert.match(order.key, /^[\w-]{22}$/);
  const changed = `${order.key.startsWith('A') ? 'B' : 'A'}${order.key.slice(1)}`;
  const wrong = [
    '',
    other.key,
    changed,
    order.key.slice(0, -1),
    `${order.key}A`,
    order.orderId,
    'x'.repeat(5000),
    '<b>',
  ];
  const links = [order.seenLink, ...wrong.map((key) => `${order.seenLink}&key=${encodeURIComponent(key)}`)];
  for (const link of links) {
    const page = await open(link);
    assert.deepEqual([page.status, linksOf(page)], [200, ['receipt-link']], link);
    const receipt = await open(link.replace('/tracking?', '/tracking/receipt?'));
    assert.equal(receipt.status, 200);
    for (const { text } of [page, receipt]) assert.doesNotMatch(text, /[?;]key=/, link);
    for (const reply of [await open(cancelPathOf({ link })), await submit({ link })]) {
      assert.deepEqual([reply.status, headlineOf(reply)], [409, 'You can’t cancel this order here'], link);
      assert.match(reply.text, /open the link in your confirmation email or text message/);
      assert.ok(!reply.text.includes(order.key));
    }
  }
  const json = await submit({ link: order.seenLink }, { ...FROM_THE_PAGE, accept: 'application/json' });
  assert.deepEqual([json.status, json.body.code], [409, 'transition_not_allowed']);
  assert.equal((await open(`${order.link}&key=${order.key}`)).status, 400, 'two keys are none');
  assert.deepEqual(await stateOf(client, order), ['awaiting_confirmation', undefined, 0]);
  // Outsiders have not used up the customer's rate limit.
  assert.equal((await submit(order)).status, 303);
  assert.deepEqual(linksOf(await open(order.link)), ['reorder', 'receipt-link']);
  assert.deepEqual(linksOf(await open(order.seenLink)), ['receipt-link']);
});

test('a form of another site, or of no site, cancels nothing', async () => {
  const client = await givenAccount({ customerCancel: true });
  const order = await givenTracked(client, storeId);
  for (const headers of [
    { host: HOST },
    { host: HOST, origin: 'null' },
    { host: HOST, origin: 'https://evil.example' },
    { host: HOST, 'sec-fetch-site': 'same-origin' },
    { ...FROM_THE_PAGE, 'sec-fetch-site': 'cross-site' },
    { ...FROM_THE_PAGE, 'sec-fetch-site': 'same-site' },
    { ...FROM_THE_PAGE, origin: `https://${HOST}.evil.example` },
    { ...FROM_THE_PAGE, origin: `http://${HOST}` },
    { ...FROM_THE_PAGE, host: 'evil.example', origin: 'https://evil.example' },
  ]) {
    const reply = await submit(order, { accept: 'application/json', ...headers });
    assert.deepEqual([reply.status, reply.body.code], [403, 'cross_site_request'], JSON.stringify(headers));
  }
  assert.deepEqual(await stateOf(client, order), ['awaiting_confirmation', undefined, 0]);
  const allowed = Object.keys((await submit(order)).headers).filter((name) => /^access-control/.test(name));
  assert.deepEqual(allowed, []);
});

test('a driver who picks up at the same moment is before or after the cancelation, never both', async () => {
  const client = await givenAccount({ customerCancel: true });
  for (let round = 0; round < 8; round += 1) {
    const order = await givenTracked(client, storeId);
    for (const step of ['confirm', 'assign_driver']) await order.advance(step);
    const pickUp = () => client.post(`/sandbox/orders/${order.orderId}/advance`, { event: 'pick_up' });
    const [canceled, pickedUp] = await Promise.all(
      round % 2 === 0 ? [submit(order), pickUp()] : [pickUp(), submit(order)].reverse(),
    );
    const [status] = await stateOf(client, order);
    const statuses = [canceled?.status, pickedUp?.status];
    assert.deepEqual(statuses, status === 'canceled' ? [303, 409] : [409, 200]);
  }
});

test('a link has twenty visits of the cancel page a minute', async () => {
  const client = await givenAccount({ customerCancel: true });
  const order = await givenTracked(client, storeId);
  const path = cancelPathOf(order);
  for (let visit = 0; visit < 20; visit += 1) assert.equal((await open(path)).status, 200);
  const refused = await submit(order, { ...FROM_THE_PAGE, accept: 'application/json' });
  assert.deepEqual([refused.status, refused.body.code, refused.headers['retry-after']], [429, 'rate_limited', '60']);
  const other = await givenTracked(client, storeId);
  assert.equal((await open(cancelPathOf(other))).status, 200);
});

test('an unknown, unplaced or other host’s order can’t be canceled by form, and has no receipt', async () => {
  const client = await givenAccount({ customerCancel: true, trackingHost: 'track.other.example' });
  const foreign = await givenTracked(await givenAccount({ customerCancel: true }), storeId);
  const unplaced = await givenTracked(client, storeId, { place_order: false });
  const own = { host: 'track.other.example', origin: 'https://track.other.example' };
  for (const id of ['ord_unknown', '', 'x'.repeat(5000), '<script>']) {
    const link = `/tracking?tracking_id=${encodeURIComponent(id)}`;
    assert.equal((await submit({ link })).status, 404, id);
    for (const page of ['cancel', 'receipt']) {
      const reply = await open(`/tracking/${page}?tracking_id=${encodeURIComponent(id)}`);
      assert.deepEqual([reply.status, headlineOf(reply)], [404, 'We can’t find that order'], id);
    }
  }
  assert.equal((await submit(foreign, own)).status, 404);
  assert.equal((await open(`/tracking/receipt?tracking_id=${foreign.orderId}`, { host: own.host })).status, 404);
  assert.equal((await submit(unplaced)).status, 409);
  const json = { accept: 'application/json' };
  const receipt = await open(`/tracking/receipt?tracking_id=${unplaced.orderId}`, json);
  assert.deepEqual([receipt.status, receipt.body.code], [404, 'order_not_found']);
  assert.equal((await open('/tracking/cancel?tracking_id=none', json)).body.code, 'order_not_found');
});

test('the receipt shows the mail’s amounts and no customer data', async () => {
  const order = await givenTracked(app, storeId);
  for (const step of ['confirm', 'cancel']) await order.advance(step);
  const { text } = await open(`/tracking/receipt?tracking_id=${order.orderId}`);
  const amounts = [...text.matchAll(/<th scope="row">([^<]*)<\/th><td>(-?\$[\d.]+)<\/td>/g)].map(([, label, amount]) =>
    [label, amount].join(' '),
  );
  const { messages } = (await app.get('/sandbox/messages', { order_id: order.orderId })).body;
  const mail: string = messages.find(({ kind }: { kind: string }) => kind === 'order_confirmation').text;
  const sums = [...mail.matchAll(/^([A-Z][\w -]*?(?: \((?:USD|[\d.]+%)\))?) \.{3,} (\$[\d.]+)$/gm)].map(
    ([, label, amount]) => [label, amount].join(' '),
  );
  assert.ok(sums.length >= 5);
  assert.deepEqual(amounts, [...sums, 'Refunded -$67.87', 'Total after refunds $0.00']);
  assert.match(text, /Order A\d+ from Test Pizzeria/);
  const shown = text.replaceAll(order.orderId, '');
  for (const [what, secret] of Object.entries(PRIVATE)) assert.ok(!shown.includes(secret), what);
  assert.doesNotMatch(shown, /W 21st St|Test Customer|@/);
  assert.doesNotMatch(text, /<script|\sstyle=/);
});

test('help is on the page at every step, and ordering again once the order has ended', async () => {
  const client = await givenAccount({
    helpUrl: 'https://help.example/a?b=1&c',
    helpEmail: 'help@shop.example',
    helpPhone: '+12125550123',
    reorderUrl: 'https://shop.example/{store_id}/again?order={order_id}&own={customer_order_id}',
  });
  const order = await givenTracked(client, storeId, { customer_order_id: 'A&B 7' });
  for (const step of [undefined, ...DELIVERY_STEPS]) {
    if (step) await order.advance(step);
    const page = await open(order.link);
    assert.match(page.text, /href="https:\/\/help\.example\/a\?b=1&amp;c"/);
    assert.match(page.text, /href="mailto:help@shop\.example"/);
    assert.match(page.text, /href="tel:\+12125550123">\(212\) 555-0123</);
    const isHere = !['pick_up', 'approach', 'complete'].includes(step ?? '');
    const links = step === 'complete' ? ['reorder', 'tip'] : isHere ? ['change-notes'] : [];
    assert.deepEqual(linksOf(page), [...links, 'receipt-link']);
  }
  const [, href] = /id="reorder"[^>]* href="([^"]*)"/.exec((await open(order.link)).text) ?? [];
  assert.equal(href, `https://shop.example/${storeId}/again?order=${order.orderId}&amp;own=A%26B%207`);
});

test("only a brand's color becomes a separate style, for both schemes", async () => {
  const client = await givenAccount({ color: '#fff200' });
  const { text, headers } = await open((await givenTracked(client, storeId)).link);
  const [, href = ''] = /href="\/orders(\/tracking\/colors\/[^"]*)"/.exec(text) ?? [];
  assert.equal(href, '/tracking/colors/fff200.css');
  assert.match(String(headers['content-security-policy']), /style-src 'self';/);
  const style = await open(href);
  assert.deepEqual([style.status, style.headers['content-type']], [200, 'text/css; charset=utf-8']);
  assert.match(style.text, /--button:#fff200;--on-button:#000000\}\n@media \(prefers-color-scheme:dark\)/);
  for (const name of ['fff.css', 'FFF200.css', 'fff200', 'fff200.css.css', '};x.css', '%2e%2e']) {
    assert.equal((await open(`/tracking/colors/${encodeURIComponent(name)}`)).status, 404, name);
  }
  assert.doesNotMatch((await open((await givenTracked(app, storeId)).link)).text, /tracking\/colors/);
});
