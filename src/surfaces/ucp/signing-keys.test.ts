import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type App, givenApp } from '../../../test/harness.ts';
import type { Save } from '../../access/operations/operation.ts';
import { recorderOf } from '../../access/sessions/actions.db.ts';
import { rotateUcpKeyOperation } from './rotate-key.route.ts';
import { createSigningKeys } from './signing-keys.cache.ts';
import { currentKey } from './signing-keys.ts';

let app: App;
before(async () => {
  app = await givenApp();
});
after(() => app.close());

const SESSION = { sessionId: 'test', operatorId: null, name: 'test', role: 'admin' } as const;
const rotate = (now: boolean) =>
  rotateUcpKeyOperation.run(app.service.deps, {
    by: { surface: 'operator', session: SESSION },
    save: recorderOf(app.service.deps)(SESSION) as Save,
    inTurn: (read) => read(),
    params: {},
    query: {},
    body: { now },
    more: {},
  });

test('every node has the same first key, and a rotated one is published before it signs for as long as profiles are cached', async () => {
  const [one, other] = [createSigningKeys(app.service.deps), createSigningKeys(app.service.deps)];
  const [[first], [same]] = await Promise.all([one(), other()]);
  assert.ok(first);
  assert.equal(first.jwk.kid, same?.jwk.kid);
  const { key_ids: ids } = await rotate(false);
  assert.equal(ids[0], first.jwk.kid);
  await app.advance({ seconds: 61 });
  const published = await one();
  assert.deepEqual(
    published.map(({ jwk }) => jwk.kid),
    ids,
  );
  assert.equal(currentKey(published, app.now())?.jwk.kid, first.jwk.kid);
  await app.advance({ seconds: 359 });
  assert.equal(currentKey(await one(), app.now())?.jwk.kid, ids[1]);
  await app.advance({ hours: 7 * 24 });
  assert.deepEqual(
    (await one()).map(({ jwk }) => jwk.kid),
    [ids[1]],
  );
});

test('a leaked key is dropped at once, and the new one signs', async () => {
  const { key_ids: ids } = await rotate(true);
  assert.equal(ids.length, 1);
  await app.advance({ seconds: 61 });
  const keys = await createSigningKeys(app.service.deps)();
  assert.deepEqual([currentKey(keys, app.now())?.jwk.kid], ids);
});
