// covers: src/surfaces/agents/mcp*, src/surfaces/sign-in/*.route.ts
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { freePort } from '../given/command.ts';
import { givenPizzeria } from '../given/pizzeria.ts';
import { givenBrowser, givenSignInHost } from '../given/sign-in.ts';
import { givenApp } from '../harness.ts';

const PYTHON = process.env.PYTHON ?? 'python3';

test('the official Python client of MCP signs a customer in by the address alone, and calls tools', async (t) => {
  const found = spawnSync(PYTHON, ['-c', 'import mcp.client.client'], { encoding: 'utf8' });
  if (found.status !== 0) return t.skip('no Python with the package mcp 2: set PYTHON');
  const PORT = await freePort();
  const shop = await givenPizzeria(() => givenApp({ env: { PORT, BASE_URL: `http://localhost:${PORT}` } }));
  t.after(() => shop.close());
  await shop.service.listen();
  const issuer = await givenSignInHost(shop, 'sandbox', '127.0.0.1');
  const child = spawn(PYTHON, [join(import.meta.dirname, './sign_in.py'), `${issuer}/mcp`]);
  t.after(() => child.kill());
  let fault = '';
  child.stderr.on('data', (text) => {
    fault += text;
  });
  const closed = once(child, 'close');
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const next = async () => String((await lines.next()).value ?? assert.fail(fault));
  const { pathname, search } = new URL(await next());
  const ana = givenBrowser(shop, '127.0.0.1');
  await ana.signIn(pathname + search);
  const { location } = await ana.submit(pathname + search, { step: 'allow' });
  child.stdin.end(`${location}\n`);
  const { tools, orders } = JSON.parse(await next());
  assert.ok(tools.includes('list_orders'), tools);
  assert.deepEqual(orders, { orders: [] });
  assert.deepEqual([(await closed)[0], fault], [0, '']);
});
