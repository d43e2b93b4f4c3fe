import assert from 'node:assert/strict';
import { test } from 'node:test';
import { givenApp } from '../../../test/harness.ts';
import { plainBranding } from './branding.ts';
import { findBranding, findBrandingByHost, findBrandings, saveBranding } from './brandings.db.ts';

test('brandings', async (t) => {
  const app = await givenApp();
  t.after(app.close);
  const { db } = app.service.deps;
  const { accountId } = app;
  const other = (await app.givenClient()).accountId;
  const at = app.now();
  const favicon = { bytes: Buffer.from([0, 1, 255]), type: 'image/png' };

  await t.test('an account without one has the plain one', async () => {
    assert.deepEqual(await findBranding(db, accountId), plainBranding(accountId));
    assert.deepEqual(await findBrandingByHost(db, 'tracking.pizza.example'), undefined);
  });

  await t.test('saved entries are found by account and by host, in any letter case', async () => {
    assert.equal(await saveBranding(db, accountId, { displayName: 'Pizza' }, at), true);
    assert.equal(await saveBranding(db, accountId, { favicon, trackingHost: 'tracking.pizza.example' }, at), true);
    const branding = {
      ...plainBranding(accountId),
      displayName: 'Pizza',
      favicon,
      trackingHost: 'tracking.pizza.example',
    };
    assert.deepEqual(await findBranding(db, accountId), branding);
    assert.deepEqual(await findBrandingByHost(db, 'Tracking.Pizza.Example'), branding);
    const both = await findBrandings(db, [accountId, other]);
    assert.deepEqual([...both.values()], [branding, plainBranding(other)]);
  });

  await t.test('saving the same again changes nothing, not even its time', async () => {
    const timeOf = async () => (await db.selectFrom('brandings').select('updatedAt').executeTakeFirst())?.updatedAt;
    const later = at.add({ hours: 1 });
    assert.equal(await saveBranding(db, accountId, { displayName: 'Pizza', favicon, logoUrl: null }, later), false);
    assert.deepEqual(await timeOf(), at);
    assert.equal(await saveBranding(db, accountId, { displayName: null }, later), true);
    assert.deepEqual(await timeOf(), later);
    assert.equal((await findBranding(db, accountId)).displayName, null);
  });

  await t.test('a tracking host of another account is refused, and nothing else of that change is kept', async () => {
    const change = { displayName: 'Sushi', trackingHost: 'tracking.pizza.example' };
    await assert.rejects(saveBranding(db, other, change, at), { code: '23505' });
    assert.deepEqual(await findBranding(db, other), plainBranding(other));
  });
});
