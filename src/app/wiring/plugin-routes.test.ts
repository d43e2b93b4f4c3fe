import assert from 'node:assert/strict';
import { test } from 'node:test';
import { givenOwnApp } from '../../../test/harness.ts';
import { ConfigError } from '../../platform/config/config.ts';
import { systemClock } from '../../platform/lib/clock.ts';
import { definePlugin, type PluginRoute, type PolledTickets } from '../adapters/plugin.ts';
import { OWN } from './load-plugins.ts';
import { openRoutes } from './open-plugins.ts';
import { readSettings } from './read-settings.ts';

const NO_TICKETS: PolledTickets = {
  poll: async () => undefined,
  take: async () => undefined,
  printed: async () => {},
  failed: async () => {},
};

const bell = (routes: readonly Partial<PluginRoute>[]) => {
  const open = async () => routes as PluginRoute[];
  const plugin = definePlugin({ name: 'bell', version: '1.0.0', api: 1, routes: [{ name: 'bell', open }] });
  return { ...OWN, all: [...OWN.all, plugin] };
};

const ROUTES: readonly PluginRoute[] = [
  {
    method: 'POST',
    path: '/doors/:door/ring',
    handle: async ({ params, query, body, headers }) => ({
      status: 202,
      type: 'text/plain; charset=utf-8',
      body: `${params.door} ${query.n} ${headers['content-type']} ${body.toString('hex')}`,
    }),
  },
  { method: 'GET', path: '/tone', handle: async () => ({ type: 'audio/wav', body: Uint8Array.of(1, 2) }) },
  { method: 'DELETE', path: '/tone', handle: async () => ({}) },
  { method: 'GET', path: '/broken', handle: () => Promise.reject(new TypeError('secret')) },
  { method: 'GET', path: '/wrong', handle: async () => ({ status: 500 }) },
];

test('routes of a plug-in answer below its name, with the parameters and every byte of the request', async (t) => {
  const app = await givenOwnApp({ plugins: bell(ROUTES), env: { LOG_LEVEL: 'silent', RATE_LIMIT_PER_MINUTE: '60' } });
  t.after(() => app.close());
  const url = await app.service.listen();
  const ring = (body: string | Buffer, type: string) =>
    fetch(`${url}/plugins/bell/doors/a%2Fb/ring?n=1&n=2`, { method: 'POST', body, headers: { 'content-type': type } });
  await t.test('a body of any type arrives unparsed', async () => {
    for (const type of ['text/xml', 'application/json', 'application/x-www-form-urlencoded']) {
      const answer = await ring(Buffer.of(0, 255, 123), type);
      assert.deepEqual([answer.status, await answer.text()], [202, `a/b 2 ${type} 00ff7b`]);
    }
  });
  await t.test('bytes are sent with their type; an answer may be empty', async () => {
    const tone = await fetch(`${url}/plugins/bell/tone`);
    assert.equal(tone.headers.get('content-type'), 'audio/wav');
    assert.deepEqual([...new Uint8Array(await tone.arrayBuffer())], [1, 2]);
    const removed = await fetch(`${url}/plugins/bell/tone`, { method: 'DELETE' });
    assert.deepEqual([removed.status, await removed.text()], [200, '']);
  });
  await t.test('a route that throws or answers a status of 500 or more is unavailable, and says nothing', async () => {
    for (const path of ['broken', 'wrong']) {
      const answer = await fetch(`${url}/plugins/bell/${path}`);
      assert.equal(answer.status, 503);
      assert.doesNotMatch(await answer.text(), /secret|TypeError/);
    }
  });
  await t.test('bodies, unknown paths and requests are bounded as without a key', async () => {
    assert.equal((await ring('x'.repeat(16 * 1024 + 1), 'text/plain')).status, 413);
    assert.equal((await fetch(`${url}/plugins/bell/nothing`)).status, 404);
    const { http } = app.service;
    const statuses = new Set<number>();
    for (let n = 0; n < 70; n += 1)
      statuses.add((await http.inject({ url: '/plugins/bell/tone', remoteAddress: '198.41.0.4' })).statusCode);
    assert.deepEqual([...statuses], [200, 429]);
  });
});

test('a route whose method or path cannot be one stops the start with its plug-in', async () => {
  const { handle } = ROUTES[1] ?? assert.fail();
  for (const [method, path] of [
    ['PATCH', '/a'],
    ['GET', 'a'],
    ['GET', '/../a'],
    ['GET', '/*'],
  ] as const) {
    const config = readSettings({}, bell([{ method: method as 'GET', path, handle }]));
    await assert.rejects(
      openRoutes({ config, clock: systemClock }, NO_TICKETS),
      (error) =>
        error instanceof ConfigError &&
        error.message === `Plug-in bell has the route ${method} ${path}, which cannot be one.`,
    );
  }
});
