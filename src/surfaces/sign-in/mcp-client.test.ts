import assert from 'node:assert/strict';
import { test } from 'node:test';
import { givenOfficialClient } from '../../../test/given/official-client.ts';
import { givenPizzeria } from '../../../test/given/pizzeria.ts';
import { givenBrowser, givenSignInHost, REDIRECT } from '../../../test/given/sign-in.ts';
import { givenApp } from '../../../test/harness.ts';

test('the official client of MCP signs a customer in by the address alone, and calls tools', async (t) => {
  const shop = await givenPizzeria(() => givenApp({ env: { TRACKING_URL: 'https://track.example' } }));
  t.after(() => shop.close());
  const agent = givenOfficialClient(shop, await givenSignInHost(shop), REDIRECT);
  const { pathname, search } = await agent.begin();
  const ana = givenBrowser(shop);
  await ana.signIn(pathname + search);
  assert.ok([...ana.cookies.keys()].every((name) => name.startsWith('__Host-')));
  await agent.finish((await ana.submit(pathname + search, { step: 'allow' })).location);
  const { tools } = await agent.client.listTools();
  assert.ok(tools.some(({ name }) => name === 'list_orders'));
  const orders = await agent.client.callTool({ name: 'list_orders', arguments: {} });
  assert.deepEqual(orders.structuredContent, { orders: [] });
  await agent.client.close();
});
