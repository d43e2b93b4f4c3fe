import assert from 'node:assert/strict';
import { createHook } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { after, before, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { type App, givenApp } from '../../test/harness.ts';

let app: App;
let address: string;
before(async () => {
  app = await givenApp();
  address = await app.service.listen();
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

/** Reads over HTTP and leaves the bytes as they came: the count of compressors must not see those of a test. */
async function readBytes(path: string, headers: Record<string, string>, method = 'GET') {
  const asked = request(`${address}${path}`, { method, headers, agent: false }).end();
  const [reply] = (await once(asked, 'response')) as [IncomingMessage];
  const bytes = Buffer.concat(await reply.toArray());
  return { status: reply.statusCode, headers: reply.headers, bytes };
}

test('the script and the description are compressed once, and sent again only to clients that lack them', async (t) => {
  let compressors = 0;
  const hook = createHook({
    init: (_id, type) => {
      if (/ZLIB|BROTLI/i.test(type)) compressors += 1;
    },
  }).enable();
  t.after(() => hook.disable());
  const unpack = { identity: (bytes: Buffer) => bytes, gzip: gunzipSync, br: brotliDecompressSync };
  for (const path of ['/reference/js/scalar.js', '/openapi.json']) {
    const whole = await readBytes(path, {});
    assert.equal(whole.headers['cache-control'], 'public, no-cache', path);
    const tags = new Set<unknown>();
    for (const [encoding, unpacked] of Object.entries(unpack)) {
      compressors = 0;
      const { headers, bytes } = await readBytes(path, { 'accept-encoding': encoding });
      assert.equal(headers['content-encoding'], encoding === 'identity' ? undefined : encoding);
      tags.add(headers.etag);
      const known = await readBytes(path, { 'accept-encoding': encoding, 'if-none-match': String(headers.etag) });
      assert.deepEqual([known.status, known.bytes.length], [304, 0]);
      assert.equal(compressors, 0, `${path} ${encoding}`);
      assert.ok(unpacked(bytes).equals(whole.bytes), `${path} ${encoding}`);
    }
    assert.equal(tags.size, 1);
    compressors = 0;
    const head = await readBytes(path, { 'accept-encoding': 'br' }, 'HEAD');
    assert.deepEqual([head.status, head.bytes.length, compressors], [200, 0, 0]);
  }
  // Metrics are written for each request: the count sees a compressor there.
  await readBytes('/metrics', { 'accept-encoding': 'br' });
  assert.ok(compressors > 0);
});
