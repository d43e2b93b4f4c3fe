import assert from 'node:assert/strict';
import { test } from 'node:test';
import { givenApp } from '../../../test/harness.ts';
import { createApp } from './app.ts';

const app = await givenApp();

test('liveness, readiness, metrics and the API description answer without a key', async () => {
  for (const url of ['/healthz', '/readyz', '/metrics', '/openapi.json', '/reference/']) {
    const reply = await app.service.http.inject({ url });
    assert.equal(reply.statusCode, 200, `${url}: ${reply.body.slice(0, 200)}`);
    assert.ok(reply.headers['x-request-id'], url);
  }
});

test('an unknown path is 404 and a known one with another method 405, both as problem details', async () => {
  const unknown = await app.get('/nowhere');
  assert.deepEqual([unknown.status, unknown.body.code], [404, 'route_not_found']);
  assert.match(String(unknown.headers['content-type']), /^application\/problem\+json/);
  assert.equal(unknown.body.error, unknown.body.detail);
  const method = await app.post('/healthz', {});
  assert.deepEqual([method.status, method.body.code, method.headers.allow], [405, 'method_not_allowed', 'GET, HEAD']);
});

test('an Idempotency-Key changes nothing about 404 and 405, whatever key it is and with an API key or without', async () => {
  const unalike = ({ request_id: _, ...problem }: Record<string, unknown>) => problem;
  for (const path of ['/nowhere', '/healthz', '/details/inventory']) {
    for (const apiKey of [app.key, '', 'ds_test_unknown']) {
      const plain = await app.post(path, { a: 1 }, { 'id-token': apiKey });
      assert.equal(plain.status, path === '/nowhere' ? 404 : 405);
      for (const key of ['k', 'k', 'k'.repeat(256)]) {
        const keyed = await app.post(path, { a: key.length }, { 'id-token': apiKey, 'idempotency-key': key });
        assert.deepEqual([keyed.status, keyed.headers.allow], [plain.status, plain.headers.allow], keyed.text);
        assert.deepEqual(unalike(keyed.body), unalike(plain.body));
        assert.equal(keyed.headers['idempotent-replayed'], undefined);
      }
    }
  }
});

test('a service with an operators’ endpoint that names no role does not start', async () => {
  const config = { audience: 'operator' } as const;
  const starting = createApp(app.service.deps, (http) => http.get('/operator/secrets', { config }, () => ({})));
  await assert.rejects(starting, /\/operator\/secrets names no operator's role/);
});

test('a service with an endpoint for keys of accounts that names no scope does not start', async () => {
  const starting = createApp(app.service.deps, (http) => http.get('/account/secrets', () => ({})));
  await assert.rejects(starting, /\/account\/secrets names no scope of keys/);
});
