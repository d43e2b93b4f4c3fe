import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { givenLiveShop } from '../../../test/given/live-shop.ts';
import { givenTracked, givenTrackedStore, type Tracked } from '../../../test/given/tracked.ts';
import { type App, givenApp } from '../../../test/harness.ts';
import { MARKUP_PAYLOADS } from '../../../test/hostile/markup-payloads.ts';
import { saveBranding } from '../../access/accounts/brandings.db.ts';

const app = await givenApp();
const storeId = await givenTrackedStore(app);
const client = await app.givenClient();
const branding = { displayName: 'Supper Club', helpEmail: 'help@supper.example', language: 'en' as const };
await saveBranding(app.service.deps.db, client.accountId, branding, app.now());
after(() => app.close());

type Answer = { status: number; text: string; location: string };
async function ask(of: App, request: object): Promise<Answer> {
  const { statusCode, body, headers } = await of.service.http.inject(request as { url: string });
  return { status: statusCode, text: body, location: String(headers.location) };
}
const open = (url: string) => ask(app, { url });
const problemPath = ({ link }: Pick<Tracked, 'link'>) => link.replace('/tracking?', '/tracking/problem?');
function submit(of: App, query: string, fields: Record<string, string>, headers = {}): Promise<Answer> {
  const { host, origin } = new URL(of.config.trackingUrl);
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  return ask(of, {
    method: 'POST',
    url: '/tracking/problem',
    headers: { ...form, host, origin, 'sec-fetch-site': 'same-origin', ...headers },
    payload: `${query}&${new URLSearchParams(fields)}`,
  });
}
const queryOf = ({ link }: Pick<Tracked, 'link'>) => link.slice('/tracking?'.length);
const report = (order: Pick<Tracked, 'link'>, fields: Record<string, string>, headers = {}) =>
  submit(app, queryOf(order), fields, headers);
const headlineOf = ({ text }: Answer) => /<h1[^>]*>([^<]*)<\/h1>/.exec(text)?.[1];
type Kept = { kind: string; to: string; from: string; subject: string; text: string; html: string };
const reportsOf = async ({ orderId }: Tracked): Promise<Kept[]> => {
  const { messages } = (await client.get('/sandbox/messages', { order_id: orderId })).body;
  return messages.filter(({ kind }: Kept) => kind === 'order_problem');
};

const SODA = { reason: 'missing_item', text: 'The soda was not in the bag.\r\nCan you help?' };

test('a customer’s message reaches the account’s support once, with the order, and is acknowledged', async (t) => {
  const shop = await givenLiveShop(t);
  const { db } = shop.app.service.deps;
  const changes = { displayName: 'Grocer', fromAddress: 'orders@grocer.example', helpEmail: 'help@grocer.example' };
  await saveBranding(db, shop.client.accountId, changes, shop.app.now());
  const orderId = await shop.place();
  await shop.app.advance({ minutes: 1 });
  const { body } = await shop.client.post('/order/finalize', { order_id: orderId });
  const link = new URL(body.tracking_link);
  const before = shop.smtp.received.length;
  const sent = await Promise.all([1, 2, 3].map(() => submit(shop.app, link.search.slice(1), SODA)));
  sent.push(await submit(shop.app, link.search.slice(1), SODA));
  for (const { status, text } of sent) assert.equal(status, 303, text);
  await shop.app.advance({ minutes: 1 });
  const mails = shop.smtp.received.slice(before);
  assert.equal(mails.length, 1, 'sent again it is the same mail');
  const [{ mail, envelope } = assert.fail()] = mails;
  assert.deepEqual(envelope, { from: 'orders@grocer.example', to: ['help@grocer.example'] });
  assert.deepEqual(
    mail.replyTo?.map(({ address }) => address),
    ['u1@example.com'],
  );
  assert.match(String(mail.subject), /^Problem with order [A-Z]\d+: Something is missing$/);
  for (const words of ['The soda was not in the bag.', 'Can you help?', orderId, 'Test Pizzeria', 'Total']) {
    assert.ok(mail.text?.includes(words) && mail.html?.includes(words), words);
  }
  const key = link.searchParams.get('key') ?? assert.fail();
  assert.ok(!mail.text?.includes(key) && !mail.html?.includes(key), 'staff get no key');
  assert.ok(!mail.headers.some(({ key: name }) => name === 'auto-submitted'), 'a help desk may answer by itself');
});

test('the order’s page leads to the form, which confirms in the page’s language', async () => {
  const order = await givenTracked(client, storeId);
  const page = await open(`${order.link}&lang=es`);
  const [, href = ''] = /<a id="report-problem" href="([^"]*)">¿Algún problema con tu pedido\?</.exec(page.text) ?? [];
  assert.equal(`/${href.replaceAll('&amp;', '&')}`, `${problemPath(order)}&lang=es`);
  assert.equal(headlineOf(await open(`${problemPath(order)}&lang=es`)), '¿Qué problema tienes con tu pedido?');
  const sent = await submit(app, `${queryOf(order)}&lang=es`, SODA);
  assert.deepEqual([sent.status, sent.location], [303, `${problemPath(order)}&lang=es&sent=1`]);
  const thanks = await open(sent.location);
  assert.equal(headlineOf(thanks), 'Gracias por avisarnos');
  assert.match(thanks.text, /Tu mensaje va en camino a Supper Club\. Te responderán pronto\./);
  const [kept, ...others] = await reportsOf(order);
  assert.deepEqual([kept?.to, others], ['help@supper.example', []]);
  assert.match(kept?.subject ?? '', /: Something is missing$/, "the account's language");
  await app.advance({ minutes: 1 });
  await client.post('/order/cancel', { order_id: order.orderId });
  const { messages } = (await client.get('/sandbox/messages', { order_id: order.orderId })).body;
  const kinds = messages.map(({ kind }: Kept) => kind);
  assert.deepEqual(kinds.slice(-2), ['order_problem', 'order_canceled'], 'in the order of time');
});

test('a form without a reason or text, or with too much of it, is shown again and sends nothing', async () => {
  const order = await givenTracked(client, storeId);
  for (const [fields, fault] of [
    [{ reason: '', text: 'Cold' }, 'Choose what happened.'],
    [{ reason: 'constructor', text: 'Cold' }, 'Choose what happened.'],
    [{ reason: 'late', text: ' \r\n ' }, 'Tell us what happened.'],
    [{ reason: 'late', text: 'x'.repeat(1001) }, 'Use 1,000 characters or fewer.'],
  ] as const) {
    const answer = await report(order, fields);
    assert.deepEqual([answer.status, answer.text.includes(fault)], [422, true], answer.text);
    assert.ok(answer.text.includes(`>${fields.text.trim()}`) || fields.text.trim() === '');
  }
  assert.deepEqual(await reportsOf(order), []);
  const lines = 'line\r\n'.repeat(180);
  assert.equal((await report(order, { reason: 'late', text: lines })).status, 303, 'a line break is one character');
});

test('hostile text adds no tag to the page or the mail', async () => {
  const order = await givenTracked(client, storeId);
  const long = `${MARKUP_PAYLOADS.join('\n')}`;
  const shown = await report(order, { reason: 'other', text: long.slice(0, 4000) });
  assert.equal(shown.status, 422);
  assert.doesNotMatch(shown.text, /<script(?! type="module")|<img|<svg|onerror=[^&]*>/);
  const text = '<script>alert(1)</script>\r\nSubject: x\r\n\r\n\u202e"><b>';
  assert.equal((await report(order, { reason: 'other', text })).status, 303);
  const [mail = assert.fail()] = await reportsOf(order);
  assert.ok(mail.html.includes('&lt;script&gt;alert(1)&lt;/script&gt;'));
  assert.doesNotMatch(mail.html, /<script|&gt;<b>|\u202e/);
  assert.doesNotMatch(mail.subject, /[\r\n]/);
});

test('an order allows five messages, and a link twenty visits a minute', async () => {
  const order = await givenTracked(client, storeId);
  for (let nth = 1; nth <= 5; nth += 1) assert.equal((await report(order, { ...SODA, text: `${nth}` })).status, 303);
  const sixth = await report(order, { ...SODA, text: '6' });
  assert.deepEqual([sixth.status, headlineOf(sixth)], [429, 'Your message wasn’t sent']);
  assert.match(sixth.text, /write to help@supper\.example\./);
  assert.equal((await report(order, { ...SODA, text: '5' })).status, 303, 'one that was sent');
  assert.equal((await reportsOf(order)).length, 5);
  await app.advance({ minutes: 1 });
  const statuses = [];
  for (let visit = 0; visit < 21; visit += 1) statuses.push((await open(problemPath(order))).status);
  assert.deepEqual([statuses[19], statuses[20]], [200, 429]);
});

test('without the key, without a help address and from another site nothing is sent and the page shows no link', async () => {
  const order = await givenTracked(client, storeId);
  const other = await givenTracked(client, storeId);
  const helpless = await givenTracked(app, storeId);
  for (const link of [order.seenLink, `${order.seenLink}&key=${other.key}`, helpless.link]) {
    assert.doesNotMatch((await open(link)).text, /report-problem|tracking\/problem/, link);
    for (const answer of [await open(problemPath({ link })), await report({ link }, SODA)]) {
      assert.deepEqual([answer.status, headlineOf(answer)], [409, 'You can’t report a problem here'], link);
    }
  }
  const foreign = await report(order, SODA, { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' });
  assert.equal(foreign.status, 403);
  assert.deepEqual(await reportsOf(order), []);
  const unplaced = await givenTracked(client, storeId, { place_order: false });
  assert.equal((await report(unplaced, SODA)).status, 404);
  assert.equal((await open('/tracking/problem?tracking_id=none')).status, 404);
});
