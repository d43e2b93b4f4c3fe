import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { bindPlatform } from '../../src/surfaces/ucp/platforms.db.ts';
import { freePort } from '../given/command.ts';
import { ROOT } from '../source-files.ts';
import { givenFoodApp, givenFoodFixture } from './given-food.ts';

const AGENT = join(ROOT, 'examples/ucp-agent/agent.ts');

test('an agent that is given only a domain finds a store, orders and tracks', async (t) => {
  const app = await givenFoodApp();
  t.after(() => app.close());
  await givenFoodFixture(app);
  await app.bind('terms');
  const port = await freePort();
  const profileUrl = `http://127.0.0.1:${port}/profile`;
  const platform = { profileUrl, accountId: app.accountId, mode: 'sandbox', orders: 'place' } as const;
  await bindPlatform(app.service.deps.db, platform, app.now());
  const run = async (...more: string[]) => {
    const args = [AGENT, app.url, '--listen', port, '--profile', profileUrl, '--want', 'pie', ...more];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    const parts: string[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => parts.push(String(part)));
    const status = await new Promise<number | null>((done) => child.on('close', done));
    return { status, text: parts.join('') };
  };
  const placed = await run('--token', 'tok_visa');
  assert.equal(placed.status, 0, placed.text);
  const [, link = ''] = /^Order \S+: (\S+)$/m.exec(placed.text) ?? [];
  const page = await fetch(link);
  assert.equal(page.status, 200);
  assert.match(await page.text(), /Test Pizzeria|Other Pizzeria/);
  assert.doesNotMatch(readFileSync(AGENT, 'utf8'), /['"`]\/ucp\//, 'it knows no path of ours');
  assert.ok(readFileSync(AGENT, 'utf8').split('\n').length <= 200);
});
