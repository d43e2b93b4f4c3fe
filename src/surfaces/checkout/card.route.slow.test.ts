import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { withBrokenGateway } from '../../../test/fakes/broken-gateway.ts';
import { givenHeldShop } from '../../../test/given/held-orders.ts';
import { givenApp, type Reply } from '../../../test/harness.ts';
import type { ChargeRequest } from '../../ordering/payments/payment-gateway.ts';
import { OutsideError } from '../../platform/lib/outside-error.ts';

const app = await givenApp();
const shop = await givenHeldShop(app);
after(() => app.close());

const HELD = 1483 + 250;
const HOLD = ['authorized', HELD, HELD];
const VOID = ['voided', HELD, HELD];
const [VISA, DECLINED, ASKS] = ['4242424242424242', '4000000000000002', '4000002500003155'];

const setCards = (status: string, declineCode: string | null) =>
  sql`update sandbox_gateway_cards set charge_status = ${status}, decline_code = ${declineCode}`.execute(
    app.service.deps.db,
  );

const orderOf = async (orderId: string) =>
  (await app.get('/account/orders', { order_id: orderId })).body.orders[0] as Record<string, string>;

/** An order whose card has just declined to hold its money again, and the path of its card page. */
async function givenDeclined(changes: object = {}): Promise<{ orderId: string; path: string; track: string }> {
  const orderId = await shop.placed(changes);
  await shop.advance(orderId, 'confirm');
  await setCards('declined', 'expired_card');
  await app.advance({ hours: 6 * 24, minutes: 1 });
  await setCards('succeeded', null);
  const { pathname, search } = new URL((await orderOf(orderId)).tracking_link ?? '');
  return { orderId, path: `/checkout/card${search}`, track: pathname + search };
}

const open = (path: string) => app.get(path, {}, { 'id-token': '' });

async function submit(path: string, form: Record<string, string>, site = app.config.trackingUrl): Promise<Reply> {
  const reply = await app.service.http.inject({
    method: 'POST',
    url: path,
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: new URL(site).origin },
    payload: new URLSearchParams(form).toString(),
  });
  return { status: reply.statusCode, headers: reply.headers as Reply['headers'], text: reply.body, body: undefined };
}

const pathOf = (url: unknown) => String(url).replace(/^https?:\/\/[^/]+/, '');

/** Enters a card on the gateway's page. Returns the response of the way back. */
async function giveCard(path: string, card_number: string): Promise<Reply> {
  await app.advance({ seconds: 1 });
  const leaving = await submit(path, { action: 'card' });
  assert.equal(leaving.status, 200, leaving.text);
  const setup = pathOf(/url=([^"]+)"/.exec(leaving.text)?.[1]);
  const entered = await submit(setup, { card_number, expiration: '12/40', cvc: '123' }, app.config.baseUrl);
  let next = pathOf(entered.headers.location);
  if (!next.startsWith('/checkout/card/back')) next = pathOf((await open(next)).headers.location);
  assert.match(next, /^\/checkout\/card\/back\?.*status=success/);
  return open(next);
}

const statesOf = async (orderId: string) => (await shop.charges(orderId)).map(([status]) => status);

test('the email and the order’s page lead to the card page, and the new card is used at once', async () => {
  const { orderId, path, track } = await givenDeclined();
  const page = await open(track);
  assert.match(page.text, /<strong>Your card was declined\.<\/strong> Your card didn’t let us hold \$17\.33/);
  assert.ok(page.text.includes(`href="${path.slice(1).replaceAll('&', '&amp;')}"`));
  assert.ok(!(await open(track.replace(/&key=.*/, ''))).text.includes('other-card'));
  const { messages } = (await app.get('/sandbox/messages', { order_id: orderId })).body;
  const mail = (messages as { kind: string; text: string }[]).find(({ kind }) => kind === 'card_declined');
  assert.ok(mail?.text.includes(path), JSON.stringify(mail));
  const held = await giveCard(path, VISA);
  assert.deepEqual([held.status, pathOf(held.headers.location)], [303, track]);
  assert.deepEqual((await shop.charges(orderId)).slice(0, 1), [HOLD]);
  await app.advance({ seconds: 1 });
  assert.deepEqual(await statesOf(orderId), ['authorized', 'declined', 'voided']);
  assert.ok(!(await open(track)).text.includes('other-card'));
  assert.deepEqual(
    [(await open(path)).headers.location, (await submit(path, { action: 'again' })).status],
    [track, 303],
  );
  await app.advance({ hours: 30 });
  assert.equal((await orderOf(orderId)).status, 'in_progress');
  await shop.advance(orderId, 'ready', 'complete');
  assert.deepEqual(await statesOf(orderId), ['declined', 'succeeded', 'voided']);
});

test('a declined card, then the first one once more', async () => {
  const { orderId, path } = await givenDeclined();
  const refused = await giveCard(path, DECLINED);
  assert.equal(refused.status, 402);
  assert.match(refused.text, /role="alert">Your card was declined\. You haven’t been charged/);
  assert.match(refused.text, /Try again with Visa ending in 0002/);
  const charges = await statesOf(orderId);
  const back = path.replace('/card?', '/card/back?');
  assert.deepEqual([(await open(back)).headers.location, await statesOf(orderId)], [path, charges], 'a reload');
  const held = await giveCard(path, VISA);
  assert.equal(held.status, 303);
  await app.advance({ seconds: 1 });
  assert.deepEqual((await statesOf(orderId)).filter((status) => status === 'authorized').length, 1);
});

test('a bank that asks for approval is visited from the page, and the hold is made on the way back', async () => {
  const { orderId, path, track } = await givenDeclined();
  const asking = await giveCard(path, ASKS);
  assert.equal(asking.status, 402);
  assert.match(asking.text, /Your bank wants to make sure it’s you before you pay \$17\.33/);
  const bank = pathOf(/href="([^"]*\/payment\/authenticate\/[^"?]+)/.exec(asking.text)?.[1]);
  assert.equal((await submit(path, { action: 'again' })).status, 402, 'the same approval');
  await app.advance({ minutes: 6 });
  const approved = await submit(bank, { answer: 'approve' }, app.config.baseUrl);
  const back = pathOf(approved.headers.location);
  assert.match(back, /^\/checkout\/card\/back\?/);
  const replies = await Promise.all([open(back), open(back)]);
  assert.deepEqual(
    replies.map(({ headers }) => pathOf(headers.location)),
    [track, track],
  );
  assert.deepEqual((await shop.charges(orderId))[0], HOLD);
  await app.advance({ minutes: 70 });
  assert.deepEqual(await statesOf(orderId), ['authorized', 'declined', 'voided']);
});

test('an approval that nobody gives is canceled after an hour, and the order at its deadline', async () => {
  const { orderId, path } = await givenDeclined();
  assert.equal((await giveCard(path, ASKS)).status, 402);
  await app.advance({ minutes: 61 });
  assert.deepEqual((await statesOf(orderId)).toSorted(), ['authorized', 'declined', 'voided'], 'the first hold stands');
  await setCards('declined', 'expired_card');
  await app.advance({ hours: 24 });
  await setCards('succeeded', null);
  assert.equal((await orderOf(orderId)).status, 'canceled');
  assert.ok((await statesOf(orderId)).every((status) => status !== 'authorized'));
});

test('pressed twice at once, or after a lost answer, it is one hold', async () => {
  const { orderId, path, track } = await givenDeclined();
  const again = () => submit(path, { action: 'again' });
  const replies = await Promise.all([again(), again(), again()]);
  assert.deepEqual(new Set(replies.map(({ headers }) => pathOf(headers.location))), new Set([track]));
  await app.advance({ seconds: 1 });
  assert.deepEqual(await statesOf(orderId), ['authorized', 'declined', 'voided']);
  const lost = await givenDeclined();
  let calls = 0;
  await withBrokenGateway(
    app,
    (sandbox) => ({
      findCharge: async () => undefined,
      authorize: async (request: ChargeRequest) => {
        calls += 1;
        await sandbox.authorize?.(request);
        throw new OutsideError('payment gateway', 'No answer.', { retryable: true });
      },
    }),
    async () => {
      assert.equal((await submit(lost.path, { action: 'again' })).status, 503);
    },
  );
  assert.equal(calls, 2);
  assert.equal((await submit(lost.path, { action: 'again' })).status, 303);
  await app.advance({ minutes: 10 });
  assert.deepEqual(await statesOf(lost.orderId), ['authorized', 'declined', 'voided']);
});

test('a card handed over without a return to the page is used at the deadline', async () => {
  const { orderId, path } = await givenDeclined();
  const leaving = await submit(path, { action: 'card' });
  const setup = pathOf(/url=([^"]+)"/.exec(leaving.text)?.[1]);
  await submit(setup, { card_number: VISA, expiration: '12/40', cvc: '123' }, app.config.baseUrl);
  await app.advance({ hours: 24 });
  assert.equal((await orderOf(orderId)).status, 'in_progress');
  assert.deepEqual(
    (await shop.charges(orderId)).filter(([status]) => status !== 'declined'),
    [HOLD, VOID],
  );
});

test('without the key, for another site, and for an order that needs no card, nothing is shown or held', async () => {
  const { orderId, path, track } = await givenDeclined();
  assert.equal((await open(path.replace(/&key=.*/, ''))).status, 404);
  assert.equal((await open(path.replace('ord_', 'ord_x'))).status, 404);
  assert.equal((await submit(path, { action: 'again' }, 'https://evil.example.com')).status, 403);
  assert.equal((await submit(path, { action: 'x' })).status, 400);
  const canceled = await open(`${path.replace('/card?', '/card/back?')}&status=canceled`);
  assert.deepEqual([canceled.status, /You didn’t add a card\./.test(canceled.text)], [200, true]);
  await shop.advance(orderId, 'cancel');
  assert.deepEqual(
    [(await open(path)).headers.location, (await submit(path, { action: 'again' })).status],
    [track, 303],
  );
  assert.ok((await statesOf(orderId)).every((status) => status !== 'authorized'));
});

test('too many declined cards of a customer are refused for an hour', async () => {
  const { path } = await givenDeclined();
  let last = await giveCard(path, DECLINED);
  for (let cards = 1; cards < 12 && last.status === 402; cards += 1) last = await giveCard(path, DECLINED);
  assert.equal(last.status, 429);
  assert.match(last.text, /Too many cards were declined/);
});
