import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { givenOperator } from '../../../test/given/merchant.ts';
import { givenPizzeria } from '../../../test/given/pizzeria.ts';
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

const shop = await givenPizzeria(givenApp);
await givenSignInHost(shop);
const { client_id: clientId } = await givenDynamicClient(shop);
after(() => shop.close());

async function send(method: 'PUT' | 'GET' | 'DELETE', userId: string, payload?: object, key = shop.key) {
  const url = `/account/customers/${userId}`;
  const headers = { authorization: `Bearer ${key}` };
  const reply = await shop.service.http.inject({ method, url, headers, ...(payload && { payload }) });
  return { status: reply.statusCode, body: reply.json() };
}

const exchange = (fields: Record<string, string>) => postForm(shop, '/oauth/token', { client_id: clientId, ...fields });
const exchangeCode = (code: string) =>
  exchange({ grant_type: 'authorization_code', code, redirect_uri: REDIRECT, code_verifier: verifier });
const refresh = (token: string) => exchange({ grant_type: 'refresh_token', refresh_token: token });

async function givenTokens(contact: string): Promise<{ access_token: string; refresh_token: string }> {
  const browser = givenBrowser(shop);
  await browser.signIn(authorizePath(clientId), contact);
  return (await exchangeCode(await givenCode(browser, authorizePath(clientId)))).body;
}

async function isAlive(token: string): Promise<boolean> {
  const headers = { host: HOST, authorization: `Bearer ${token}` };
  const payload = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  return (await shop.service.http.inject({ method: 'POST', url: '/mcp', headers, payload })).statusCode === 200;
}

test('anyone who signs in with a contact that the account vouches for is that user, and a contact has one user', async () => {
  assert.equal((await send('GET', 'user-3')).status, 404);
  const contacts = { email: 'Sam@Example.com', phone: '+1 212 555 0123' };
  assert.deepEqual(await send('PUT', 'user-3', contacts), {
    status: 200,
    body: { user_id: 'user-3', email: 'sam@example.com', phone: '+12125550123', connections: [] },
  });
  for (const body of [{ email: 'sam@example.com' }, { phone: '+12125550123' }]) {
    const taken = await send('PUT', 'user-4', body);
    assert.deepEqual([taken.status, taken.body.code], [409, 'contact_taken']);
  }
  for (const body of [{}, { email: 'nobody' }, { phone: 'sam@example.com' }, { email: '+12125550123' }]) {
    assert.equal((await send('PUT', 'user-4', body)).status, 400, JSON.stringify(body));
  }
  const { access_token: token } = await givenTokens('sam@example.com');
  const { body } = await send('GET', 'user-3');
  assert.deepEqual([body.connections.length, body.connections[0].client_host], [1, 'app.example']);
  const other = await shop.givenClient();
  assert.equal((await send('GET', 'user-3', undefined, other.key)).status, 404);
  assert.deepEqual((await send('DELETE', 'user-3')).body, { user_id: 'user-3', deleted: true });
  assert.equal(await isAlive(token), false);
  assert.equal((await send('DELETE', 'user-3')).status, 404);
  assert.equal((await send('PUT', 'user-4', contacts)).status, 200);
});

test('a contact that signed in first is of that user', async () => {
  await givenTokens('first@example.com');
  assert.equal((await send('PUT', 'user-5', { email: 'first@example.com' })).status, 409);
});

test('the operator lists or blocks apps’ domains, which ends their access', async () => {
  const { access_token: token } = await givenTokens('rules@example.com');
  const operator = await givenOperator(shop);
  const set = async (body: object) => {
    const reply = await operator.post(`/operator/accounts/${shop.accountId}/agents`, body);
    assert.equal(reply.status, 200, reply.text);
    return reply.body;
  };
  const opens = async () => (await givenBrowser(shop).open(authorizePath(clientId))).status === 200;
  const registers = async () => {
    const url = '/.well-known/oauth-authorization-server';
    return 'registration_endpoint' in (await shop.service.http.inject({ url, headers: { host: HOST } })).json();
  };
  assert.deepEqual([await opens(), await registers()], [true, true]);
  assert.equal((await set({ agents: 'listed', host: ['example'] })).ended, 0);
  assert.deepEqual([await opens(), await registers(), await isAlive(token)], [true, false, true]);
  assert.ok((await set({ host: ['other.example'] })).ended >= 1);
  assert.deepEqual([await opens(), await isAlive(token)], [false, false]);
  await set({ agents: 'any', block: ['app.example'] });
  assert.equal(await opens(), false);
  assert.deepEqual(await set({ block: [] }), { agents: 'any', host: ['other.example'], block: [], ended: 0 });
  assert.equal(await opens(), true);
});

test('a code lives 60 seconds, and a refresh token 180 days from its last use', async () => {
  const browser = givenBrowser(shop);
  await browser.signIn(authorizePath(clientId), 'late@example.com');
  const [kept, lost] = [
    await givenCode(browser, authorizePath(clientId)),
    await givenCode(browser, authorizePath(clientId)),
  ];
  await shop.advance({ seconds: 59 });
  const { body: first } = await exchangeCode(kept);
  assert.equal(typeof first.refresh_token, 'string');
  await shop.advance({ seconds: 2 });
  assert.equal((await exchangeCode(lost)).body.error, 'invalid_grant');
  // The proof of the host is renewed, as its records would.
  const passDays = async (days: number, seconds = 0) => {
    await shop.advance({ hours: 24 * days, seconds });
    await givenSignInHost(shop);
  };
  await passDays(179);
  const { body: second } = await refresh(first.refresh_token);
  assert.equal(typeof second.refresh_token, 'string');
  await passDays(179);
  const { body: third } = await refresh(second.refresh_token);
  assert.equal(typeof third.refresh_token, 'string');
  await passDays(180, 1);
  assert.equal((await refresh(third.refresh_token)).body.error, 'invalid_grant');
});

test('wrong proofs have a bound, which stops no right one; so have the requests of a token', async () => {
  const { refresh_token: token } = await givenTokens('bounds@example.com');
  const method = 'client_secret_post';
  const { client_id, client_secret = '' } = await givenDynamicClient(shop, { token_endpoint_auth_method: method });
  const prove = (secret: string) =>
    postForm(shop, '/oauth/revoke', { client_id, client_secret: secret, token: 'unknown' });
  const wrong = await Promise.all(Array.from({ length: 12 }, () => prove('wrong')));
  assert.deepEqual([...new Set(wrong.map(({ status }) => status))].sort(), [401, 429]);
  assert.equal(wrong.filter(({ status }) => status === 401).length, 10);
  assert.equal((await prove(client_secret)).status, 200);
  const answers = [];
  for (let nth = 0; nth < 21; nth += 1) answers.push((await refresh(token)).status);
  assert.deepEqual([answers.slice(0, 20).every((status) => status === 200), answers[20]], [true, 429]);
});
