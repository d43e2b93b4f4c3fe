import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { runRetention } from '../../../test/given/expired-rows.ts';
import { type Client, givenApp } from '../../../test/harness.ts';

const BACK = 'https://shop.example/cart?id=7#pay';
const CARD = { card_number: '4242 4242 4242 4242', expiration: '07/31', cvc: '123' };

const app = await givenApp();
after(() => app.close());

const open = (client: Client, changes: object = {}) =>
  client.post('/payment/setup', { user_id: 'u1', user_email: 'u1@example.com', return_url: BACK, ...changes });
const listed = async (client: Client) => (await client.get('/payment/list', { user_id: 'u1' })).body.payment_methods;

async function givenPage(client: Client, changes: object = {}): Promise<string> {
  const reply = await open(client, changes);
  assert.equal(reply.status, 200, reply.text);
  const url = new URL(reply.body.url);
  assert.equal(url.origin, app.config.baseUrl);
  return url.pathname;
}

async function submit(path: string, form: Record<string, string>) {
  const payload = new URLSearchParams(form).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return app.service.http.inject({ method: 'POST', url: path, payload, headers });
}
const read = (path: string) => app.service.http.inject({ url: path });

test('the card that is entered on the page is listed, and the customer is back at the shop', async () => {
  const client = await app.givenClient();
  const path = await givenPage(client);
  const page = await read(path);
  assert.equal(page.statusCode, 200);
  const sent = await submit(path, { ...CARD, action: 'save' });
  assert.deepEqual(
    [sent.statusCode, sent.headers.location],
    [303, 'https://shop.example/cart?id=7&status=success#pay'],
  );
  const [{ payment_method_id: _id, ...card }] = await listed(client);
  assert.deepEqual(card, { brand: 'visa', last4: '4242', expiration_month: 7, expiration_year: 2031 });
});

test('the link works once: sent again it saves no second card, opened again it returns 410', async () => {
  const client = await app.givenClient();
  const path = await givenPage(client);
  const answers = await Promise.all([submit(path, CARD), submit(path, CARD), submit(path, CARD)]);
  for (const { statusCode, headers } of [...answers, await submit(path, { action: 'cancel' })]) {
    assert.deepEqual([statusCode, String(headers.location).includes('status=success')], [303, true]);
  }
  assert.equal((await listed(client)).length, 1);
  const page = await read(path);
  assert.deepEqual([page.statusCode, page.body.includes('Your card is saved')], [410, true]);
});

test('a customer who gives up returns canceled, and the link has ended', async () => {
  const client = await app.givenClient();
  const path = await givenPage(client, { return_url: 'http://localhost:3000/done' });
  const sent = await submit(path, { action: 'cancel', card_number: '1' });
  assert.deepEqual([sent.statusCode, sent.headers.location], [303, 'http://localhost:3000/done?status=canceled']);
  assert.equal((await submit(path, CARD)).statusCode, 410);
  assert.equal((await read(path)).statusCode, 410);
  assert.deepEqual(await listed(client), []);
});

test('the link ends after an hour', async () => {
  const path = await givenPage(app);
  await app.advance({ minutes: 59 });
  assert.equal((await read(path)).statusCode, 200);
  await app.advance({ minutes: 2 });
  assert.equal((await read(path)).statusCode, 410);
  assert.equal((await submit(path, CARD)).statusCode, 410);
});

test('a card error is shown at its field without any digit of the card', async () => {
  const path = await givenPage(app);
  const wrong = await submit(path, { card_number: '4242424242424241', expiration: '01/20', cvc: '98765' });
  assert.equal(wrong.statusCode, 422);
  for (const name of ['card_number', 'expiration', 'cvc']) assert.ok(wrong.body.includes(`id="${name}-fault"`), name);
  assert.doesNotMatch(wrong.body, /4242424242424241|98765/);
  const empty = await submit(path, {});
  assert.deepEqual(
    [empty.statusCode, empty.body.match(/>Enter (your card number|the expiration date|the security code)\.</g)?.length],
    [422, 6],
  );
  for (const expiration of ['13/31', '7', 'soon', '07/3', '00/31']) {
    assert.equal((await submit(path, { ...CARD, expiration })).statusCode, 422, expiration);
  }
  assert.equal((await submit(path, { ...CARD, expiration: '7 / 2031' })).statusCode, 303);
});

test('an unknown link is a page that says so, alike for each kind of request', async () => {
  for (const path of ['/payment/setup/set_unknown', `/payment/setup/${'x'.repeat(3000)}`]) {
    assert.equal((await read(path)).statusCode, 404);
    assert.equal((await submit(path, CARD)).statusCode, 404);
    assert.equal((await read(`${path}/return`)).statusCode, 404);
  }
});

test('the return route leads nowhere but to the address of its setup', async () => {
  const path = await givenPage(app);
  const back = await read(`${path}/return?return_url=https://evil.example&status=success`);
  assert.deepEqual(
    [back.statusCode, back.headers.location],
    [302, 'https://shop.example/cart?id=7&status=canceled#pay'],
  );
});

test('a return_url is https, or http on this machine, without a password', async () => {
  const wrong = [
    '',
    '/cart',
    'shop.example',
    'http://shop.example/',
    'https://u:p@shop.example/',
    'http://localhost.evil.example/',
    'javascript:alert(1)',
    'data:text/html,x',
    `https://shop.example/${'x'.repeat(2000)}`,
    "https://a'b.example/",
  ];
  for (const return_url of wrong) {
    const reply = await open(app, { return_url });
    assert.deepEqual(
      [reply.status, reply.body.code, reply.body.errors[0].name],
      [400, 'invalid_request', 'return_url'],
    );
  }
  for (const return_url of [
    'http://localhost/',
    'http://127.0.0.1:3000/x',
    'http://[::1]:3000',
    'https://shop.example:8443/a',
  ]) {
    assert.equal((await open(app, { return_url })).status, 200, return_url);
  }
});

test('the page allows its own style and the forms of its shop, nothing else', async () => {
  const { headers, body } = await read(await givenPage(app));
  const policy = String(headers['content-security-policy']);
  assert.match(
    policy,
    /^default-src 'none';style-src 'sha256-[\w+/=]+';img-src data:;form-action 'self' https:\/\/shop\.example;/,
  );
  assert.match(policy, /frame-ancestors 'none';base-uri 'none'$/);
  assert.doesNotMatch(body, /<script|style=|https?:\/\//);
  assert.deepEqual([headers['cache-control'], headers['referrer-policy']], ['private, no-store', 'no-referrer']);
});

test('a form is taken by the pages alone, and JSON is not taken by them', async () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const elsewhere = await app.post('/payment/create', 'user_id=u1', form);
  assert.equal(elsewhere.status, 415);
  const path = await givenPage(app);
  const json = await app.service.http.inject({ method: 'POST', url: path, payload: CARD });
  assert.equal(json.statusCode, 415);
  const large = await submit(path, { card_number: '4'.repeat(20_000) });
  assert.equal(large.statusCode, 413);
});

test('a live key without a gateway returns 503 before any other check', async () => {
  const live = await app.givenClient('live');
  assert.equal((await live.post('/payment/setup', {})).body.code, 'payment_gateway_not_configured');
});

test('a setup is forgotten a week after its end', async () => {
  await givenPage(app);
  await app.advance({ hours: 24 * 7 + 2 });
  await givenPage(app);
  await runRetention(app);
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from card_setups`.execute(
    app.service.deps.db,
  );
  assert.equal(rows[0]?.count, 1);
});

test('a browser reads a refusal of a payment page as a page in its language; a program gets the problem', async () => {
  const json = { accept: 'application/json' };
  for (const path of [await givenPage(app), '/payment/authenticate/none']) {
    const repeated = {
      method: 'GET',
      url: `${path}?lang=fr&lang=es`,
      headers: { 'accept-language': 'es-MX' },
    } as const;
    const page = await app.service.http.inject(repeated);
    assert.deepEqual([page.statusCode, page.headers['content-language']], [400, 'es']);
    assert.ok(page.body.includes('No se pudo enviar'), page.body);
    assert.deepEqual(
      [page.headers['content-type'], page.headers['cache-control']],
      ['text/html; charset=utf-8', 'private, no-store'],
    );
    const problem = await app.service.http.inject({ ...repeated, headers: json });
    assert.deepEqual([problem.statusCode, problem.json().code], [400, 'invalid_request']);
    const typed = { method: 'POST', url: `${path}?lang=fr`, payload: '{}' } as const;
    const form = await app.service.http.inject({ ...typed, headers: { 'content-type': 'application/json' } });
    assert.deepEqual([form.statusCode, form.headers['content-language']], [415, 'fr']);
  }
});
