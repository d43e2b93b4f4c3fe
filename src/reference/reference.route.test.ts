import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, test } from 'node:test';
import { type App, givenApp } from '../../test/harness.ts';

let app: App;
before(async () => {
  app = await givenApp();
});
after(() => app.close());

const read = (url: string, headers = {}) => app.service.http.inject({ url, headers });

test('/ leads to the reference, and the reference to its page', async () => {
  const root = await read('/');
  assert.deepEqual([root.statusCode, root.headers.location], [302, '/reference']);
  const page = await read('/reference');
  assert.deepEqual([page.statusCode, page.headers.location], [301, '/reference/']);
});

test('the page loads its own script and the description, and may ask nobody else', async () => {
  for (const encoding of ['identity', 'br', 'gzip']) {
    const { headers } = await read('/reference/', { 'accept-encoding': encoding });
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.equal(headers['referrer-policy'], 'no-referrer');
  }
  const page = await read('/reference/');
  assert.match(page.body, /<title>Doorstep API reference<\/title>/);
  assert.match(page.body, /"telemetry": false/);
  assert.doesNotMatch(page.body, /https?:\/\//);
  for (const path of ['js/scalar.js', '../openapi.json']) {
    assert.ok(page.body.includes(path), path);
    const part = await read(new URL(path, 'http://host/reference/').pathname);
    assert.equal(part.statusCode, 200, path);
  }
  const script = await read('/reference/js/scalar.js');
  assert.match(String(script.headers['content-type']), /^application\/javascript/);
  assert.equal(script.headers['x-content-type-options'], 'nosniff');
});

test('the policy permits the script that the page has in itself, however it is compressed', async () => {
  const { body } = await read('/reference/');
  const [, inline = ''] = /<script type="text\/javascript">([\s\S]*?)<\/script>/.exec(body) ?? [];
  const digest = createHash('sha256').update(inline).digest('base64');
  assert.ok(inline.includes('createApiReference'));
  for (const encoding of ['identity', 'br', 'gzip']) {
    const { headers } = await read('/reference/', { 'accept-encoding': encoding });
    const policy = String(headers['content-security-policy']);
    assert.ok(policy.includes(`script-src 'self' 'sha256-${digest}';`), `${encoding}: ${policy}`);
    assert.match(policy, /default-src 'none'.*connect-src 'self'/);
  }
});

test('a request without a good key is told how to be let in', async () => {
  for (const key of ['', 'ds_test_unknown']) {
    const { status, headers } = await app.get('/account/orders', {}, { 'id-token': key });
    assert.equal(status, 401);
    assert.equal(headers['www-authenticate'], 'ApiKey realm="doorstep", header="Id-Token"');
  }
});
