import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { resolveHostile, ssrfUrls } from '../../../test/fakes/ssrf-cases.ts';
import { givenPizzeria } from '../../../test/given/pizzeria.ts';
import { givenReceiver } from '../../../test/given/receiver.ts';
import {
  authorizePath,
  givenBrowser,
  givenDynamicClient,
  givenSignInHost,
  givenToken,
  HOST,
  postForm,
} from '../../../test/given/sign-in.ts';
import { givenOwnApp } from '../../../test/harness.ts';
import { saveAgentRules } from '../../access/customers/agent-rules.db.ts';

/* Attacks on another customer's tokens, orders and cards. */

const shop = await givenPizzeria(() =>
  givenOwnApp({ publicHttp: { resolveName: resolveHostile }, env: { UCP: 'released' } }),
);
await givenSignInHost(shop);
const { client_id: clientId } = await givenDynamicClient(shop);
after(() => shop.close());

test('no page of the sign-in, the customer or the checkout can be framed', async () => {
  const ana = givenBrowser(shop);
  await ana.signIn(authorizePath(clientId));
  const order = (
    await shop.place('Soda', { place_order: false, items: [{ product_id: shop.tokens.Soda, quantity: 4 }] })
  ).body;
  const paths = [authorizePath(clientId), '/connections', '/profile', new URL(order.checkout_url).pathname];
  const pages = await Promise.all([...paths, authorizePath('unknown')].map((path) => ana.open(path)));
  for (const { headers, text } of pages) {
    assert.match(String(headers['content-security-policy']), /frame-ancestors 'none'/, text.slice(0, 300));
    assert.match(String(headers['cache-control']), /no-store/);
  }
});

test('a document inside this network is not read, however its address is written', async () => {
  const inside = await givenReceiver((_request, response) => response.end('{}'));
  const { port } = new URL(inside.url);
  const urls = ssrfUrls(Number(port)).filter((url) => url.length < 1900);
  for (const [nth, url] of urls.entries()) {
    // A minute has 30 new addresses, and visits of one address.
    if (nth % 14 === 13) await shop.advance({ seconds: 61 });
    const { status } = await givenBrowser(shop).open(authorizePath(url));
    assert.equal(status, 400, url);
    assert.equal((await givenBrowser(shop).open(authorizePath(`${url}client.json`))).status, 400, url);
  }
  assert.deepEqual(inside.calls, []);
  await inside.close();
});

test('the consent names where the customer is sent back to, whatever else the client registered', async () => {
  const redirect_uris = ['https://known.example/cb', 'https://evil.example/cb', 'http://127.0.0.1/cb'];
  const { client_id: id } = await givenDynamicClient(shop, { redirect_uris });
  const ana = givenBrowser(shop);
  for (const [redirect_uri, named] of [
    ['https://known.example/cb', 'known.example'],
    ['https://evil.example/cb', 'evil.example'],
    ['http://127.0.0.1:9/cb', 'An app on this device'],
  ] as const) {
    const path = authorizePath(id, { redirect_uri });
    const { text } = redirect_uri === redirect_uris[0] ? await ana.signIn(path) : await ana.open(path);
    assert.match(text, new RegExp(`<h1[^>]*>[^<]*${named}`));
  }
  const blocked = { isListed: false, hosts: [], blockedHosts: ['evil.example'] };
  await saveAgentRules(shop.service.deps.db, shop.accountId, blocked);
  const status = async (redirect_uri: string) => (await ana.open(authorizePath(id, { redirect_uri }))).status;
  assert.deepEqual([await status('https://evil.example/cb'), await status('https://known.example/cb')], [400, 200]);
  await saveAgentRules(shop.service.deps.db, shop.accountId, { ...blocked, blockedHosts: [] });
});

test('a client with an invalid ID as its name is unknown', async () => {
  const refresh = { grant_type: 'refresh_token', refresh_token: 'x' };
  const basic = (id: string) => ({ authorization: `Basic ${Buffer.from(`${id}:secret`).toString('base64')}` });
  const part = (of: object) => Buffer.from(JSON.stringify(of)).toString('base64url');
  const assertionOf = (sub: unknown) => ({
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: `${part({ alg: 'RS256' })}.${part({ sub })}.AAAA`,
  });
  for (const reply of [
    ...['cli_\0', '%00', 'é'].map((id) => postForm(shop, '/oauth/token', refresh, basic(id))),
    ...['\0', 5, {}].map((sub) => postForm(shop, '/oauth/token', { ...refresh, ...assertionOf(sub) })),
  ]) {
    const { status, body } = await reply;
    assert.deepEqual([status, body.error], [401, 'invalid_client']);
  }
});

test('a request that cannot be read is refused in the codes of OAuth', async () => {
  const long = 'x'.repeat(3000);
  const refresh = { grant_type: 'refresh_token', client_id: clientId, refresh_token: 'x' };
  const register = (payload: string) =>
    shop.service.http.inject({
      method: 'POST',
      url: '/oauth/register',
      headers: { host: HOST, 'content-type': 'application/json' },
      payload,
    });
  const registered = ['{"redirect_uris":5}', '{"client_name":5}', '{'].map(async (payload) => {
    const reply = await register(payload);
    return { status: reply.statusCode, body: reply.json() };
  });
  for (const [code, reply] of [
    ['invalid_request', postForm(shop, '/oauth/token', { ...refresh, refresh_token: long })],
    ['invalid_request', postForm(shop, '/oauth/token', { ...refresh, scope: '\0' })],
    ['invalid_request', postForm(shop, '/oauth/revoke', { client_id: clientId, token: long })],
    ...registered.map((reply) => ['invalid_client_metadata', reply] as const),
  ] as const) {
    const { status, body } = await reply;
    assert.deepEqual([status, body.error, typeof body.error_description], [400, code, 'string']);
  }
});

test('a parameter that comes twice is a page, and leads nowhere', async () => {
  const ana = givenBrowser(shop);
  for (const name of ['client_id', 'redirect_uri', 'state', 'scope', 'code_challenge', 'resource']) {
    const value = name === 'redirect_uri' ? 'https://evil.example/' : 'x';
    const { status, location } = await ana.open(`${authorizePath(clientId, { [name]: value })}&${name}=${value}`);
    assert.deepEqual([status, location], [400, ''], name);
  }
});

test('a parameter that comes twice gets no token and revokes none', async () => {
  const refresh = { grant_type: 'refresh_token', client_id: clientId, refresh_token: 'x' };
  const revoke = { client_id: clientId, token: 'x' };
  for (const [path, fields] of [
    ['/oauth/token', refresh],
    ['/oauth/revoke', revoke],
  ] as const) {
    for (const [name, value] of Object.entries(fields)) {
      for (const other of [value, 'y']) {
        const sent = `${name}=${other}&${new URLSearchParams(fields)}`;
        const { status, body } = await postForm(shop, path, sent);
        assert.deepEqual([status, body.error], [400, 'invalid_request'], sent);
        assert.match(body.error_description, new RegExp(name));
      }
    }
  }
});

test('codes of one contact allow 25 guesses an hour, in however many browsers', async () => {
  let guesses = 0;
  for (let nth = 0; nth < 12; nth += 1) {
    const browser = givenBrowser(shop);
    await browser.open('/profile');
    const { status } = await browser.submit('/profile', { step: 'contact', contact: 'victim@example.com' });
    if (status !== 303) continue;
    await browser.open('/profile');
    for (let digits = 1; digits <= 7; digits += 1) {
      const { text } = await browser.submit('/profile', { step: 'code', code: `11111${digits}` });
      if (/wrong or has expired/.test(text)) guesses += digits <= 5 ? 1 : 0;
    }
    assert.equal((await browser.submit('/profile', { step: 'code', code: '000000' })).status, 422);
    await browser.submit('/profile', { step: 'resend' });
  }
  assert.equal(guesses, 25);
});

test('a token that reads an order gets no link that cancels it, changes it or raises its tip', async () => {
  const { token, userId } = await givenToken(shop);
  const placed = (
    await shop.place('Soda', {
      user_id: userId,
      items: [{ product_id: shop.tokens.Soda, quantity: 4 }],
      charge_user: false,
      payment_method_id: undefined,
    })
  ).body;
  assert.match(placed.tracking_link, /key=/);
  const headers = { host: HOST, authorization: `Bearer ${token}` };
  const payload = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'get_order', arguments: { order_id: placed.order_id } },
  };
  const reply = await shop.service.http.inject({ method: 'POST', url: '/mcp', headers, payload });
  assert.match(reply.body, /tracking_link/);
  assert.doesNotMatch(reply.body, /key=/);
});

test("an Idempotency-Key of one customer replays nothing of another customer's", async () => {
  const ids: string[] = [];
  for (const email of ['kim@example.com', 'lou@example.com', 'kim@example.com']) {
    const { token } = await givenToken(shop, email);
    const headers = { host: HOST, authorization: `Bearer ${token}`, 'idempotency-key': '1' };
    const quote = { items: [{ product_id: shop.tokens.Soda, quantity: 4 }], pickup: true };
    const params = { name: 'quote_order', arguments: quote };
    const payload = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    const reply = await shop.service.http.inject({ method: 'POST', url: '/mcp', headers, payload });
    ids.push(reply.json().result.structuredContent.order_id);
  }
  const [first, other, again] = ids;
  assert.ok(first && other && first !== other);
  assert.equal(again, first);
});

test('a client has 600 token requests a minute, and uses up no other client’s', async () => {
  const own = { token_endpoint_auth_method: 'client_secret_post' };
  const [one, other] = [
    await givenDynamicClient(shop, own),
    await givenDynamicClient(shop, { ...own, client_name: 'Other' }),
  ];
  const revoke = async ({ client_id, client_secret = '' }: typeof one) =>
    (await postForm(shop, '/oauth/revoke', { client_id, client_secret, token: 'unknown' })).status;
  const answers: number[] = [];
  for (let nth = 0; nth < 12; nth += 1)
    answers.push(...(await Promise.all(Array.from({ length: 50 }, () => revoke(one)))));
  assert.deepEqual([...new Set(answers)], [200]);
  assert.deepEqual([await revoke(one), await revoke(other)], [429, 200]);
});
