import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { type App, givenOwnApp } from '../../../test/harness.ts';
import { until } from '../../../test/until.ts';
import { recordHostCheck, saveBranding } from '../../access/accounts/brandings.db.ts';

const HOST = 'track.pizza.example';

let app: App;
before(async () => {
  app = await givenOwnApp();
  const { db, trackingSites } = app.service.deps;
  const changes = { displayName: 'Pizza & Palace', trackingHost: HOST, helpUrl: 'https://pizza.example/help' };
  await saveBranding(db, app.accountId, changes, app.now());
  await sql`update brandings set tracking_host_verified_at = now() where account_id = ${app.accountId}`.execute(db);
  await trackingSites.refresh();
});
after(() => app.close());

const ask = (url: string, host: string, method: 'GET' | 'HEAD' | 'POST' = 'GET') =>
  app.service.http.inject({ method, url, headers: { host, 'id-token': app.key, accept: 'text/html' } });

test('at an account’s host / is a short page of its brand, with its help and no mention of Doorstep', async () => {
  for (const host of [HOST, `${HOST.toUpperCase()}:8080`, `${HOST}.`]) {
    const { statusCode, headers, body } = await ask('/', host);
    assert.deepEqual([statusCode, headers['content-type']], [200, 'text/html; charset=utf-8'], host);
    assert.match(body, /Pizza &amp; Palace/);
    assert.match(body, /https:\/\/pizza\.example\/help/);
    assert.doesNotMatch(body, /Doorstep/);
    assert.deepEqual([headers['cache-control'], headers['x-robots-tag']], ['private, no-store', 'noindex, nofollow']);
  }
  assert.equal((await ask('/', HOST, 'HEAD')).statusCode, 200);
  assert.match((await ask('/', 'localhost')).body, /Doorstep/);
});

test('everything but its tracking pages returns 404 there, with a key and without, and works at the service’s host', async () => {
  for (const url of '/reference /reference/ /docs /console /openapi.json /account/orders /llms.txt'.split(' ')) {
    const { statusCode, body } = await ask(url, HOST);
    assert.deepEqual([statusCode, JSON.parse(body).code], [404, 'route_not_found'], url);
    assert.notEqual((await ask(url, 'localhost')).statusCode, 404, url);
  }
  assert.equal((await ask('/mcp', HOST, 'POST')).statusCode, 404);
  // A 405 would reveal the methods of a page that must look missing.
  assert.equal((await ask('/mcp', HOST)).statusCode, 404);
  assert.equal((await ask('/console', HOST, 'POST')).statusCode, 404);
  assert.equal((await ask('/nowhere', HOST)).statusCode, 404);
  const page = await ask('/tracking?tracking_id=none', HOST);
  assert.deepEqual([page.statusCode, page.headers['content-type']], [404, 'text/html; charset=utf-8']);
  assert.equal((await ask('/tracking/favicon', HOST)).statusCode, 200);
});

test('an account that has the host of BASE_URL as its tracking host takes nothing away from the service', async (t) => {
  const service = await givenOwnApp({ env: { BASE_URL: `https://${HOST}`, TRACKING_URL: 'https://track.example' } });
  t.after(() => service.close());
  const { db, trackingSites } = service.service.deps;
  await saveBranding(db, service.accountId, { trackingHost: HOST }, service.now());
  await sql`update brandings set tracking_host_verified_at = now()`.execute(db);
  await trackingSites.refresh();
  assert.equal((await service.get('/account/orders', {}, { host: HOST })).status, 200);
  assert.equal((await service.get('/console', {}, { host: HOST })).status, 200);
});

test('an unverified host says at / that it is being set up, proves itself, and returns 404 elsewhere', async () => {
  const host = 'track.new.example';
  const { db, trackingSites } = app.service.deps;
  const other = await app.givenClient();
  await saveBranding(db, other.accountId, { displayName: 'New', trackingHost: host }, app.now());
  await trackingSites.refresh();
  const front = await ask('/', host);
  assert.deepEqual([front.statusCode, front.headers['content-type']], [200, 'text/html; charset=utf-8']);
  assert.match(front.body, /being set up/);
  assert.equal((await ask('/tracking/host?challenge=kJ8dV2mQ0xT5aZ3n', host)).statusCode, 200);
  for (const url of [
    '/tracking?tracking_id=none',
    '/tracking/favicon',
    '/checkout/none',
    '/console',
    '/openapi.json',
    '/docs',
  ]) {
    assert.equal((await ask(url, host)).statusCode, 404, url);
  }
  assert.ok(!trackingSites.siteOf(other.accountId).siteUrl.includes(host));
});

test('every node serves a host as an account’s own as soon as it is set, verified or taken back: by notice, not by a poll', async (t) => {
  const node = await app.givenNode('api');
  t.after(() => node.close());
  const { db } = app.service.deps;
  const { accountId } = await app.givenClient();
  const host = 'track.noticed.example';
  const siteAt = (service: typeof node) => {
    const own = service.deps.trackingSites.ownHosts().get(host);
    return own ? own.isVerified : 'none';
  };
  const isSeen = (state: boolean | 'none') => [node, app.service].every((service) => siteAt(service) === state);
  // Three polls would take longer than these deadlines together.
  const seen = (state: boolean | 'none') => until(`both nodes see ${state}`, () => isSeen(state));
  await saveBranding(db, accountId, { trackingHost: host }, app.now());
  await seen(false);
  const { statusCode } = await node.http.inject({ url: '/openapi.json', headers: { host } });
  assert.equal(statusCode, 404);
  await recordHostCheck(db, { accountId, host, verifiedAt: app.now() }, app.now());
  await seen(true);
  await saveBranding(db, accountId, { trackingHost: null }, app.now());
  await seen('none');
});
