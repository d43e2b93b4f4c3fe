import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { givenApp } from '../../../test/harness.ts';
import { llmsText } from './llms-text.route.ts';

const BASE_URL = 'https://shop.example/api';

const app = await givenApp();
after(() => app.close());

test('the text is plain text for anybody, kept by its ETag, and every address in it is at BASE_URL', async () => {
  const { status, headers, text } = await app.get('/llms.txt', {}, { 'id-token': '' });
  assert.deepEqual([status, headers['content-type']], [200, 'text/plain; charset=utf-8']);
  assert.match(text, /^# Doorstep\n\n> /);
  const urls = text.match(/https?:\/\/[^\s)`]+/g) ?? [];
  assert.ok(urls.length > 8);
  assert.deepEqual(
    urls.filter((url) => !url.startsWith(`${app.config.baseUrl}/`)),
    [],
  );
  const again = await app.get('/llms.txt', {}, { 'id-token': '', 'if-none-match': String(headers.etag) });
  assert.equal(again.status, 304);
});

test('every endpoint that the text names is served, and every tool', async () => {
  const text = llmsText(BASE_URL, { hasReference: true });
  const { paths } = (await app.get('/openapi.json')).body;
  const named = [...text.matchAll(/`(GET|POST) https:\/\/shop\.example\/api([^?`\s]*)/g)];
  assert.ok(named.length >= 9);
  for (const [, method = '', path = ''] of named) {
    const described = paths[path.replace('/…/', '/{order_id}/')];
    assert.ok(described?.[method.toLowerCase()], `${method} ${path}`);
  }
  for (const path of ['/mcp', '/openapi.json', '/reference', '/docs', '/docs/{page}']) assert.ok(paths[path], path);
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const { body } = await app.post('/mcp', message);
  for (const { name } of body.result.tools) assert.match(text, new RegExp(`\\b${name}\\b`));
});

test('the reference and guides aren’t named where only operators may read them', () => {
  assert.match(llmsText(BASE_URL, { hasReference: true }), /\/reference\/.*\/docs\/agents/s);
  assert.doesNotMatch(llmsText(`${BASE_URL}/`, { hasReference: false }), /\/reference|\/docs|api\/\//);
});
