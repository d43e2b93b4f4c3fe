import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pizzeria } from '../../../test/feed-lines.ts';
import { givenStoreKey } from '../../../test/given/merchant.ts';
import { givenStores } from '../../../test/given/stores.ts';
import { givenApp } from '../../../test/harness.ts';

const app = await givenApp();

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const ask = async (url: string, headers: Record<string, string>) => {
  const { statusCode, headers: answered } = await app.service.http.inject({ url, headers });
  return [statusCode, answered['www-authenticate']];
};

const CHALLENGE = 'ApiKey realm="doorstep", header="Id-Token", Bearer realm="doorstep"';

test('an account’s key and a store’s key come as Authorization: Bearer too; a request with both headers has Id-Token’s', async () => {
  const [storeId = ''] = await givenStores(app, [pizzeria()]);
  const store = await givenStoreKey(app, storeId, app.accountId);
  for (const [url, key] of [
    ['/account/orders', app.key],
    ['/store', store.key],
  ] as const) {
    assert.deepEqual(await ask(url, bearer(key)), [200, undefined]);
    assert.deepEqual(await ask(url, { authorization: `bearer  ${key} ` }), [200, undefined]);
    assert.deepEqual(await ask(url, { 'id-token': key, ...bearer('another') }), [200, undefined]);
    assert.deepEqual(await ask(url, { 'id-token': '', ...bearer(key) }), [200, undefined]);
    for (const headers of [
      { 'id-token': 'another', ...bearer(key) },
      bearer('another'),
      { authorization: `Basic ${key}` },
      { authorization: key },
      {},
    ]) {
      assert.deepEqual(await ask(url, headers), [401, CHALLENGE], JSON.stringify(headers));
    }
  }
});
