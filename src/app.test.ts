import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type App, givenApp } from '../test/harness.ts';

let app: App;
before(async () => {
  app = await givenApp();
});
after(() => app.close());

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
