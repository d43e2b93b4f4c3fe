import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { withBrokenGateway } from '../../../test/fakes/broken-gateway.ts';
import { givenCountedShop, lostCharges } from '../../../test/given/counted-shop.ts';
import { givenPaymentMethod } from '../../../test/given/orders.ts';
import { DELIVERY_STEPS } from '../../../test/given/tracked.ts';

const shop = await givenCountedShop();
const site = new URL(shop.config.trackingUrl);
after(() => shop.close());

type Delivered = { orderId: string; query: string; total: number };

/** A delivered order with a tip of 200 cents, paid with this card. */
async function givenDelivered(changes: object = {}, card?: string): Promise<Delivered> {
  const placed = await shop.place(shop.newKey(), changes);
  assert.equal(placed.status, 200, placed.text);
  const { order_id: orderId, tracking_link, final_quote } = placed.body;
  for (const event of DELIVERY_STEPS) await shop.post(`/sandbox/orders/${orderId}/advance`, { event });
  if (card !== undefined) await shop.payLaterWith(orderId, await givenPaymentMethod(shop, card));
  return { orderId, query: new URL(tracking_link).search.slice(1), total: final_quote.total_with_tip };
}

type Answer = { status: number; text: string; location: unknown };
async function ask(request: { method?: 'POST'; url: string; payload?: string; headers?: object }): Promise<Answer> {
  const { statusCode, body, headers } = await shop.service.http.inject(request as { url: string });
  return { status: statusCode, text: body, location: headers.location };
}
const open = (path: string) => ask({ url: `/tracking${path}` });
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const submit = (query: string, tip: number | string, headers = {}) =>
  ask({
    method: 'POST',
    url: '/tracking/tip',
    headers: { ...FORM, host: site.host, origin: site.origin, 'sec-fetch-site': 'same-origin', ...headers },
    payload: `${query}&tip=${tip}`,
  });
const headlineOf = ({ text }: { text: string }) => /<h1[^>]*>([^<]*)<\/h1>/.exec(text)?.[1];
const wholeTip = ({ text }: { text: string }) => Number(/name="tip" value="(\d+)"/.exec(text)?.[1]);
const tipOf = async (orderId: string) =>
  (await shop.get('/account/orders', { order_id: orderId })).body.orders[0].driver_tip_cents;
const charged = async (orderId: string) => (await shop.books(orderId)).map(([cents]) => cents).sort((a, b) => a - b);

test('after the delivery the customer chooses a percent or an amount, confirms, and is charged that once', async () => {
  const { orderId, query, total } = await givenDelivered();
  assert.match((await open(`?${query}`)).text, /<a id="tip" class="action" href="tracking\/tip\?[^"]*">Add a tip</);
  const choice = await open(`/tip?${query}`);
  assert.match(choice.text, /You’ve already tipped \$2\.00\. This adds to it\./);
  assert.match(choice.text, /name="amount"[^>]* required/, 'an empty amount is refused');
  assert.deepEqual(
    [...choice.text.matchAll(/name="add" value="(\d+)">(\d+%) <small>(\$[\d.]+)</g)].map((found) => found.slice(1)),
    [
      ['150', '10%', '$1.50'],
      ['225', '15%', '$2.25'],
      ['300', '20%', '$3.00'],
    ],
  );
  const confirm = await open(`/tip?${query}&add=300`);
  assert.deepEqual([headlineOf(confirm), wholeTip(confirm)], ['Add a $3.00 tip?', 500]);
  assert.match(confirm.text, /We’ll charge \$3\.00 to the card you paid with\..*Your tip will be \$5\.00 in all\./s);
  assert.deepEqual(await charged(orderId), [total], 'nothing is charged by asking');
  const done = await submit(query, 500);
  assert.deepEqual([done.status, done.location], [303, `/tracking?${query}`], done.text);
  assert.deepEqual([await tipOf(orderId), await charged(orderId)], [500, [300, total]]);
  assert.match((await open(`?${query}`)).text, /Thanks! You tipped \$5\.00\./);
  const typed = await open(`/tip?${query}&lang=fr&amount=1,25`);
  assert.deepEqual([headlineOf(typed), wholeTip(typed)], ['Ajouter un pourboire de 1,25\u00a0$?', 625]);
});

test('a double click, a repeated form and a second tab charge once', async () => {
  const { orderId, query, total } = await givenDelivered();
  const answers = await Promise.all(Array.from({ length: 6 }, () => submit(query, 650)));
  answers.push(await submit(query, 650));
  for (const { status, text } of answers) assert.equal(status, 303, text);
  assert.deepEqual([await tipOf(orderId), await charged(orderId)], [650, [450, total]]);
  const lower = await submit(query, 400);
  assert.deepEqual([lower.status, headlineOf(lower)], [409, 'Your tip wasn’t added']);
  assert.match(lower.text, /You’ve already tipped more than that\./);
  assert.deepEqual([await tipOf(orderId), await charged(orderId)], [650, [450, total]]);
});

test('tabs that send different tips at the same time charge the higher tip’s difference, or report one in progress', async () => {
  const { orderId, query, total } = await givenDelivered();
  const answers = await Promise.all([submit(query, 500), submit(query, 900)]);
  for (const { status, text } of answers) assert.ok(status === 303 || status === 409, text);
  const tip = await tipOf(orderId);
  assert.equal(
    (await charged(orderId)).reduce((sum, cents) => sum + cents, 0),
    total + tip - 200,
  );
});

test('a lost answer is charged once, and the page says that it will not be charged twice', async () => {
  const { orderId, query, total } = await givenDelivered();
  const lost = await withBrokenGateway(shop, lostCharges, () => submit(query, 500));
  assert.equal(lost.status, 503, lost.text);
  assert.match(lost.text, /role="alert">[^<]*You won’t be charged twice\./);
  assert.equal(wholeTip(lost), 500);
  assert.equal((await submit(query, 500)).status, 303);
  assert.deepEqual([await tipOf(orderId), await charged(orderId)], [500, [300, total]]);
});

test('a declined card and a bank’s challenge are shown in the page’s language; nothing is charged', async () => {
  for (const [card, lang, words] of [
    ['4000000000009995', 'en', 'Your card has insufficient funds. You haven’t been charged.'],
    ['4000000000009995', 'es', 'Tu tarjeta no tiene fondos suficientes. No se te cobró nada.'],
    ['4000002500003155', 'fr', 'Votre banque vous demande d’approuver ce paiement'],
  ] as const) {
    const { orderId, query, total } = await givenDelivered({}, card);
    const answer = await submit(`${query}&lang=${lang}`, 500);
    assert.equal(answer.status, 402, answer.text);
    assert.ok(answer.text.includes(words), answer.text);
    assert.ok(answer.text.includes(`<html lang="${lang}">`));
    assert.deepEqual([await tipOf(orderId), await charged(orderId)], [200, [total]]);
  }
});

test('without the key, before the delivery, a day after it, for a pickup and without a charge there is no tip', async () => {
  const refused = async (query: string, what: string, words: RegExp) => {
    assert.doesNotMatch((await open(`?${query}`)).text, /id="tip"/, what);
    for (const answer of [await open(`/tip?${query}`), await open(`/tip?${query}&add=500`), await submit(query, 500)]) {
      assert.deepEqual([answer.status, headlineOf(answer)], [409, 'You can’t add a tip to this order'], what);
      assert.match(answer.text, words);
    }
  };
  const delivered = await givenDelivered();
  const [plain = ''] = delivered.query.split('&');
  await refused(plain, 'no key', /open the link in your confirmation email/);
  await refused(`${plain}&key=${'A'.repeat(22)}`, 'wrong key', /open the link in your confirmation email/);
  const hours = /for 24 hours after it arrives/;
  await refused((await givenDelivered({ charge_user: false })).query, 'not charged', hours);
  await refused((await givenDelivered({ pickup: true })).query, 'pickup', hours);
  const placed = await shop.place(shop.newKey());
  await refused(new URL(placed.body.tracking_link).search.slice(1), 'on the way', hours);
  await shop.advance({ hours: 25 });
  await refused(delivered.query, 'a day later', hours);
  assert.deepEqual(await charged(delivered.orderId), [delivered.total]);
  for (const answer of [await open('/tip?tracking_id=none'), await submit('tracking_id=none', 500)]) {
    assert.equal(answer.status, 404);
  }
});

test('amounts that are none, or make the tip more than the items and $100, are refused; other sites charge nothing, and a link has twenty visits a minute', async () => {
  const { orderId, query, total } = await givenDelivered();
  for (const wrong of ['0', '-5', 'abc', '1e9', '<b>', '98.01', '999999999']) {
    const answer = await open(`/tip?${query}&amount=${encodeURIComponent(wrong)}`);
    assert.equal(answer.status, 422, wrong);
    assert.match(answer.text, /aria-invalid="true"/);
    assert.doesNotMatch(answer.text, /<b>/);
    await shop.advance({ minutes: 1 });
  }
  for (const wrong of ['', '-1', 'abc', '10001', '99999999999'])
    assert.equal((await submit(query, wrong)).status, 422, wrong);
  const foreign = await submit(query, 500, { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' });
  assert.equal(foreign.status, 403);
  assert.deepEqual([await tipOf(orderId), await charged(orderId)], [200, [total]]);
  await shop.advance({ minutes: 1 });
  const statuses = [];
  for (let visit = 0; visit < 21; visit += 1) statuses.push((await open(`/tip?${query}`)).status);
  assert.deepEqual([statuses[19], statuses[20]], [200, 429]);
});
