import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { givenApp } from '../../../test/harness.ts';

const app = await givenApp({ env: { BASE_URL: 'https://api.example.com', MAIL_FROM: 'Doorstep <help@example.com>' } });
after(() => app.close());

test('/ says where a key comes from and leads to the documents, the reference, the console and the operator', async () => {
  const { status, text, headers } = await app.get('/');
  assert.deepEqual([status, headers['content-type']], [200, 'text/html; charset=utf-8']);
  assert.match(text, /npx doorstep keys create --account/);
  assert.match(text, /curl -H 'Id-Token: ds_test_…' \\\n {2}'https:\/\/api\.example\.com\/search\/store\/v3\?/);
  const paths = [...text.matchAll(/ href="([^"]+)"/g)].map(([, path = '']) => path);
  for (const path of 'docs/ docs/tutorial reference/ openapi.json llms.txt console console/operator'.split(' '))
    assert.ok(paths.includes(path), path);
  for (const path of paths) assert.ok((await app.get(`/${path}`)).status < 400, path);
  assert.match(String(headers['content-security-policy']), /^default-src 'none';script-src 'self';style-src 'self';/);
  assert.doesNotMatch(text, /<script|<style| style=/);
  assert.equal((await app.get('/start/none.css')).status, 404);
});

test('/favicon.ico is the icon, and /robots.txt keeps crawlers from pages of one person or store', async () => {
  const icon = await app.get('/favicon.ico');
  assert.deepEqual([icon.status, icon.headers['content-type']], [200, 'image/svg+xml']);
  const robots = await app.get('/robots.txt');
  assert.equal(robots.status, 200);
  const kept = [...robots.text.matchAll(/^Disallow: (\/\w+)$/gm)].map(([, path = '']) => path);
  const described = Object.keys((await app.get('/openapi.json')).body.paths);
  for (const path of ['/tracking', '/console']) assert.ok(kept.includes(path), path);
  for (const path of kept)
    assert.ok(
      described.some((one) => one.startsWith(path)),
      path,
    );
});

test('/.well-known/security.txt has a contact and a moment within a year, by RFC 9116', async () => {
  const { status, text, headers } = await app.get('/.well-known/security.txt');
  assert.deepEqual([status, headers['content-type']], [200, 'text/plain; charset=utf-8']);
  const fields = Object.fromEntries(
    text
      .trim()
      .split('\n')
      .map((line) => line.split(': ') as [string, string]),
  );
  assert.equal(fields.Contact, 'mailto:help@example.com');
  const holds = Temporal.Instant.from(fields.Expires ?? '')
    .since(app.service.deps.clock.now())
    .total('days');
  assert.ok(holds > 30 && holds < 365, String(holds));
  const own = await givenApp({ env: { SECURITY_CONTACT: 'https://example.com/security' } });
  assert.match((await own.get('/.well-known/security.txt')).text, /^Contact: https:\/\/example\.com\/security$/m);
  await own.close();
});
