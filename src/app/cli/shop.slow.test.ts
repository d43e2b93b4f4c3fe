import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { givenBrowser, openPage } from '../../../test/browser/browser.ts';
import { pizzeria } from '../../../test/feed-lines.ts';
import { findOlderNode, freePort, runCommand, startProgram } from '../../../test/given/command.ts';
import { givenStores } from '../../../test/given/stores.ts';
import { givenApp } from '../../../test/harness.ts';
import { issuePublishableKey } from '../../access/accounts/issue-key.flow.ts';

const app = await givenApp();
const folder = join(mkdtempSync(join(tmpdir(), 'doorstep-eject-')), 'shop');
after(async () => {
  await app.close();
  rmSync(join(folder, '..'), { recursive: true });
});

const VITE = 'node_modules/vite/bin/vite.js';

test('an ejected shop is a project that builds with this Node.js and an older one, and sells from its own origin', async (t) => {
  const ejected = await runCommand(['shop', 'eject', folder], {});
  assert.deepEqual([ejected.status, ejected.stderr], [0, '']);
  const again = await runCommand(['shop', 'eject', folder], {});
  assert.deepEqual([again.status, /is not empty/.test(again.stderr)], [1, true]);

  const [storeId] = await givenStores(app, [pizzeria()]);
  const { latitude, longitude } = pizzeria();
  const { key } = await issuePublishableKey(app.service.deps.db, app.accountId, 'sandbox', app.now(), []);
  const settings = {
    apiBase: await app.service.listen(),
    publishableKey: key,
    language: 'fr',
    brand: { name: 'Chez nous' },
    near: { address: 'New York', latitude, longitude },
    storeIds: null,
  };
  const file = join(folder, 'settings.ts');
  const [head] = readFileSync(file, 'utf8').split('= {');
  writeFileSync(file, `${head}= ${JSON.stringify(settings)};\n`);

  try {
    await promisify(execFile)('npm', ['install', '--no-audit', '--no-fund', '--prefix', folder], { cwd: folder });
  } catch (error) {
    if (/EAI_AGAIN|ENOTFOUND|ECONNREFUSED/.test(String(error))) return t.skip('no package registry is reachable');
    throw error;
  }
  for (const node of [process.execPath, findOlderNode()]) {
    if (node === undefined) continue;
    const built = await startProgram(node, [VITE, 'build'], {}, { cwd: folder }).finished;
    assert.equal(built.status, 0, built.stderr);
    assert.match(built.stdout, /dist\/index\.html/);
  }

  const browser = await givenBrowser(t);
  if (!browser) return;
  const port = await freePort();
  const preview = startProgram(
    process.execPath,
    [VITE, 'preview', '--port', port, '--host', '127.0.0.1'],
    {},
    { cwd: folder },
  );
  t.after(() => preview.child.kill());
  await preview.printed(/127\.0\.0\.1/);
  const { page, faults, close } = await openPage(browser, `http://127.0.0.1:${port}/`);
  await page.locator(`a[href$="${storeId}"]`).first().click();
  await page.locator('h1', { hasText: String(pizzeria().name) }).waitFor();
  await page.getByText('Soda').first().waitFor();
  assert.equal(await page.locator('html').getAttribute('lang'), 'fr');
  await page.goto(`http://127.0.0.1:${port}/orders`);
  await page.locator('h1', { hasText: 'commandes' }).waitFor();
  assert.deepEqual(faults, []);
  await close();
});
