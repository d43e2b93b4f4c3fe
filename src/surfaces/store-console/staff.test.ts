import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { pizzeria } from '../../../test/feed-lines.ts';
import { givenConsole, givenStaff, givenStoreKey, SAME_SITE } from '../../../test/given/merchant.ts';
import { givenStores } from '../../../test/given/stores.ts';
import { type App, type Client, clientOf, givenApp } from '../../../test/harness.ts';
import { MAX_STAFF } from '../../access/sessions/set-staff.flow.ts';
import { findStore } from '../../supply/stores/stores.db.ts';

let app: App;
let storeId = '';
let otherId = '';
let owner: Client;
before(async () => {
  app = await givenApp();
  [storeId = '', otherId = ''] = await givenStores(app, [pizzeria(), pizzeria({ external_id: 'other' })]);
  owner = await givenConsole(app, storeId);
});
after(() => app.close());

const signIn = (code: string) => clientOf(app.service, '', '').post('/console/sign-in', { code }, SAME_SITE);
const names = async () =>
  (await owner.get('/store/staff')).body.staff.map(({ name }: { name: string }) => name) as string[];

test('a staff code signs in as often as needed, is shown once, and is refused from its replacement on', async () => {
  const added = await owner.post('/store/staff', { name: '  Maria \u0007 Lopez ' });
  assert.equal(added.status, 200, added.text);
  const { code, name, staff_id: staffId } = added.body;
  assert.equal(name, 'Maria Lopez');
  assert.deepEqual((await owner.get('/store/staff')).body.staff[0].seen_at, null);
  assert.ok(!(await owner.get('/store/staff')).text.includes(code));
  await app.advance({ hours: 24 * 90 });
  assert.equal((await signIn(code)).status, 200);
  const again = await signIn(code);
  assert.deepEqual([again.status, again.body], [200, { role: 'store' }]);
  owner = await givenConsole(app, storeId);
  const listed = (await owner.get('/store/sessions')).body.sessions;
  assert.deepEqual(
    listed.map((one: { name: string | null }) => one.name),
    [null, 'Maria Lopez', 'Maria Lopez'],
  );
  const replaced = await owner.post(`/store/staff/${staffId}/code`, {});
  assert.equal((await signIn(code)).body.code, 'invalid_access_code');
  assert.equal((await signIn(replaced.body.code)).status, 200);
  assert.equal((await owner.get('/store/sessions')).body.sessions.length, 2, 'the sessions of the old code have ended');
});

test('a removed member is out at once, on every request and with the code, and the name is free again', async () => {
  const luis = await givenStaff(app, storeId, 'Luis');
  assert.equal((await luis.get('/store/orders')).status, 200);
  assert.equal((await owner.post(`/store/staff/${luis.staffId}/remove`, {})).status, 200);
  assert.equal((await luis.get('/store/orders')).body.code, 'invalid_api_key');
  assert.equal((await signIn(luis.code)).body.code, 'invalid_access_code');
  assert.ok(!(await names()).includes('Luis'));
  assert.equal((await owner.post(`/store/staff/${luis.staffId}/remove`, {})).body.code, 'not_found');
  assert.equal((await owner.post(`/store/staff/${luis.staffId}/code`, {})).body.code, 'not_found');
  assert.equal((await owner.post('/store/staff', { name: 'luis' })).status, 200);
});

test('a sign-in that meets a removal leaves no open session', async () => {
  const members = [];
  for (let count = 0; count < 8; count++) members.push(await givenStaff(app, storeId, `Racer ${count}`));
  const { db } = app.service.deps;
  const remove = ({ staffId }: { staffId: string }) => owner.post(`/store/staff/${staffId}/remove`, {});
  const [removals] = await Promise.all([
    Promise.all(members.map(remove)),
    Promise.all(members.map(({ code }) => signIn(code))),
  ]);
  assert.ok(removals.every(({ status }) => status === 200));
  const open = (await owner.get('/store/sessions')).body.sessions as { name: string | null }[];
  assert.deepEqual(
    open.filter(({ name }) => name?.startsWith('Racer')),
    [],
  );
  const codes = await db.selectFrom('accessCodes').select('staffId').where('staffId', 'is not', null).execute();
  for (const { staffId } of members) assert.ok(codes.every((one) => one.staffId !== staffId));
});

test('no name twice, none empty, a bounded number of members and of sessions of each, however many are added at once', async () => {
  const other = await givenConsole(app, otherId);
  const add = (name: string) => other.post('/store/staff', { name });
  assert.deepEqual(
    (await Promise.all(['Ana', 'ANA', ' ana '].map(add))).map(({ status }) => status).toSorted(),
    [200, 400, 400],
  );
  for (const name of ['', ' \t ', 'x'.repeat(61)]) assert.equal((await add(name)).status, 400, name);
  const many = await Promise.all(Array.from({ length: MAX_STAFF + 5 }, (_, index) => add(`Member ${index}`)));
  assert.equal(many.filter(({ status }) => status === 200).length, MAX_STAFF - 1);
  const { body } = await other.get('/store/staff');
  const { staff_id: staffId } = body.staff[0];
  const { code } = (await other.post(`/store/staff/${staffId}/code`, {})).body;
  for (let count = 0; count < 14; count++) {
    await app.advance({ seconds: 1 });
    assert.equal((await signIn(code)).status, 200);
  }
  assert.equal((await other.get('/store/sessions')).body.sessions.length, 11, 'ten, and the owner');
});

test('another store cannot reach a member; a staff sign-in adds no channel', async () => {
  const [quietId = ''] = await givenStores(app, [pizzeria({ external_id: 'quiet' })]);
  const { staffId } = await givenStaff(app, quietId, 'Noor');
  assert.equal((await findStore(app.service.deps.db, quietId))?.hasChannel, false);
  for (const step of ['code', 'remove']) {
    assert.equal((await owner.post(`/store/staff/${staffId}/${step}`, {})).body.code, 'not_found');
  }
});

test("the menu's history and the operator's store page name the member", async () => {
  const maria = await givenStaff(app, storeId, 'Marta');
  assert.equal((await maria.post('/store/menu/categories', { name: 'Soups' })).status, 200);
  await owner.post('/store/menu/categories', { name: 'Salads' });
  const { changes } = (await owner.get('/store/menu/changes')).body;
  assert.deepEqual(
    changes.slice(0, 2).map((one: { by_name: string | null }) => one.by_name),
    [null, 'Marta'],
  );
  const operator = await givenConsole(app, null);
  const shown = (await operator.get(`/operator/stores/${storeId}`)).body;
  assert.ok(shown.staff.some(({ name }: { name: string }) => name === 'Marta'));
  assert.ok(shown.sessions.some(({ name }: { name: string }) => name === 'Marta'));
  const page = await maria.get('/console');
  assert.match(page.text, / data-staff="Marta"/);
});

test("a sandbox key or console of another account sees no live staff's names", async () => {
  const luisa = await givenStaff(app, storeId, 'Luisa');
  assert.equal((await luisa.post('/store/menu/categories', { name: 'Soups of Luisa' })).status, 200);
  const { accountId } = await app.givenClient('sandbox');
  const readers = [await givenStoreKey(app, storeId, accountId), await givenConsole(app, storeId, accountId)];
  for (const reader of readers) {
    const { text, body } = await reader.get('/store/menu/changes');
    assert.ok(body.changes.length > 0, text);
    for (const { by_name, by_id } of body.changes) assert.deepEqual([by_name, by_id], [null, null]);
    assert.ok(!text.includes('"Luisa"'));
  }
  const live = (await (await givenStoreKey(app, storeId)).get('/store/menu/changes')).body.changes;
  assert.equal(live[0].by_name, 'Luisa');
});
