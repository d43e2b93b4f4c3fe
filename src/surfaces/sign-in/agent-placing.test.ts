import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { givenPizzeria } from '../../../test/given/pizzeria.ts';
import {
  authorizePath,
  givenBrowser,
  givenDynamicClient,
  givenSignInHost,
  HOST,
  postForm,
  REDIRECT,
  verifier,
} from '../../../test/given/sign-in.ts';
import { givenApp } from '../../../test/harness.ts';
import { setPermissions } from '../../access/budgets/account-limits.db.ts';

const SCOPE = ['checkout:manage', 'checkout:complete', 'order:read', 'order:manage']
  .map((name) => `dev.ucp.shopping.${name}`)
  .join(' ');
const CARD_3DS = '4000002500003155';

const shop = await givenPizzeria(givenApp);
await givenSignInHost(shop);
const { client_id: clientId } = await givenDynamicClient(shop);
const path = authorizePath(clientId, { scope: SCOPE });
const ana = givenBrowser(shop);
await setPermissions(shop.service.deps.db, shop.accountId, { agentOrders: 'place' });
await ana.signIn(path);
after(() => shop.close());

async function givenToken(fields: Record<string, string>, browser = ana) {
  await browser.open(path);
  const { location } = await browser.submit(path, { step: 'allow', ...fields });
  const { status, body } = await postForm(shop, '/oauth/token', {
    grant_type: 'authorization_code',
    client_id: clientId,
    code: new URL(location).searchParams.get('code') ?? '',
    redirect_uri: REDIRECT,
    code_verifier: verifier,
  });
  assert.equal(status, 200);
  return body as { access_token: string; scope: string };
}

async function call(token: string, name: string, given: object = {}) {
  const reply = await shop.service.http.inject({
    method: 'POST',
    url: '/mcp',
    headers: { host: HOST, authorization: `Bearer ${token}` },
    payload: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } },
  });
  assert.equal(reply.statusCode, 200, reply.body);
  return reply.json().result.structuredContent;
}

const cart = (quantity = 4) => {
  const {
    user_id: _,
    payment_method_id: _card,
    place_order: _place,
    include_final_quote: _shown,
    ...body
  } = shop.bodyOf('Soda') as Record<string, unknown>;
  return { ...body, items: [{ product_id: shop.tokens.Soda, quantity }] };
};

async function userOf(orderId: string) {
  const { body } = await shop.get('/account/orders', { order_id: orderId });
  return body.orders[0];
}

async function givenCard(token: string, number: number | string = 4242424242424242): Promise<string> {
  const { order_id, ...refusal } = await call(token, 'quote_order', cart());
  assert.ok(order_id, JSON.stringify(refusal));
  const { user_id } = await userOf(order_id);
  const payment_method = { card_number: number, expiration_year: 2099, expiration_month: 12, cvc: 123 };
  const reply = await shop.post('/payment/create', { payment_method, user_id, user_email: 'ana@example.com' });
  assert.equal(reply.status, 200, reply.text);
  return reply.body.payment_method_id;
}

const quoted = async (token: string, payment_method_id: string, quantity = 4) =>
  call(token, 'quote_order', { ...cart(quantity), payment_method_id });

test('the box for placing shows where it is asked for and the account lets agents place, and is off', async () => {
  const page = await ana.open(path);
  assert.match(page.text, /<input type="checkbox" name="complete" value="yes">/);
  assert.match(page.text, /name="limit" value="150"/);
  assert.match(page.text, /<a class="skip" href="#main">Skip to main content</);
  assert.doesNotMatch((await ana.open(authorizePath(clientId))).text, /name="complete"/);
  await setPermissions(shop.service.deps.db, shop.accountId, { agentOrders: 'handover' });
  assert.doesNotMatch((await ana.open(path)).text, /name="complete"/);
  assert.doesNotMatch((await givenToken({ complete: 'yes', limit: '150' })).scope, /checkout:complete/);
  await setPermissions(shop.service.deps.db, shop.accountId, { agentOrders: 'place' });
  for (const fields of [{}, { limit: '150' }, { limit: 'x' }]) {
    assert.doesNotMatch((await givenToken(fields as Record<string, string>)).scope, /checkout:complete/);
  }
  assert.match((await givenToken({ complete: 'yes', limit: '150' })).scope, /checkout:complete/);
});

test('an amount is parsed as people type it, and an invalid or excessive one is reported with the box still on', async () => {
  const cents = { '150.00': 15_000, $20: 2000, '12,5': 1250, '0.01': 1, '1000': 100_000 };
  for (const [limit, maxOrderCents] of Object.entries(cents)) {
    await shop.advance({ seconds: 1 });
    const { scope } = await givenToken({ complete: 'yes', limit });
    assert.match(scope, /checkout:complete/, limit);
    const grants = shop.service.deps.db.selectFrom('oauthGrants').select('maxOrderCents').orderBy('createdAt', 'desc');
    assert.equal((await grants.executeTakeFirstOrThrow()).maxOrderCents, maxOrderCents, limit);
  }
  for (const limit of ['', '0', '-1', 'much', '1000.01', '99999999', '1e3']) {
    await ana.open(path);
    const { status, text } = await ana.submit(path, { step: 'allow', complete: 'yes', limit });
    assert.equal(status, 422, limit);
    assert.match(text, /name="complete" value="yes" checked/);
    assert.match(text, new RegExp(`name="limit" value="${limit}"`), limit);
    assert.match(text, /aria-invalid="true"[\s\S]*Enter an amount up to \$1,000\.00\./, limit);
  }
});

test('an agent places up to the limit with a saved card, and the order says which agent it was', async () => {
  const { access_token: token } = await givenToken({ complete: 'yes', limit: '20' });
  const card = await givenCard(token);
  const quote = await quoted(token, card);
  assert.ok(quote.saved_cards.some((each: { payment_method_id: string }) => each.payment_method_id === card));
  assert.ok(quote.total_cents <= 2000, `${quote.total_cents}`);
  const placed = await call(token, 'place_order', { order_id: quote.order_id });
  assert.equal(placed.order_placed, true, JSON.stringify(placed));
  assert.deepEqual((await userOf(quote.order_id)).agent, { client_name: 'Helper', client_host: 'app.example' });
  await shop.advance({ seconds: 1 });
  const { body } = await shop.get('/sandbox/messages', { order_id: quote.order_id });
  assert.match(JSON.stringify(body), /Ordered with.{0,40}app\.example/);
  const { orders } = await call(token, 'list_orders');
  assert.deepEqual([orders[0].order_id, orders[0].total_cents], [quote.order_id, quote.total_cents]);
  const large = await quoted(token, card, 12);
  assert.ok(large.total_cents > 2000);
  const handedOver = await call(token, 'place_order', { order_id: large.order_id });
  assert.deepEqual([handedOver.order_placed, typeof handedOver.checkout_url], [false, 'string']);
  assert.deepEqual(await shop.chargesOf(large.order_id), []);
  assert.match((await ana.open('/connections')).text, /up to \$20\.00\. Placed so far: 1/);
});

test('3-D Secure and an account that lets no agent place hand over', async () => {
  const { access_token: token } = await givenToken({ complete: 'yes', limit: '500' });
  const approved = await quoted(token, await givenCard(token, CARD_3DS));
  const waiting = await call(token, 'place_order', { order_id: approved.order_id });
  assert.deepEqual([waiting.order_placed, typeof waiting.checkout_url], [false, 'string'], JSON.stringify(waiting));
  const card = await givenCard(token, '5555555555554444');
  const { order_id } = await quoted(token, card);
  await setPermissions(shop.service.deps.db, shop.accountId, { agentOrders: 'handover' });
  assert.equal((await call(token, 'place_order', { order_id })).order_placed, false);
  await setPermissions(shop.service.deps.db, shop.accountId, { agentOrders: 'place' });
  assert.equal((await call(token, 'place_order', { order_id })).order_placed, true);
});

test('agents place ten orders of a user in a day, and the eleventh is handed over', async () => {
  const ben = givenBrowser(shop);
  await ben.signIn(path, 'ben@example.com');
  const { access_token: token } = await givenToken({ complete: 'yes', limit: '500' }, ben);
  const card = await givenCard(token);
  const quotes = await Promise.all(Array.from({ length: 11 }, () => quoted(token, card)));
  const placed = await Promise.all(quotes.map(({ order_id }) => call(token, 'place_order', { order_id })));
  assert.equal(placed.filter(({ order_placed }) => order_placed).length, 10, JSON.stringify(placed[0]));
  assert.equal(placed.filter(({ order_placed, checkout_url }) => !order_placed && checkout_url).length, 1);
  await shop.advance({ hours: 23, minutes: 59 });
  const waiting = placed.find(({ order_placed }) => !order_placed).order_id;
  const other = await givenToken({ complete: 'yes', limit: '500' }, ben);
  assert.equal((await call(other.access_token, 'place_order', { order_id: waiting })).order_placed, false);
  await shop.advance({ minutes: 2 });
  const { order_id } = await quoted(other.access_token, card);
  assert.equal((await call(other.access_token, 'place_order', { order_id })).order_placed, true);
});

test('alcohol is handed over', async () => {
  const { access_token: token } = await givenToken({ complete: 'yes', limit: '500' });
  const card = await givenCard(token, '5105105105105100');
  await sql`update products set is_alcoholic = true where name = 'Soda'`.execute(shop.service.deps.db);
  const { order_id, min_age } = await quoted(token, card);
  assert.equal(min_age, 21);
  const { order_placed, checkout_url } = await call(token, 'place_order', { order_id });
  assert.deepEqual([order_placed, typeof checkout_url], [false, 'string']);
});
