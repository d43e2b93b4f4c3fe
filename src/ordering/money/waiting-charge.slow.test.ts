import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { killedAfterCharging, killedBeforeCharging, withBrokenGateway } from '../../../test/fakes/broken-gateway.ts';
import { givenCountedShop, PLACED } from '../../../test/given/counted-shop.ts';
import { givenPaymentMethod } from '../../../test/given/orders.ts';
import type { Reply } from '../../../test/harness.ts';
import { saveBranding } from '../../access/accounts/brandings.db.ts';

const CARD_REQUIRING_3DS = '4000002500003155';
const WAITING = { status: 'unplaced', charge: 'waiting', events: [] };
const NOTHING = { stock: 0, slots: 0 };

const shop = await givenCountedShop();
const card = await givenPaymentMethod(shop, CARD_REQUIRING_3DS);
after(() => shop.close());

type Challenged = { orderId: string; url: string };

function challengeOf(reply: Reply): Challenged {
  const { code, decline_code, order_id, authentication_url } = reply.body;
  assert.deepEqual(
    [reply.status, code, decline_code],
    [402, 'payment_declined', 'authentication_required'],
    reply.text,
  );
  return { orderId: order_id, url: authentication_url };
}

/** An order whose charge needs its customer's approval. */
async function givenChallenged(): Promise<Challenged> {
  return challengeOf(await shop.place(shop.newKey(), { payment_method_id: card }));
}
const finalize = (orderId: string) => shop.post('/order/finalize', { order_id: orderId });

async function answer(url: string, word: 'approve' | 'fail'): Promise<void> {
  const { pathname, origin } = new URL(url);
  assert.equal(origin, shop.config.baseUrl);
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const reply = await shop.service.http.inject({ method: 'POST', url: pathname, payload: `answer=${word}`, headers });
  assert.equal(reply.statusCode, 200, reply.body);
}

/** Status of each of an order's charges in the gateway's books, oldest first. */
async function chargeStatuses(orderId: string): Promise<string[]> {
  const { rows } = await sql<{ status: string }>`
    select status from sandbox_gateway_charges where order_id = ${orderId} order by created_at, idempotency_key`.execute(
    shop.service.deps.db,
  );
  return rows.map(({ status }) => status);
}

test('a charge that needs its customer returns 402 with an address; the order stays unplaced and holds nothing', async () => {
  const { orderId } = await givenChallenged();
  assert.deepEqual([await shop.stateOf(orderId), await shop.books(orderId)], [WAITING, []]);
  assert.deepEqual(await shop.held(), NOTHING);
  const { charges } = (await shop.get('/sandbox/charges', { order_id: orderId })).body;
  assert.deepEqual(
    charges.map(({ status }: { status: string }) => status),
    ['declined'],
    'it took nothing',
  );
});

test('approved and finalized, the order is placed with that same charge', async () => {
  const { orderId, url } = await givenChallenged();
  await answer(url, 'approve');
  assert.deepEqual(await chargeStatuses(orderId), ['approved'], 'no money moves before the order is finalized');
  const reply = await finalize(orderId);
  assert.deepEqual([reply.status, reply.body.order_placed], [200, true], reply.text);
  assert.deepEqual([await shop.stateOf(orderId), await chargeStatuses(orderId)], [PLACED, ['succeeded']]);
  assert.deepEqual((await finalize(orderId)).body, reply.body);
  await shop.post(`/sandbox/orders/${orderId}/advance`, { event: 'confirm' });
  await shop.advance({ minutes: 70 });
  await shop.assertChargedOnce(orderId);
  await shop.cancel(orderId);
});

test('finalized before the customer has approved, it asks again for the same charge', async () => {
  const { orderId, url } = await givenChallenged();
  assert.deepEqual(challengeOf(await finalize(orderId)), { orderId, url });
  assert.deepEqual([await shop.stateOf(orderId), await chargeStatuses(orderId)], [WAITING, ['waiting']]);
  await answer(url, 'approve');
  assert.equal((await finalize(orderId)).body.order_placed, true);
  await shop.cancel(orderId);
});

test('a customer who fails the check is declined, and may be asked again', async () => {
  const { orderId, url } = await givenChallenged();
  await answer(url, 'fail');
  await answer(url, 'approve');
  const declined = await finalize(orderId);
  assert.deepEqual([declined.status, declined.body.decline_code], [402, 'authentication_failed']);
  const again = challengeOf(await finalize(orderId));
  assert.notEqual(again.url, url);
  await answer(again.url, 'approve');
  assert.equal((await finalize(orderId)).body.order_placed, true);
  assert.deepEqual(await chargeStatuses(orderId), ['declined', 'succeeded']);
  await shop.cancel(orderId);
});

test('given up for an hour, the charge is ended: approving it late takes no money, and finalizing asks again', async () => {
  const { orderId, url } = await givenChallenged();
  await shop.advance({ minutes: 59 });
  assert.deepEqual(await chargeStatuses(orderId), ['waiting']);
  await answer(url, 'approve');
  await shop.advance({ minutes: 2 });
  assert.deepEqual(
    [await chargeStatuses(orderId), await shop.stateOf(orderId)],
    [['canceled'], { ...WAITING, charge: 'declined' }],
  );
  await answer(url, 'approve');
  assert.notEqual(challengeOf(await finalize(orderId)).url, url);
  assert.deepEqual([await chargeStatuses(orderId), await shop.books(orderId)], [['canceled', 'waiting'], []]);
});

test('approved after the total changed, the old charge is ended and the new total must be approved', async () => {
  const { orderId, url } = await givenChallenged();
  await sql`update products set price = price + 100`.execute(shop.service.deps.db);
  const changed = await finalize(orderId);
  assert.deepEqual([changed.status, changed.body.code], [409, 'quote_changed'], changed.text);
  await answer(url, 'approve');
  await shop.advance({ seconds: 5 });
  assert.deepEqual(await chargeStatuses(orderId), ['canceled']);
  const again = challengeOf(await finalize(orderId));
  await answer(again.url, 'approve');
  assert.equal((await finalize(orderId)).body.order_placed, true);
  assert.deepEqual(await chargeStatuses(orderId), ['canceled', 'succeeded']);
  await shop.assertChargedOnce(orderId, changed.body.final_quote.total_with_tip);
  await shop.cancel(orderId);
});

test('an order replaced with another card charges only that card', async () => {
  const { orderId, url } = await givenChallenged();
  await answer(url, 'approve');
  const reply = await shop.place(shop.newKey(), { order_id: orderId });
  assert.equal(reply.body.order_placed, true, reply.text);
  await shop.advance({ seconds: 5 });
  assert.deepEqual(await chargeStatuses(orderId), ['canceled', 'succeeded']);
  await shop.cancel(orderId);
});

test('priced again without a change, the order keeps the approved charge', async () => {
  const { orderId, url } = await givenChallenged();
  await answer(url, 'approve');
  const again = await shop.place(shop.newKey(), { order_id: orderId, payment_method_id: card, place_order: false });
  assert.deepEqual([again.status, again.body.order_placed], [200, false], again.text);
  assert.equal((await finalize(orderId)).body.order_placed, true);
  assert.deepEqual(await chargeStatuses(orderId), ['succeeded']);
  await shop.cancel(orderId);
});

test('finalized by many at once, an approved charge is completed once', async () => {
  const { orderId, url } = await givenChallenged();
  await answer(url, 'approve');
  const replies = await Promise.all(Array.from({ length: 6 }, () => finalize(orderId)));
  for (const { status, text } of replies) assert.ok(status === 200 || status === 409, text);
  assert.ok(replies.some(({ status }) => status === 200));
  assert.deepEqual([await shop.stateOf(orderId), await chargeStatuses(orderId)], [PLACED, ['succeeded']]);
  await shop.cancel(orderId);
});

test('killed before it completes an approved charge, the order waits again and is finalized once', async () => {
  const { orderId, url } = await givenChallenged();
  await answer(url, 'approve');
  await withBrokenGateway(shop, killedBeforeCharging, () => finalize(orderId));
  assert.deepEqual(await shop.stateOf(orderId), { ...WAITING, charge: 'pending' });
  await shop.advance({ seconds: 25 });
  await shop.runLeftOrders();
  assert.deepEqual([await shop.stateOf(orderId), await shop.held()], [WAITING, NOTHING]);
  assert.equal((await finalize(orderId)).body.order_placed, true);
  assert.deepEqual(await chargeStatuses(orderId), ['succeeded']);
  await shop.cancel(orderId);
});

test('killed after it completed an approved charge, the order is placed by the job with that charge', async () => {
  const { orderId, url } = await givenChallenged();
  await answer(url, 'approve');
  await withBrokenGateway(shop, killedAfterCharging, () => finalize(orderId));
  await shop.advance({ seconds: 25 });
  await shop.runLeftOrders();
  assert.deepEqual([await shop.stateOf(orderId), await chargeStatuses(orderId)], [PLACED, ['succeeded']]);
  await shop.cancel(orderId);
  await shop.advance({ minutes: 70 });
  assert.deepEqual(await shop.books(orderId).then(([[amount, refunded] = [0, 1]]) => amount === refunded), true);
});

test('an unknown link is a page that says so, and another answer than the two is refused', async () => {
  const inject = (method: 'GET' | 'POST', url: string, payload = '') =>
    shop.service.http.inject({
      method,
      url,
      payload,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
  assert.equal((await inject('GET', '/payment/authenticate/ask_unknown')).statusCode, 404);
  assert.equal((await inject('POST', '/payment/authenticate/ask_unknown', 'answer=approve')).statusCode, 404);
  const { url } = await givenChallenged();
  const { pathname } = new URL(url);
  assert.match((await inject('GET', pathname)).body, /Approve this payment\?/);
  assert.equal((await inject('POST', pathname, 'answer=perhaps')).statusCode, 400);
  assert.equal((await inject('GET', '/payment/authenticated')).statusCode, 200);
});

test('the bank’s page uses the order’s language, then the browser’s, then the account’s', async (t) => {
  const { db } = shop.service.deps;
  await saveBranding(db, shop.accountId, { language: 'es' }, shop.now());
  t.after(() => saveBranding(db, shop.accountId, { language: 'en' }, shop.now()));
  const french = challengeOf(await shop.place(shop.newKey(), { payment_method_id: card, user_language: 'fr-CA' }));
  const plain = await givenChallenged();
  for (const [challenged, accepted, lang, language] of [
    [french, 'en', '', 'fr'],
    [french, 'en', 'es', 'es'],
    [plain, 'fr', '', 'fr'],
    [plain, 'de', '', 'es'],
  ] as const) {
    const { pathname } = new URL(challenged.url);
    const headers = { 'accept-language': accepted, 'content-type': 'application/x-www-form-urlencoded' };
    const url = lang === '' ? pathname : `${pathname}?lang=${lang}`;
    const page = await shop.service.http.inject({ url, headers });
    assert.deepEqual([page.statusCode, page.headers['content-language']], [200, language]);
    assert.ok(page.body.includes(`<html lang="${language}">`));
  }
  const payload = 'answer=fail';
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const { pathname } = new URL(french.url);
  const answered = await shop.service.http.inject({ method: 'POST', url: pathname, payload, headers });
  assert.equal(answered.headers['content-language'], 'fr');
});
