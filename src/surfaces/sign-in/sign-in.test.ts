import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { blocksOf } from '../../../test/docs/doc-blocks.ts';
import { isShown } from '../../../test/docs/shown-answer.ts';
import { givenPizzeria } from '../../../test/given/pizzeria.ts';
import { givenReceiver } from '../../../test/given/receiver.ts';
import {
  authorizePath,
  givenBrowser,
  givenCode,
  givenDynamicClient,
  givenSignInHost,
  HOST,
  postForm,
  REDIRECT,
  verifier,
} from '../../../test/given/sign-in.ts';
import { givenApp } from '../../../test/harness.ts';

const shop = await givenPizzeria(() => givenApp({ env: { WEBHOOK_ALLOW_PRIVATE: 'true', UCP: 'released' } }));
const issuer = await givenSignInHost(shop);
const { client_id: clientId } = await givenDynamicClient(shop);
const ana = givenBrowser(shop);
await ana.signIn(authorizePath(clientId));
after(() => shop.close());

const exchange = (code: string, changes: Record<string, string> = {}) =>
  postForm(shop, '/oauth/token', {
    grant_type: 'authorization_code',
    client_id: clientId,
    code,
    redirect_uri: REDIRECT,
    code_verifier: verifier,
    ...changes,
  });
const refresh = (token: string, changes: Record<string, string> = {}) =>
  postForm(shop, '/oauth/token', {
    grant_type: 'refresh_token',
    client_id: clientId,
    refresh_token: token,
    ...changes,
  });

async function givenTokens(browser = ana, changes: Record<string, string> = {}) {
  const { status, body } = await exchange(await givenCode(browser, authorizePath(clientId, changes)));
  assert.equal(status, 200, JSON.stringify(body));
  return body as { access_token: string; refresh_token: string; scope: string };
}

/** A call of the shop's MCP at its own host. */
async function mcp(token: string, method: string, params: object = {}, host = HOST) {
  const reply = await shop.service.http.inject({
    method: 'POST',
    url: '/mcp',
    headers: { host, ...(token !== '' && { authorization: `Bearer ${token}` }) },
    payload: { jsonrpc: '2.0', id: 1, method, params },
  });
  return { status: reply.statusCode, headers: reply.headers, body: reply.json() };
}
const call = async (token: string, name: string, given: object) => {
  const { status, body, headers } = await mcp(token, 'tools/call', { name, arguments: given });
  return { status, headers, isError: body.result?.isError === true, data: body.result?.structuredContent };
};
const isAlive = async (token: string) => (await mcp(token, 'tools/list')).status === 200;

const cart = () => {
  const {
    user_id: _,
    payment_method_id: _card,
    place_order: _place,
    include_final_quote: _shown,
    ...body
  } = shop.bodyOf('Soda') as Record<string, unknown>;
  return { ...body, items: [{ product_id: shop.tokens.Soda, quantity: 4 }] };
};

test('metadata names the endpoints and resources of the host, without a redirect, for every origin', async () => {
  const read = async (url: string, host = HOST) => shop.service.http.inject({ url, headers: { host } });
  const server = await read('/.well-known/oauth-authorization-server');
  assert.equal(server.statusCode, 200);
  const metadata = server.json();
  assert.equal(metadata.issuer, issuer);
  assert.equal(metadata.token_endpoint, `${issuer}/oauth/token`);
  assert.deepEqual(metadata.code_challenge_methods_supported, ['S256']);
  assert.ok(metadata.client_id_metadata_document_supported);
  assert.equal(server.headers['access-control-allow-origin'], '*');
  assert.equal(server.headers['cache-control'], 'public, max-age=3600');
  for (const path of ['', '/mcp', '/ucp', '/ucp/mcp']) {
    const resource = (await read(`/.well-known/oauth-protected-resource${path}`)).json();
    assert.deepEqual([resource.resource, resource.authorization_servers], [`${issuer}${path}`, [issuer]]);
    assert.equal(resource.resource_name, 'Pizza & Palace');
  }
  assert.equal((await read('/.well-known/openid-configuration')).statusCode, 404);
  assert.equal((await read('/.well-known/oauth-authorization-server', 'localhost')).statusCode, 404);
});

test('a customer signs in and allows a client, and the token reads and orders only for that customer', async () => {
  const page = await ana.open(authorizePath(clientId));
  assert.match(page.text, /app\.example/);
  assert.match(page.text, /Helper/);
  assert.match(
    String(page.headers['content-security-policy']),
    /frame-ancestors 'none'.*form-action 'self' https:\/\/app\.example/,
  );
  assert.equal(page.headers['referrer-policy'], 'no-referrer');
  const { location } = await ana.submit(authorizePath(clientId), { step: 'allow' });
  const back = new URL(location);
  assert.ok(location.startsWith(REDIRECT));
  assert.deepEqual([back.searchParams.get('state'), back.searchParams.get('iss')], ['st&te', issuer]);
  const answer = await exchange(back.searchParams.get('code') ?? '');
  assert.deepEqual([answer.status, answer.headers['cache-control']], [200, 'private, no-store']);
  assert.match(answer.body.access_token, /^ds_user_test_/);
  assert.deepEqual([answer.body.token_type, answer.body.expires_in], ['Bearer', 86_400]);
  const quoted = await call(answer.body.access_token, 'quote_order', cart());
  assert.equal(quoted.isError, false, JSON.stringify(quoted.data));
  assert.match(quoted.data.checkout_url, new RegExp(`^http://${HOST}`));
  const placed = await call(answer.body.access_token, 'place_order', { order_id: quoted.data.order_id });
  assert.deepEqual([placed.isError, placed.data.status], [false, 'unplaced']);
  const { body } = await shop.get('/account/orders', { order_id: quoted.data.order_id });
  assert.match(body.orders[0].user_id, /^cus_/);
});

test('the token exchange of docs/sign-in.md returns the documented response', async () => {
  const block = blocksOf('docs/sign-in.md').find(({ text }) => text.startsWith('POST /oauth/token'));
  const [, form = '', , shown = ''] = block?.text.split('\n') ?? [];
  const { scope } = JSON.parse(shown);
  const changes = { code: await givenCode(ana, authorizePath(clientId, { scope })), client_id: clientId };
  const fields = { ...Object.fromEntries(new URLSearchParams(form)), ...changes, code_verifier: verifier };
  const { status, body } = await postForm(shop, '/oauth/token', { ...fields, redirect_uri: REDIRECT });
  assert.ok(status === 200 && isShown(shown, JSON.stringify(body)), JSON.stringify(body));
});

test('orders of the account and of other customers don’t exist for a token', async () => {
  const ben = givenBrowser(shop);
  await ben.signIn(authorizePath(clientId), 'ben@example.com');
  const [first, second] = [await givenTokens(), await givenTokens(ben)];
  const { data } = await call(first.access_token, 'quote_order', cart());
  const ofAccount = (await shop.place('Soda', { items: cart().items })).body.order_id;
  assert.equal((await call(first.access_token, 'get_order', { order_id: data.order_id })).isError, false);
  assert.equal(typeof ofAccount, 'string');
  for (const [token, order_id] of [
    [second.access_token, data.order_id],
    [second.access_token, ofAccount],
    [first.access_token, ofAccount],
  ]) {
    assert.equal((await call(token, 'get_order', { order_id })).data.code, 'order_not_found');
    assert.equal((await call(token, 'place_order', { order_id })).data.code, 'order_not_found');
    assert.equal((await call(token, 'quote_order', { ...cart(), order_id })).data.code, 'order_not_found');
  }
  const named = await call(first.access_token, 'quote_order', { ...cart(), user_id: 'someone' });
  assert.equal(named.data.code, 'invalid_request');
});

test('a tool that the customer has not allowed is 403 and names the whole set; cancel needs order:manage', async () => {
  const scope = 'dev.ucp.shopping.order:read nothing:known';
  const { access_token: token, scope: granted } = await givenTokens(ana, { scope });
  assert.equal(granted, 'dev.ucp.shopping.order:read');
  const refused = await call(token, 'quote_order', cart());
  assert.equal(refused.status, 403);
  assert.match(
    String(refused.headers['www-authenticate']),
    /error="insufficient_scope", scope="dev\.ucp\.shopping\.order:read dev\.ucp\.shopping\.checkout:manage"/,
  );
  assert.equal((await call(token, 'cancel_order', { order_id: 'ord_x' })).status, 403);
});

test('the host’s /mcp asks for sign-in and accepts only its account’s keys', async () => {
  const { status, headers } = await mcp('', 'initialize');
  assert.equal(status, 401);
  assert.match(
    String(headers['www-authenticate']),
    new RegExp(`resource_metadata="${issuer}/.well-known/oauth-protected-resource/mcp"`),
  );
  assert.match(String(headers['www-authenticate']), /scope="dev\.ucp\.shopping\.catalog/);
  const bad = await mcp('ds_user_test_nothing', 'tools/list');
  assert.equal(bad.status, 401);
  assert.match(String(bad.headers['www-authenticate']), /error="invalid_token"/);
  assert.ok(await isAlive(shop.key));
  const other = await shop.givenClient();
  assert.equal((await mcp(other.key, 'tools/list')).status, 401);
});

test('a token is refused on every other path, and at every other host', async () => {
  const { access_token: token } = await givenTokens();
  const authorization = `Bearer ${token}`;
  for (const [method, url] of [
    ['GET', '/account/orders'],
    ['GET', '/payment/list?user_id=x'],
    ['POST', '/order/order/v2'],
    ['POST', '/mcp'],
    ['GET', '/store/orders'],
  ] as const) {
    const payload = method === 'POST' ? { jsonrpc: '2.0', id: 1, method: 'tools/list' } : undefined;
    const reply = await shop.service.http.inject({
      method,
      url,
      headers: { authorization },
      ...(payload && { payload }),
    });
    assert.equal(reply.statusCode, 401, url);
  }
  const away = await givenSignInHost(shop, 'sandbox', 'away.example', (await shop.givenClient()).accountId);
  assert.equal((await mcp(token, 'tools/list', {}, new URL(away).hostname)).status, 401);
});

test('a code works once: a second use fails and revokes the first’s tokens, also concurrently', async () => {
  const code = await givenCode(ana, authorizePath(clientId));
  const { body } = await exchange(code);
  assert.ok(await isAlive(body.access_token));
  assert.deepEqual([(await exchange(code)).body.error, await isAlive(body.access_token)], ['invalid_grant', false]);
  assert.equal((await refresh(body.refresh_token)).body.error, 'invalid_grant');
  const raced = await givenCode(ana, authorizePath(clientId));
  const answers = await Promise.all([exchange(raced), exchange(raced), exchange(raced)]);
  assert.ok(answers.filter(({ status }) => status === 200).length <= 1);
});

test('a code is bound to its client, redirect, challenge and resource, and lives a minute', async () => {
  const other = await givenDynamicClient(shop, { client_name: 'Other' });
  const resource = `${issuer}/mcp`;
  for (const [changes, error] of [
    [{ client_id: other.client_id }, 'invalid_grant'],
    [{ redirect_uri: 'https://app.example/callback' }, 'invalid_grant'],
    [{ code_verifier: 'a'.repeat(43) }, 'invalid_grant'],
    [{ code_verifier: '' }, 'invalid_grant'],
    [{ resource: `${issuer}/ucp` }, 'invalid_target'],
  ] as const) {
    const code = await givenCode(ana, authorizePath(clientId, { resource }));
    const { status, body } = await exchange(code, changes);
    assert.deepEqual([status, body.error], [400, error], JSON.stringify(changes));
    assert.equal((await exchange(code, { resource })).status, 200);
  }
});

test('a refresh rotates; twins get the same pair, and a used token ends the connection later', async () => {
  const first = await givenTokens();
  const [one, two] = await Promise.all([refresh(first.refresh_token), refresh(first.refresh_token)]);
  assert.equal(one.status, 200);
  assert.deepEqual(one.body, two.body);
  assert.notEqual(one.body.refresh_token, first.refresh_token);
  const narrowed = await refresh(one.body.refresh_token, { scope: 'dev.ucp.shopping.order:read' });
  assert.equal(narrowed.body.scope, 'dev.ucp.shopping.order:read');
  const whole = await refresh(one.body.refresh_token);
  assert.deepEqual([whole.body.refresh_token, whole.body.scope], [narrowed.body.refresh_token, one.body.scope]);
  const quotes = [whole, narrowed].map(({ body }) => call(body.access_token, 'quote_order', cart()));
  assert.deepEqual(
    (await Promise.all(quotes)).map(({ status }) => status),
    [200, 403],
  );
  const wider = await refresh(narrowed.body.refresh_token, { scope: 'dev.ucp.shopping.order:manage' });
  assert.equal(wider.body.error, 'invalid_scope');
  await shop.advance({ seconds: 31 });
  assert.equal((await refresh(first.refresh_token)).body.error, 'invalid_grant');
  assert.equal(await isAlive(narrowed.body.access_token), false);
  assert.equal((await refresh(narrowed.body.refresh_token)).body.error, 'invalid_grant');
});

test('revocation answers 200 always, ends a connection at once, and nothing of another client', async () => {
  const { access_token: access, refresh_token: token } = await givenTokens();
  const other = await givenDynamicClient(shop, { client_name: 'Another' });
  const revoke = (client_id: string, text: string) => postForm(shop, '/oauth/revoke', { client_id, token: text });
  assert.equal((await revoke(clientId, 'unknown')).status, 200);
  assert.equal((await revoke(other.client_id, token)).status, 200);
  assert.ok(await isAlive(access));
  assert.equal((await revoke(clientId, token)).status, 200);
  assert.equal(await isAlive(access), false);
});

test('a wrong client or redirect is a page and never a redirect; all else goes back with error, state and iss', async () => {
  for (const changes of [
    { client_id: undefined },
    { client_id: 'dyn.e30.x' },
    { redirect_uri: undefined },
    { redirect_uri: 'https://app.example/callback' },
    { redirect_uri: 'https://evil.example/callback?a=1' },
    { redirect_uri: `${REDIRECT}#x` },
    { redirect_uri: 'javascript:alert(1)' },
  ]) {
    const { status, location } = await ana.open(authorizePath(clientId, changes));
    assert.deepEqual([status, location], [400, ''], JSON.stringify(changes));
  }
  for (const [changes, error] of [
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ code_challenge_method: 'plain' }, 'invalid_request'],
    [{ code_challenge: undefined }, 'invalid_request'],
    [{ resource: 'https://evil.example' }, 'invalid_target'],
  ] as const) {
    const { status, location } = await ana.open(authorizePath(clientId, changes));
    const back = new URL(location);
    assert.equal(status, 303, location);
    assert.ok(location.startsWith(REDIRECT));
    const members = ['error', 'state', 'iss'].map((name) => back.searchParams.get(name));
    assert.deepEqual(members, [error, 'st&te', issuer]);
  }
  const path = authorizePath(clientId);
  await ana.open(path);
  const denied = await ana.submit(path, { step: 'deny' });
  assert.equal(new URL(denied.location).searchParams.get('error'), 'access_denied');
});

test('a form is valid for its browser, session and request, and for 15 minutes', async () => {
  const path = authorizePath(clientId);
  const mallory = givenBrowser(shop);
  const page = await mallory.signIn(path, 'mallory@example.com');
  const csrf = /name="csrf" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
  await ana.open(path);
  for (const fields of [{ csrf }, { csrf: '' }, { csrf: 'x.y' }]) {
    const { status, location } = await ana.submit(path, { step: 'allow', ...fields });
    assert.deepEqual([status, location], [403, '']);
  }
  await ana.open(path);
  assert.equal(
    (await ana.submit(authorizePath(clientId, { scope: 'dev.ucp.shopping.order:manage' }), { step: 'allow' })).status,
    403,
  );
  await ana.open(path);
  assert.equal((await ana.submit(path, { step: 'allow' }, { 'sec-fetch-site': 'cross-site' })).status, 403);
  await ana.open(path);
  await shop.advance({ minutes: 16 });
  assert.equal((await ana.submit(path, { step: 'allow' })).status, 403);
});

test('a code of six digits has five tries, in the browser that asked for it, for ten minutes, once', async () => {
  const path = '/connections';
  const guess = givenBrowser(shop);
  await guess.open(path);
  await guess.submit(path, { step: 'contact', contact: 'guess@example.com' });
  await guess.open(path);
  for (const code of ['111111', '222222', '333333', '444444', '555555']) {
    assert.equal((await guess.submit(path, { step: 'code', code })).status, 422);
  }
  assert.equal((await guess.submit(path, { step: 'code', code: '000000' })).status, 422);
  assert.equal(guess.cookies.has('doorstep_customer'), false);
  const stranger = givenBrowser(shop);
  await stranger.open(path);
  await stranger.submit(path, { step: 'code', code: '000000' });
  assert.equal(stranger.cookies.has('doorstep_customer'), false);
  const late = givenBrowser(shop);
  await late.open(path);
  await late.submit(path, { step: 'contact', contact: 'late@example.com' });
  await late.open(path);
  await shop.advance({ minutes: 11 });
  await late.submit(path, { step: 'code', code: '000000' });
  assert.equal(late.cookies.has('doorstep_customer'), false);
});

test('a contact gets five codes an hour, and the page says so', async () => {
  for (const nth of [1, 2, 3, 4, 5, 6]) {
    const browser = givenBrowser(shop);
    await browser.open('/connections');
    const { status } = await browser.submit('/connections', { step: 'contact', contact: 'Many@Example.com' });
    assert.equal(status, nth <= 5 ? 303 : 422);
  }
  const browser = givenBrowser(shop);
  await browser.open('/connections');
  assert.equal((await browser.submit('/connections', { step: 'contact', contact: 'nobody' })).status, 422);
});

test('the pages are in the language that is asked for', async () => {
  for (const [changes, words] of [
    [{ ui_locales: 'de fr-CA' }, /Se connecter à/],
    [{ user_locale: 'es' }, /Inicia sesión/],
    [{ lang: 'en' }, /Sign in to/],
  ] as const) {
    const { text } = await givenBrowser(shop).open(authorizePath(clientId, changes));
    assert.match(text, words);
  }
});

test('only the customer sees their connections, and ending one takes effect at once', async () => {
  const { access_token: token } = await givenTokens();
  const page = await ana.open('/connections');
  assert.match(page.text, /app\.example/);
  const grantId = /name="grant_id" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
  const other = givenBrowser(shop);
  await other.signIn('/connections', 'other@example.com');
  await other.submit('/connections', { step: 'disconnect', grant_id: grantId });
  assert.ok(await isAlive(token));
  await ana.open('/connections');
  await ana.submit('/connections', { step: 'disconnect', grant_id: grantId });
  assert.equal(await isAlive(token), false);
});

test('a registration without an allowed redirect is refused, and a registered secret proves its client', async () => {
  for (const metadata of [
    { redirect_uris: ['http://app.example/cb'] },
    { redirect_uris: ['http://127.0.0.1:65536/cb', 'javascript:alert(1)'] },
    { redirect_uris: [] },
    { redirect_uris: ['https://u:p@a.example/'] },
    { redirect_uris: ['https://a;script-src.example/'] },
    { token_endpoint_auth_method: 'private_key_jwt' },
    { redirect_uris: [`https://a.example/${'x'.repeat(1500)}`] },
  ]) {
    const headers = { host: HOST };
    const payload = { redirect_uris: [REDIRECT], ...metadata };
    const reply = await shop.service.http.inject({ method: 'POST', url: '/oauth/register', headers, payload });
    assert.equal(reply.statusCode, 400, JSON.stringify(metadata));
  }
  const { client_id: id, client_secret: secret = '' } = await givenDynamicClient(shop, {
    redirect_uris: ['http://127.0.0.1:8123/cb'],
    token_endpoint_auth_method: 'client_secret_basic',
  });
  const redirect_uri = 'http://127.0.0.1:9/cb';
  const code = await givenCode(ana, authorizePath(id, { redirect_uri }));
  const fields = { grant_type: 'authorization_code', code, redirect_uri, code_verifier: verifier };
  const withSecret = (password: string) => ({
    authorization: `Basic ${Buffer.from(`${id}:${password}`).toString('base64')}`,
  });
  const wrong = await postForm(shop, '/oauth/token', fields, withSecret('wrong'));
  assert.deepEqual([wrong.status, wrong.body.error], [401, 'invalid_client']);
  assert.match(String(wrong.headers['www-authenticate']), /^Basic/);
  assert.equal((await postForm(shop, '/oauth/token', { ...fields, client_id: id })).status, 401);
  const { status, body } = await postForm(shop, '/oauth/token', fields, withSecret(secret));
  assert.equal(status, 200);
  const again = { grant_type: 'refresh_token', refresh_token: body.refresh_token };
  const kept = await postForm(shop, '/oauth/token', again, withSecret(secret));
  assert.equal(kept.body.refresh_token, body.refresh_token);
});

test('a client is a document at its own address, which names itself', async (t) => {
  const site = await givenReceiver((request, response) => {
    const id = `${site.url}${request.path}`;
    const documents: Record<string, object> = {
      '/client.json': { client_id: id, client_name: 'Chat', redirect_uris: [REDIRECT] },
      '/other.json': { client_id: `${site.url}/client.json`, redirect_uris: [REDIRECT] },
      '/secret.json': { client_id: id, redirect_uris: [REDIRECT], token_endpoint_auth_method: 'client_secret_post' },
      '/large.json': { client_id: id, redirect_uris: [REDIRECT], filler: 'x'.repeat(20_000) },
    };
    if (request.path === '/moved.json') response.writeHead(302, { location: '/client.json' }).end();
    else response.writeHead(200).end(JSON.stringify(documents[request.path] ?? null));
  });
  t.after(() => site.close());
  const page = await ana.open(authorizePath(`${site.url}/client.json`));
  assert.equal(page.status, 200);
  assert.match(page.text, /hasn’t checked this app/);
  for (const path of [
    '/other.json',
    '/secret.json',
    '/large.json',
    '/moved.json',
    '/none',
    '/a/../client.json',
    '/client.json?a',
  ]) {
    assert.equal((await ana.open(authorizePath(`${site.url}${path}`))).status, 400, path);
  }
  assert.equal(site.calls.filter(({ path }) => path === '/client.json').length, 1);
});
