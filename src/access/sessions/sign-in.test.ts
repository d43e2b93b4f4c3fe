import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { pizzeria } from '../../../test/feed-lines.ts';
import { givenConsole, SAME_SITE } from '../../../test/given/merchant.ts';
import { givenStores } from '../../../test/given/stores.ts';
import { type App, type Client, clientOf, givenApp } from '../../../test/harness.ts';
import { sha256 } from '../../platform/lib/sha256.ts';
import { findStore } from '../../supply/stores/stores.db.ts';
import { findSession } from './sessions.db.ts';
import { issueAccessCode, renewSession } from './sign-in.flow.ts';

let app: App;
let storeId = '';
let visitor: Client;
before(async () => {
  app = await givenApp();
  [storeId = ''] = await givenStores(app, [pizzeria()]);
  visitor = clientOf(app.service, '', '');
});
after(() => app.close());

const invite = async (store = storeId) =>
  (await issueAccessCode(app.service.deps.db, { storeId: store }, app.now())).code;
const signIn = (code: string, headers: object = SAME_SITE) =>
  visitor.post('/console/sign-in', { code }, { ...headers } as Record<string, string>);

test('a code opens one session in any spelling, and registers the console as the store’s channel', async () => {
  const code = await invite();
  assert.match(code, /^[A-Z2-9]{4}-[A-Z2-9]{4}-[A-Z2-9]{4}$/);
  assert.equal((await findStore(app.service.deps.db, storeId))?.hasChannel, false);
  const reply = await signIn(` ${code.toLowerCase().replaceAll('-', ' ')} `);
  assert.deepEqual([reply.status, reply.body], [200, { role: 'store' }]);
  assert.match(String(reply.headers['set-cookie']), /^doorstep_console=[\w-]{32}; .*HttpOnly; SameSite=Strict$/);
  assert.ok(!reply.text.includes(String(reply.headers['set-cookie']).slice(17, 49)));
  assert.equal((await findStore(app.service.deps.db, storeId))?.hasChannel, true);
  assert.equal((await signIn(code)).body.code, 'invalid_access_code', 'a code is used up');
});

test('a code ends after 48 hours; over https the cookie and origin are only this host’s', async (t) => {
  const late = await invite();
  await app.advance({ hours: 48 });
  assert.equal((await signIn(late)).body.code, 'invalid_access_code');
  const secure = await givenApp({ env: { BASE_URL: 'https://doorstep.example' } });
  t.after(() => secure.close());
  const [store = ''] = await givenStores(secure, [pizzeria()]);
  const { code } = await issueAccessCode(secure.service.deps.db, { storeId: store }, secure.now());
  const bare = clientOf(secure.service, '', '');
  const ofBrowser = { host: 'doorstep.example', 'sec-fetch-site': 'same-origin' };
  for (const origin of ['http://doorstep.example', 'https://doorstep.example:8443', 'https://localhost', 'null']) {
    const refused = await bare.post('/console/sign-in', { code }, { ...ofBrowser, origin });
    assert.equal(refused.body.code, 'cross_site_request', origin);
  }
  const origin = 'https://doorstep.example';
  const reply = await bare.post('/console/sign-in', { code }, { ...ofBrowser, host: 'inside:8080', origin });
  assert.match(
    String(reply.headers['set-cookie']),
    /^__Host-doorstep_console=.*Path=\/; .*HttpOnly; Secure; SameSite=Strict$/,
  );
});

test('of 200 wrong codes at once 20 are looked at, and the right code works among them and after them', async () => {
  await app.advance({ minutes: 1 });
  const [among, after] = [await invite(), await invite()];
  const wrong = (tries: number) => signIn(`WRONG-${tries}`);
  const sent = Array.from({ length: 200 }, (_, tries) => wrong(tries));
  const right = signIn(among);
  const replies = await Promise.all(sent);
  assert.equal(replies.filter(({ status }) => status === 401).length, 20);
  const refused = replies.filter(({ status }) => status === 429);
  assert.equal(refused.length, 180);
  for (const { headers, body } of refused)
    assert.deepEqual([headers['retry-after'], body.code], ['60', 'rate_limited']);
  assert.equal((await right).status, 200);
  await app.advance({ seconds: 30 });
  assert.equal((await signIn(after)).status, 200);
  assert.deepEqual([(await wrong(1)).status, (await wrong(2)).headers['retry-after']], [429, '30']);
  await app.advance({ seconds: 30 });
  assert.equal((await wrong(3)).status, 401);
});

test('a store’s used codes count apart from other stores’ and from unknown codes', async () => {
  await app.advance({ minutes: 1 });
  const [other = ''] = await givenStores(app, [pizzeria({ external_id: 'other', name: 'Other' })]);
  const [mine, theirs] = [await invite(), await invite(other)];
  for (const code of [mine, theirs]) assert.equal((await signIn(code)).status, 200);
  for (let tries = 0; tries < 20; tries += 1) assert.equal((await signIn(mine)).status, 401);
  assert.deepEqual([(await signIn(mine)).status, (await signIn(theirs)).status], [429, 401]);
  assert.equal((await signIn('WRONG')).status, 401);
});

test('wrong codes leave no count behind for longer than a quarter of an hour', async () => {
  await app.advance({ minutes: 16 });
  const used = await invite();
  assert.equal((await signIn(used)).status, 200);
  for (const code of ['WRONG', used]) assert.equal((await signIn(code)).status, 401);
  const counts = () => app.service.deps.db.selectFrom('signInFailures').selectAll().execute();
  assert.equal((await counts()).length, 2);
  await app.advance({ minutes: 16 });
  assert.equal((await signIn('WRONG')).status, 401);
  assert.deepEqual(
    (await counts()).map(({ failures }) => failures),
    [1],
  );
});

test('another site cannot sign a browser in, nor change anything with its session', async () => {
  const code = await invite();
  const foreign = [
    { host: 'localhost', origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    { host: 'localhost', origin: 'http://localhost:3000', 'sec-fetch-site': 'same-site' },
    // A name of another site that was re-pointed at this machine (DNS rebinding).
    { host: 'evil.example', origin: 'http://evil.example', 'sec-fetch-site': 'same-origin' },
    { host: 'localhost', origin: 'https://localhost' },
    { host: 'localhost', origin: 'null' },
    { host: 'localhost' },
  ];
  for (const headers of foreign) assert.equal((await signIn(code, headers)).body.code, 'cross_site_request');
  const console = await givenConsole(app, storeId);
  for (const headers of foreign) {
    const more = { origin: '', 'sec-fetch-site': 'none', ...headers };
    assert.equal((await console.post('/store/orders/x/ready', {}, more)).body.code, 'cross_site_request');
    assert.equal((await console.get('/store/orders', {}, more)).status, 200, 'a read shows another site nothing');
  }
});

test('sessions are listed and revoked; a revoked, a signed out and an expired one ends at once', async () => {
  const [one, two] = [await givenConsole(app, storeId), await givenConsole(app, storeId)];
  const { sessions } = (await one.get('/store/sessions')).body;
  const mine = sessions.find((session: { is_this: boolean }) => session.is_this);
  const other = (await two.get('/store/sessions')).body.sessions.find(
    (session: { is_this: boolean }) => session.is_this,
  );
  assert.notEqual(mine.session_id, other.session_id);
  assert.equal((await one.post(`/store/sessions/${other.session_id}/revoke`, {})).body.revoked, true);
  assert.equal((await two.get('/store/orders')).body.code, 'invalid_api_key');
  assert.equal((await one.post('/console/sign-out', {})).status, 200);
  assert.equal((await one.get('/store/orders')).body.code, 'invalid_api_key');
  const three = await givenConsole(app, storeId);
  await app.advance({ hours: 30 * 24 });
  assert.equal((await three.get('/store/orders')).body.code, 'invalid_api_key');
});

test('a token rotates daily, once for concurrent requests; its predecessor works for a minute', async () => {
  const { db } = app.service.deps;
  const console = await givenConsole(app, storeId);
  const token = console.cookie.split('=')[1] ?? '';
  const session = (await findSession(db, sha256(token), app.now())) ?? assert.fail('no session');
  assert.equal(await renewSession(db, session, app.now()), undefined);
  await app.advance({ hours: 25 });
  const renewals = await Promise.all([1, 2, 3].map(() => renewSession(db, session, app.now())));
  const [renewed, ...others] = renewals.filter((renewal) => renewal !== undefined);
  assert.equal(others.length, 0);
  assert.equal((await console.get('/store/orders')).status, 200, 'a request under way still has the old token');
  await app.advance({ minutes: 2 });
  assert.equal((await console.get('/store/orders')).status, 401);
  const cookie = `doorstep_console=${renewed?.token}`;
  assert.equal((await console.get('/store/orders', {}, { cookie })).status, 200);
});

test("an operator's session opens no store, and a store's session nothing of operators", async () => {
  const operator = await givenConsole(app, null);
  assert.equal((await operator.get('/store/orders')).body.code, 'invalid_api_key');
});
