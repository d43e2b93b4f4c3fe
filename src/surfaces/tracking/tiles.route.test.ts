import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { PMTiles } from 'pmtiles';
import { givenTiles } from '../../../test/given/tiles.ts';
import { givenApp } from '../../../test/harness.ts';

const PATH = '/tracking/tiles.pmtiles';

const folder = await mkdtemp(join(tmpdir(), 'doorstep-tiles-'));
const file = await givenTiles(join(folder, 'town.pmtiles'));
const bytes = await readFile(file);
const app = await givenApp({ env: { MAP_TILES: file } });
after(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

const ask = (headers: Record<string, string>, method: 'GET' | 'HEAD' = 'GET') =>
  app.service.http.inject({ method, url: PATH, headers });

test('a range of the archive is sent to everybody as it is on disk, uncompressed, with its validator', async () => {
  const reply = await ask({ range: 'bytes=100-299', 'accept-encoding': 'br, gzip' });
  assert.equal(reply.statusCode, 206);
  assert.deepEqual(reply.rawPayload, bytes.subarray(100, 300));
  const { headers } = reply;
  assert.equal(headers['content-range'], `bytes 100-299/${bytes.length}`);
  assert.deepEqual(
    [headers['content-length'], headers['accept-ranges'], headers['content-type'], headers['content-encoding']],
    ['200', 'bytes', 'application/vnd.pmtiles', undefined],
  );
  assert.match(String(headers.etag), /^"[\w-]+"$/);
  const whole = await ask({ range: 'bytes=0-' });
  assert.deepEqual([whole.statusCode, whole.rawPayload], [206, bytes]);
});

test('HEAD tells the size, with a range or without', async () => {
  for (const headers of [{}, { range: 'bytes=0-1' }]) {
    const reply = await ask(headers, 'HEAD');
    assert.deepEqual([reply.statusCode, reply.payload], [200, '']);
    assert.equal(reply.headers['content-length'], String(bytes.length));
    assert.equal(reply.headers.etag, (await ask({ range: 'bytes=0-1' })).headers.etag);
  }
});

test('416 with the size for a request without a range, and for every range that is not one of the archive', async () => {
  const past = String(bytes.length);
  for (const range of [
    ...['', 'bytes', 'bytes=', 'bytes=-', 'bytes=-0', 'bytes=5-2', `bytes=${past}-`, 'bytes=99999999999999999999-'],
    ...['bytes=0-1,2-3', `bytes=${'0-,'.repeat(500)}0-`, 'lines=0-1', 'bytes=0-1;x', 'bytes=\t0-1x', 'bytes=-1-2'],
  ]) {
    const reply = await ask(range === '' ? {} : { range });
    assert.equal(reply.statusCode, 416, range);
    assert.equal(reply.json().code, 'range_not_satisfiable');
    assert.equal(reply.headers['content-range'], `bytes */${bytes.length}`, range);
  }
});

test('If-Range with a validator of another archive returns 416: two archives are never mixed', async () => {
  const { headers } = await ask({ range: 'bytes=0-1' });
  const current = await ask({ range: 'bytes=0-1', 'if-range': String(headers.etag) });
  assert.equal(current.statusCode, 206);
  for (const ifRange of ['"another"', `W/${headers.etag}`, 'Wed, 10 Jun 2026 17:00:00 GMT']) {
    assert.equal((await ask({ range: 'bytes=0-1', 'if-range': ifRange })).statusCode, 416, ifRange);
  }
});

test('the reader of the format reads tiles over HTTP, and 200 ranges at once are all answered', async () => {
  const url = (await app.service.listen()) + PATH;
  const archive = new PMTiles(url);
  const tile = await archive.getZxy(14, 4823, 6158);
  assert.ok(tile && tile.data.byteLength > 100);
  const replies = await Promise.all(
    Array.from({ length: 200 }, async (_, first) => {
      const reply = await fetch(url, { headers: { range: `bytes=${first}-${first + 999}` } });
      return Buffer.from(await reply.arrayBuffer()).equals(bytes.subarray(first, first + 1000));
    }),
  );
  assert.ok(replies.every((isRight) => isRight));
});

test('404 where the operator gives no file', async () => {
  const other = await givenApp({ env: { MAP_TILES: 'https://tiles.example/town.pmtiles' } });
  const reply = await other.get(PATH, {}, { range: 'bytes=0-1' });
  assert.deepEqual([reply.status, reply.body.code], [404, 'route_not_found']);
  await other.close();
});
