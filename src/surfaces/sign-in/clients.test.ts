import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { givenLiveShop, type LiveShop } from '../../../test/given/live-shop.ts';
import { givenReceiver } from '../../../test/given/receiver.ts';
import {
  authorizePath,
  type Browser,
  givenBrowser,
  givenCode,
  givenDynamicClient,
  givenSignInHost,
  HOST,
  postForm,
  REDIRECT,
  verifier,
} from '../../../test/given/sign-in.ts';
import type { App } from '../../../test/harness.ts';
import { insertClient, removeClient, rotateSecret } from '../../access/customers/clients.db.ts';
import { revokeGrants } from '../../access/customers/grants.db.ts';
import { sha256 } from '../../platform/lib/sha256.ts';

/* Clients with proofs of their own, in a live shop whose customers are sent real codes. */

let shop: LiveShop;
let app: App;
let issuer: string;
let ana: Browser;
const closers: (() => unknown)[] = [];
before(async () => {
  shop = await givenLiveShop({ after: (close: () => unknown) => closers.push(close) } as never);
  app = shop.app;
  issuer = await givenSignInHost(app, 'live', HOST, shop.client.accountId);
  ana = givenBrowser(app);
  await signInBy(ana, '/connections', 'ana@shop.example');
});
after(async () => {
  for (const close of closers) await close();
});

const mailTo = (address: string) => shop.smtp.received.filter(({ envelope }) => envelope.to.includes(address)).at(-1);

const codeIn = (text: unknown) => /\b\d{6}\b/.exec(String(text))?.[0] ?? '';

/** Signs in with the sent code; in a session, joins the contact. */
async function signInBy(browser: Browser, path: string, contact: string): Promise<string> {
  await browser.open(path);
  const sent = await browser.submit(path, { step: 'contact', contact });
  assert.equal(sent.status, 303, sent.text);
  await app.advance({ seconds: 1 });
  const text = contact.includes('@') ? String(mailTo(contact)?.mail.text) : String(shop.texts.at(-1)?.body);
  await browser.open(path);
  const opened = await browser.submit(path, { step: 'code', code: codeIn(text) });
  assert.equal(opened.status, 303, opened.text);
  assert.ok(browser.cookies.has('doorstep_customer'));
  return text;
}

test('a live customer gets an account’s code by email or SMS, with a warning never to share it', async () => {
  const mail = mailTo('ana@shop.example');
  assert.match(String(mail?.mail.subject), /^\d{6} is your Pizza & Palace code$/);
  assert.match(String(mail?.mail.text), /Never share it/);
  const text = await signInBy(givenBrowser(app), '/connections', '(312) 555-0142');
  assert.match(text, new RegExp(`Never share it\\.\\n\\n@${HOST.replaceAll('.', '\\.')} #\\d{6}$`));
  assert.equal(shop.texts.at(-1)?.to, '+13125550142');
  const far = givenBrowser(app);
  await far.open('/connections');
  assert.equal((await far.submit('/connections', { step: 'contact', contact: '+44 20 7183 8750' })).status, 422);
});

test('a second contact is joined by its code in the session of the first, and one of another customer is not', async () => {
  const [sam, elsewhere] = [givenBrowser(app), givenBrowser(app)];
  await signInBy(sam, '/profile', 'sam@shop.example');
  await signInBy(sam, '/profile', '(312) 555-0177');
  assert.match((await sam.open('/profile')).text, /sam@shop\.example · \(312\) 555-0177/);
  await signInBy(elsewhere, '/profile', '(312) 555-0177');
  assert.match((await elsewhere.open('/profile')).text, /sam@shop\.example/);
  const kim = givenBrowser(app);
  await signInBy(kim, '/profile', 'kim@shop.example');
  await kim.open('/profile');
  await kim.submit('/profile', { step: 'contact', contact: '(312) 555-0177' });
  await app.advance({ seconds: 1 });
  await kim.open('/profile');
  const taken = await kim.submit('/profile', { step: 'code', code: codeIn(shop.texts.at(-1)?.body) });
  assert.deepEqual([taken.status, /belongs to another account/.test(taken.text)], [422, true]);
  assert.doesNotMatch((await kim.open('/profile')).text, /555-0177/);
});

test('a customer’s second email isn’t joined, and the page says so; their own is proven again', async () => {
  const lee = givenBrowser(app);
  await signInBy(lee, '/profile', 'lee@shop.example');
  for (const [contact, status] of [
    ['lee.second@shop.example', 422],
    ['lee@shop.example', 303],
  ] as const) {
    await app.advance({ minutes: 1 });
    await lee.open('/profile');
    await lee.submit('/profile', { step: 'contact', contact });
    await app.advance({ seconds: 1 });
    await lee.open('/profile');
    const answer = await lee.submit('/profile', { step: 'code', code: codeIn(mailTo(contact)?.mail.text) });
    assert.deepEqual([answer.status, /can have one email/.test(answer.text)], [status, status === 422], contact);
    assert.match((await lee.open('/profile')).text, /lee@shop\.example</);
  }
});

test('the first connection of an app is mailed, and its end when somebody may have copied its access', async () => {
  const { client_id } = await givenDynamicClient(app);
  const path = authorizePath(client_id);
  const code = await givenCode(ana, path);
  await app.advance({ seconds: 1 });
  assert.match(String(mailTo('ana@shop.example')?.mail.subject), /^app\.example is connected to/);
  const fields = { client_id, redirect_uri: REDIRECT, code_verifier: verifier };
  const { body } = await postForm(app, '/oauth/token', { grant_type: 'authorization_code', code, ...fields });
  assert.match(body.access_token, /^ds_user_(?!test_)/);
  const refresh = () =>
    postForm(app, '/oauth/token', { grant_type: 'refresh_token', client_id, refresh_token: body.refresh_token });
  assert.equal((await refresh()).status, 200);
  await app.advance({ seconds: 40 });
  assert.equal((await refresh()).body.error, 'invalid_grant');
  await app.advance({ seconds: 1 });
  assert.match(String(mailTo('ana@shop.example')?.mail.subject), /^We disconnected app\.example/);
});

test('a client with keys proves itself by a signed assertion, once, for this server, with its own key', async (t) => {
  const { publicKey, privateKey } = await generateKeyPair('RS256');
  const stranger = await generateKeyPair('RS256');
  const site = await givenReceiver((request, response) => {
    const id = `${site.url}/client.json`;
    const document = {
      client_id: id,
      redirect_uris: [REDIRECT],
      token_endpoint_auth_method: 'private_key_jwt',
      jwks_uri: `${site.url}/keys.json`,
    };
    exportJWK(publicKey).then((key) => {
      const keys = { keys: [{ ...key, kid: 'k1', alg: 'RS256', use: 'sig' }] };
      response.end(JSON.stringify(request.path === '/keys.json' ? keys : document));
    });
  });
  t.after(() => site.close());
  const clientId = `${site.url}/client.json`;
  const now = () => Math.floor(app.now().epochMilliseconds / 1000);
  let number = 0;
  const sign = (changes: object = {}, key = privateKey) => {
    number += 1;
    const claims = { iss: clientId, sub: clientId, aud: issuer, exp: now() + 60, jti: `j${number}`, ...changes };
    return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'k1' }).sign(key);
  };
  const code = await givenCode(ana, authorizePath(clientId));
  const fields = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT, code_verifier: verifier };
  const client_assertion_type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
  const exchange = (client_assertion: string) =>
    postForm(app, '/oauth/token', { ...fields, client_id: clientId, client_assertion, client_assertion_type });
  const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${(await sign()).split('.')[1]}.`;
  for (const [what, assertion] of [
    ['none', unsigned],
    ['another key', await sign({}, stranger.privateKey)],
    ['another audience', await sign({ aud: 'https://other.example' })],
    ['another subject', await sign({ sub: 'https://other.example/c' })],
    ['expired', await sign({ exp: now() - 60 })],
    ['too long', await sign({ exp: now() + 3600 })],
    ['no jti', await sign({ jti: undefined })],
  ] as const) {
    const { status, body } = await exchange(assertion);
    assert.deepEqual([status, body.error], [401, 'invalid_client'], what);
  }
  const bare = await postForm(app, '/oauth/token', { ...fields, client_id: clientId });
  assert.equal(bare.body.error, 'invalid_client');
  const assertion = await sign();
  assert.equal((await exchange(assertion)).status, 200);
  assert.equal((await exchange(assertion)).body.error, 'invalid_client', 'an assertion is used once');
});

test('a registered client has its secret, the former for a week, and none after removal', async () => {
  const { db } = app.service.deps;
  const { accountId } = shop.client;
  const clientId = 'cli_google';
  const client = { clientId, accountId, name: 'Google', redirectUris: [REDIRECT], jwksUri: null };
  await insertClient(db, { ...client, secretHash: sha256('first') }, app.now());
  const page = await ana.open(authorizePath(clientId));
  assert.match(page.text, /Connect Google to/);
  assert.doesNotMatch(page.text, /hasn’t checked/);
  const code = await givenCode(ana, authorizePath(clientId));
  const fields = { client_id: clientId, redirect_uri: REDIRECT, code_verifier: verifier };
  const first = { ...fields, grant_type: 'authorization_code', code, client_secret: 'first' };
  const { status, body } = await postForm(app, '/oauth/token', first);
  assert.equal(status, 200);
  const refresh = (client_secret: string) => {
    const grant = { grant_type: 'refresh_token', refresh_token: body.refresh_token };
    return postForm(app, '/oauth/token', { client_id: clientId, client_secret, ...grant });
  };
  await rotateSecret(db, clientId, sha256('second'), app.now().add({ hours: 1 }));
  assert.deepEqual([(await refresh('first')).status, (await refresh('second')).status], [200, 200]);
  await app.advance({ hours: 2 });
  assert.deepEqual([(await refresh('first')).status, (await refresh('second')).status], [401, 200]);
  await db.transaction().execute(async (tx) => {
    await removeClient(tx, clientId, app.now());
    await revokeGrants(tx, { clientId, accountId }, app.now());
  });
  assert.deepEqual([(await refresh('second')).status, (await refresh('second')).body.error], [401, 'invalid_client']);
  assert.equal((await ana.open(authorizePath(clientId))).status, 400);
});
