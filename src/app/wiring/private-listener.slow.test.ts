import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { givenApp } from '../../../test/harness.ts';

const app = await givenApp({ env: { METRICS_PORT: '0', PUBLIC_DOCS: 'false', RATE_LIMIT_PER_MINUTE: '9' } });
const url = (await app.service.listenPrivately()) ?? '';
after(() => app.close());

const publicly = async (path: string) => (await app.service.http.inject({ url: path })).statusCode;
const privately = (path: string, init: RequestInit = {}) => fetch(`${url}${path}`, { redirect: 'manual', ...init });

test('the private listener serves the whole description and its page before the public one gets any request', async () => {
  const described = await privately('/openapi.json');
  assert.equal(described.status, 200);
  const { paths } = (await described.json()) as { paths: object };
  assert.ok(Object.keys(paths).includes('/search/store/v3'));
  const page = await privately('/reference/');
  assert.equal(page.status, 200);
  assert.match(await page.text(), /id="searchStores"/);
});

test('the private listener has an address of this machine only', () => {
  assert.match(url, /^http:\/\/127\.0\.0\.1:\d+$/);
});

test('with PUBLIC_DOCS=false the reference and documents are only at the private listener, as metrics are', async () => {
  const described = await app.get('/openapi.json');
  const page = await (await privately('/reference/')).text();
  const files = [...page.matchAll(/(?:href|src)="(assets\/[^"]+)"/g)].map(([, file]) => `/reference/${file}`);
  assert.equal(files.length, 3);
  for (const path of ['/metrics', '/reference/', ...files, '/reference', '/docs/', '/docs/webhooks']) {
    assert.ok((await privately(path)).status < 400, path);
    assert.equal(await publicly(path), 404, path);
  }
  assert.match(await (await privately('/metrics')).text(), /^doorstep_http_request_duration_seconds_count/m);
  assert.doesNotMatch(page, /class="try"|id="key"/, 'the listener answers no request that the page could send');
  assert.deepEqual(await (await privately('/openapi.json')).json(), described.body);
  assert.equal(described.body.paths['/metrics'], undefined);
});

test('with PUBLIC_DOCS=false the public start page links no missing page, and the private / leads to the reference', async () => {
  const { status, text } = await app.get('/');
  assert.equal(status, 200);
  const paths = [...text.matchAll(/ href="([^"]+)"/g)].map(([, path = '']) => path);
  assert.ok(paths.includes('console') && !/docs|reference/.test(paths.join()), paths.join());
  for (const path of paths) assert.ok((await app.get(`/${path}`)).status < 400, path);
  const root = await privately('/');
  assert.deepEqual([root.status, root.headers.get('location')], [302, '/reference']);
});

test('probes are answered at both, however often', async () => {
  for (let n = 0; n < 10; n += 1) {
    for (const path of ['/healthz', '/readyz']) {
      assert.deepEqual([await publicly(path), (await privately(path)).status], [200, 200]);
    }
  }
});

test('the private listener serves nothing else', async () => {
  for (const path of ['/account/orders', '/tracking', '/console', '/search/store/v3']) {
    const reply = await privately(path, { headers: { 'id-token': app.key } });
    assert.deepEqual([reply.status, ((await reply.json()) as { code: string }).code], [404, 'route_not_found'], path);
  }
});

test('METRICS_PORT takes the metrics off the public port, and neither the documents nor the reference', async (t) => {
  const other = await givenApp({ env: { METRICS_PORT: '0' } });
  t.after(() => other.close());
  const statusOf = async (path: string) => (await other.get(path)).status;
  assert.deepEqual(
    [await statusOf('/metrics'), await statusOf('/docs/'), await statusOf('/reference/')],
    [404, 200, 200],
  );
  const [start, agents] = [await other.get('/'), await other.get('/llms.txt')];
  for (const { text } of [start, agents]) assert.match(text, /docs\/.*reference\/|reference\/.*docs\//s);
});
