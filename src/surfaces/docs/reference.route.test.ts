import assert from 'node:assert/strict';
import { createHook } from 'node:async_hooks';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { type App, givenOwnApp } from '../../../test/harness.ts';

let app: App;
let address: string;
before(async () => {
  app = await givenOwnApp();
  // Not listening: a listening service precompresses its pages seconds later, which could fall into a count.
  await app.service.http.ready();
  const { server } = app.service.http;
  await once(server.listen(0, '127.0.0.1'), 'listening');
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(async () => {
  app.service.http.server.close();
  await app.close();
});

/** Size of the first page, without its files. */
const MAX_HTML_BYTES = 300_000;

const read = (url: string, headers = {}) => app.service.http.inject({ url, headers });

test('the reference leads to its page', async () => {
  const page = await read('/reference');
  assert.deepEqual([page.statusCode, page.headers.location], [301, '/reference/']);
});

test('the pages are whole without scripts: everything has a section, and every link an end', async () => {
  const { body: first } = await read('/reference/');
  assert.ok(Buffer.byteLength(first) <= MAX_HTML_BYTES, `${Buffer.byteLength(first)} bytes`);
  const names = new Set([...first.matchAll(/href="\?tag=([\w-]+)/g)].map(([, name = '']) => name));
  const bodies = new Map([['', first]]);
  for (const name of names) bodies.set(name, (await read(`/reference/?tag=${name}`)).body);
  const idsOf = (body: string) => [...body.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  const idsByPage = new Map([...bodies].map(([name, body]) => [name, idsOf(body)]));
  for (const ids of idsByPage.values()) assert.equal(new Set(ids).size, ids.length, 'no id stands twice');
  const broken = [...bodies].flatMap(([page, body]) =>
    [...body.matchAll(/href="(?:\?tag=([\w-]+))?#([^"]+)"/g)]
      .filter(([, name = page, id]) => !idsByPage.get(name)?.includes(id))
      .map(([link]) => `${page}: ${link}`),
  );
  assert.deepEqual(broken, []);
  const ids = [...idsByPage].flatMap(([name, some]) => (name === '' ? [] : some));
  assert.match(bodies.get('Orders') ?? '', /<h4>Answers<\/h4>/);
  assert.equal((await read('/reference/?tag=none')).body, first);
  const { paths, webhooks, components } = (await app.get('/openapi.json')).body;
  const operations = Object.values(paths as object).flatMap((methods) => Object.values(methods as object));
  const sections = [
    ...operations.map(({ operationId }) => operationId),
    ...Object.keys(webhooks).map((event) => `webhook-${event.replace(/\W+/g, '-')}`),
    ...Object.keys(components.schemas).map((name) => `schema-${name}`),
  ];
  assert.ok(sections.length > 200);
  assert.deepEqual(
    sections.filter((id) => !ids.includes(id)),
    [],
  );
});

test('an app’s operations come first and open; stores’, drivers’ and operators’ are collapsed below', async () => {
  const { body } = await read('/reference/');
  const groups = [...body.matchAll(/<section class="group" id="([\w-]+)">(<details class="rest">)?/g)];
  const closed = groups.map(([, , details]) => details !== undefined);
  assert.ok(groups.findIndex(([, id]) => id === 'tag-Stores') === 0);
  assert.deepEqual(
    closed,
    closed.toSorted((a, b) => Number(a) - Number(b)),
  );
  const names = (isClosed: boolean) => groups.filter((_, n) => closed[n] === isClosed).map(([, id = '']) => id);
  for (const id of ['tag-Orders', 'tag-Webhooks', 'tag-Sandbox', 'tag-Events'])
    assert.ok(names(false).includes(id), id);
  for (const id of ['tag-Store', 'tag-Drivers', 'tag-Operator', 'schemas']) assert.ok(names(true).includes(id), id);
});

test('the page loads its own files and the description, within 400 kB over the wire, and no other host', async (t) => {
  const { body, headers } = await read('/reference/');
  const policy = String(headers['content-security-policy']);
  assert.match(policy, /^default-src 'none';script-src 'self';style-src 'self';.*connect-src 'self'/);
  assert.doesNotMatch(body, /(src|href)="https?:|<script(?! type="module" src)|<style| style="/);
  const parts = [...body.matchAll(/(?:href|src)="((?:assets\/|\.\.\/openapi)[^"]+)"/g)].map(
    ([, path = '']) => new URL(path, 'http://host/reference/').pathname,
  );
  assert.equal(parts.length, 4);
  let wireBytes = 0;
  for (const path of ['/reference/', ...parts]) {
    const { status, headers, bytes } = await readBytes(path, { 'accept-encoding': 'br' });
    assert.deepEqual([status, headers['x-content-type-options']], [200, 'nosniff'], path);
    t.diagnostic(`${path}: ${bytes.length} bytes`);
    wireBytes += bytes.length;
  }
  assert.ok(wireBytes <= 400_000, `${wireBytes} bytes`);
});

test('a request without a valid key gets WWW-Authenticate', async () => {
  for (const key of ['', 'ds_test_unknown']) {
    const { status, headers } = await app.get('/account/orders', {}, { 'id-token': key });
    assert.equal(status, 401);
    assert.equal(headers['www-authenticate'], 'ApiKey realm="doorstep", header="Id-Token", Bearer realm="doorstep"');
  }
});

/** Reads over HTTP without decompressing, so that the test's own decompressors are not counted. */
async function readBytes(path: string, headers: Record<string, string>, method = 'GET') {
  const sent = request(`${address}${path}`, { method, headers, agent: false }).end();
  const [reply] = (await once(sent, 'response')) as [IncomingMessage];
  const bytes = Buffer.concat(await reply.toArray());
  return { status: reply.statusCode, headers: reply.headers, bytes };
}

test('the page and the description are compressed once, and sent again only to clients that lack them', async (t) => {
  let compressors = 0;
  const hook = createHook({
    init: (_id, type) => {
      if (/ZLIB|BROTLI/i.test(type)) compressors += 1;
    },
  }).enable();
  t.after(() => hook.disable());
  const unpack = { identity: (bytes: Buffer) => bytes, gzip: gunzipSync, br: brotliDecompressSync };
  for (const path of ['/reference/', '/openapi.json']) {
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
  // An order page is rendered per request, so here the count includes a compressor.
  await readBytes('/tracking', { 'accept-encoding': 'br' });
  assert.ok(compressors > 0);
});
