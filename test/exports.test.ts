import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pizzeria } from './feed-lines.ts';
import { givenConsole } from './given/merchant.ts';
import { givenStores } from './given/stores.ts';
import { givenApp } from './harness.ts';

type Operation = {
  parameters?: { in: string; name: string; example?: unknown }[];
  responses: Record<string, { content?: object }>;
};

test('every export is a download that no browser sniffs, keeps or runs', async () => {
  const app = await givenApp();
  const [storeId = ''] = await givenStores(app, [pizzeria()]);
  const [owner, operator] = [await givenConsole(app, storeId), await givenConsole(app, null)];
  const { paths } = (await app.get('/openapi.json')).body as { paths: Record<string, { get?: Operation }> };
  const exports = Object.entries(paths).filter(([path]) => /\.(csv|journal)$/.test(path));
  assert.ok(exports.length >= 6, String(exports.map(([path]) => path)));
  for (const [path, { get }] of exports) {
    const given = (get?.parameters ?? []).filter((one) => one.in === 'query' && one.example !== undefined);
    const query = Object.fromEntries(given.map(({ name, example }) => [name, String(example)]));
    const reply = await (path.startsWith('/operator/') ? operator : owner).get(path, query);
    assert.equal(reply.status, 200, `${path} ${reply.text}`);
    const { headers } = reply;
    assert.equal(headers['x-content-type-options'], 'nosniff', path);
    assert.match(String(headers['content-disposition']), /^attachment; filename="[\w-]+\.(csv|journal)"$/, path);
    assert.match(String(headers['content-security-policy']), /default-src 'none'/, path);
    assert.equal(headers['cache-control'], 'private, no-store', path);
  }
});
