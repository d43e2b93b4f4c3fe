import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { pizzeria } from '../../../test/feed-lines.ts';
import { givenOperator, SAME_SITE } from '../../../test/given/merchant.ts';
import { givenStores } from '../../../test/given/stores.ts';
import { clientOf, givenApp } from '../../../test/harness.ts';
import { setOperator } from '../../access/sessions/set-operator.flow.ts';

const app = await givenApp();
after(() => app.close());

type Console = Awaited<ReturnType<typeof givenOperator>>;
const set = (admin: Console, operatorId: string, changes: object) =>
  admin.post(`/operator/operators/${operatorId}`, changes);
const me = (operator: Console) => operator.get('/operator/me');

/** The only admin of a service of its own. */
async function givenOnlyAdmin() {
  await app.service.deps.db.updateTable('operators').set({ disabledAt: app.now().toString() }).execute();
  return givenOperator(app);
}

test('an admin invites a person, who signs in with the code once, under the name and role that the view shows', async () => {
  const admin = await givenOperator(app);
  const body = { name: ' Ben Sato ', role: 'support', email: 'Ben@Example.com', phone: '212 555 0123' };
  const { status, body: invited, headers, text } = await admin.post('/operator/operators', body);
  assert.equal(status, 200, text);
  assert.equal(headers['cache-control'], 'private, no-store');
  const bare = clientOf(app.service, '', '');
  const signedIn = await bare.post('/console/sign-in', { code: invited.code }, SAME_SITE);
  assert.deepEqual(signedIn.body, { role: 'operator' });
  const cookie = String(signedIn.headers['set-cookie']).split(';')[0] ?? '';
  const shown = await bare.get('/operator/me', {}, { ...SAME_SITE, cookie });
  assert.deepEqual(shown.body, { operator_id: invited.operator_id, name: 'Ben Sato', role: 'support' });
  assert.equal((await bare.post('/console/sign-in', { code: invited.code }, SAME_SITE)).status, 401);
  const { operators } = (await admin.get('/operator/operators')).body;
  const ben = operators.find(({ operator_id }: { operator_id: string }) => operator_id === invited.operator_id);
  assert.deepEqual([ben.email, ben.phone, ben.disabled_at], ['ben@example.com', '+12125550123', null]);
  const { actions, text: history } = await admin
    .get('/operator/actions')
    .then((reply) => ({ ...reply.body, ...reply }));
  assert.deepEqual([actions[0].action, actions[0].by], ['operator.invite', 'Ana Ruiz']);
  assert.doesNotMatch(history, new RegExp(`${invited.code}|ben@|0123`));
});

test('a changed role and a disabled operator count at the next request', async () => {
  const [admin, other] = [await givenOperator(app), await givenOperator(app, { role: 'support', name: 'Ben Sato' })];
  assert.equal((await set(admin, other.operatorId, { role: 'viewer' })).status, 200);
  assert.equal((await me(other)).body.role, 'viewer');
  const code = (await admin.post(`/operator/operators/${other.operatorId}/invite`, {})).body.code;
  assert.equal((await set(admin, other.operatorId, { disabled: true })).status, 200);
  assert.equal((await me(other)).status, 401);
  const bare = clientOf(app.service, '', '');
  assert.equal((await bare.post('/console/sign-in', { code }, SAME_SITE)).status, 401);
  assert.equal((await admin.post(`/operator/operators/${other.operatorId}/invite`, {})).body.code, 'not_found');
  assert.equal((await set(admin, other.operatorId, { disabled: false })).status, 200);
  assert.equal((await me(other)).status, 401, 'the session stays ended');
});

test('the last admin can be neither disabled nor demoted in the view, by two at once either; the command line can', async () => {
  const admin = await givenOnlyAdmin();
  for (const changes of [{ role: 'support' }, { disabled: true }]) {
    const refused = await set(admin, admin.operatorId, changes);
    assert.deepEqual([refused.status, refused.body.code], [409, 'last_admin']);
  }
  const other = await givenOperator(app);
  const both = await Promise.all([
    set(admin, other.operatorId, { disabled: true }),
    set(other, admin.operatorId, { role: 'viewer' }),
  ]);
  assert.equal(both.filter(({ status }) => status === 200).length, 1, JSON.stringify(both.map(({ text }) => text)));
  const left = both[0]?.status === 200 ? admin : other;
  const demoted = await app.service.deps.db
    .transaction()
    .execute((tx) => setOperator(tx, left.operatorId, { role: 'viewer' }, { at: app.now(), keepsAdmin: false }));
  assert.equal(demoted?.role, 'viewer');
});

test('a malformed operator, and another operator’s email, are rejected by field', async () => {
  const admin = await givenOperator(app, { email: 'ana@example.com' });
  const good = { name: 'Ben', role: 'viewer' };
  const faults = [
    [{ name: ' ' }, 'name'],
    [{ name: 'a\u0007b' }, 'name'],
    [{ email: 'nobody' }, 'email'],
    [{ email: 'a@example.com, b@example.com' }, 'email'],
    [{ email: 'ANA@example.com' }, 'email'],
    [{ phone: '12' }, 'phone'],
  ] as const;
  for (const [changes, field] of faults) {
    const { status, body } = await admin.post('/operator/operators', { ...good, ...changes });
    assert.deepEqual([status, body.errors?.[0]?.name], [400, field], JSON.stringify(changes));
  }
  const other = await givenOperator(app);
  assert.equal((await set(admin, other.operatorId, { email: 'ana@example.com' })).status, 400);
  assert.equal((await set(admin, other.operatorId, {})).status, 400);
  assert.equal((await set(admin, admin.operatorId, { email: '' })).body.email, null);
});

test("an operator's key is listed with a name, kept by no cache, and opens nothing as a cookie or a bearer token", async () => {
  const admin = await givenOperator(app);
  const { body: made, headers } = await admin.post(`/operator/operators/${admin.operatorId}/keys`, { label: ' ' });
  assert.equal(headers['cache-control'], 'private, no-store');
  const { sessions } = (await admin.get('/operator/sessions')).body;
  const listed = sessions.find(({ session_id }: { session_id: string }) => session_id === made.session_id);
  assert.equal(listed.device, 'API key');
  const bare = clientOf(app.service, '', '');
  const send = (carrier: Record<string, string>) => bare.get('/operator/me', {}, { ...SAME_SITE, ...carrier });
  assert.equal((await send({ 'id-token': made.key })).body.operator_id, admin.operatorId);
  assert.equal((await send({ cookie: `doorstep_console=${made.key}` })).status, 401);
  const bearer = await send({ authorization: `Bearer ${made.key}` });
  assert.deepEqual([bearer.status, /operator's key in the Id-Token header/.test(bearer.body.detail)], [401, true]);
});

test('the history lists only changed fields, and no cache keeps the alert secret', async () => {
  const admin = await givenOperator(app);
  const [storeId = ''] = await givenStores(app, [pizzeria()]);
  const { account_id } = (await admin.post('/operator/accounts', { name: 'Supper Club' })).body;
  const settings = `/operator/stores/${storeId}/switches`;
  assert.equal((await admin.post(settings, { secret: 'x' })).status, 400);
  const changes = [
    [settings, { accept_pickup: false }],
    [settings, { scale_label: ['2IIIIIVPPPPC', '20IIIIIWWWWWC'] }],
    [`/operator/stores/${storeId}/products`, { external_id: 'soda', available: false }],
    [`/operator/stores/${storeId}/products`, { external_id: 'last', qty_available: null }],
    [`/operator/accounts/${account_id}/limits`, { language: 'es', limits: { sms: 5 } }],
  ] as const;
  for (const [path, body] of changes) {
    const set = await admin.post(path, { ...body, secret: 'x' });
    assert.equal(set.status, 200, set.text);
    const [last] = (await admin.get('/operator/actions')).body.actions;
    assert.deepEqual(last.details, body);
  }
  const labels = async () => (await admin.get(`/operator/stores/${storeId}/settings`)).body.scale_label;
  assert.deepEqual(await labels(), ['2IIIIIVPPPPC', '20IIIIIWWWWWC']);
  const wrong = await admin.post(settings, { scale_label: ['2IIIIIVPPPPC', '2IIIIIVPPPPP'] });
  assert.deepEqual([wrong.status, wrong.body.errors[0].name], [400, 'scale_label[1]']);
  await admin.post(settings, { scale_label: [] });
  assert.deepEqual(await labels(), []);
  const unset = await admin.post('/operator/duty/webhook', { webhook_url: null });
  assert.deepEqual([unset.status, unset.headers['cache-control']], [200, 'private, no-store']);
});
