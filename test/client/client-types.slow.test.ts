import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { givenApp } from '../harness.ts';
import { CLIENT_TYPES, clientTypesOf } from './client-types.ts';

test('the client’s types match the service: `npm run client-types` writes them', async () => {
  const app = await givenApp();
  const document = (await app.get('/openapi.json')).body;
  assert.equal(readFileSync(CLIENT_TYPES, 'utf8'), await clientTypesOf(document));
  const small = { ...document, paths: { '/account/orders': document.paths['/account/orders'] }, webhooks: {} };
  const changed = structuredClone(small);
  changed.components.schemas.Order.properties.newer = { type: 'string' };
  assert.notEqual(await clientTypesOf(changed), await clientTypesOf(small), 'a new field is a difference');
});
