import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import {
  type Env,
  freePort,
  givenDatabase,
  isInstalled,
  runCommand,
  runJson,
  startCommand,
  startProgram,
} from '../../../test/given/command.ts';
import { givenCommandHost } from '../../../test/given/command-host.ts';
import { givenFolder } from '../../../test/given/folder.ts';

const host = givenCommandHost();
after(() => host.close());

type Started = Awaited<ReturnType<typeof startDemo>>;

async function startDemo(env: Env) {
  const startedMs = performance.now();
  const command = startCommand(['demo'], { PORT: await freePort(), ...env });
  const text = (await command.printed(/Ctrl-C stops it\.\n/)).input;
  const tookMs = performance.now() - startedMs;
  const curl = /^ *(curl .*)$/m.exec(text)?.[1] ?? '';
  const url = /ready on (\S+)/.exec(text)?.[1] ?? '';
  return { ...command, text, tookMs, curl, url, key: /ds_test_[\w-]+/.exec(text)?.[0] ?? '' };
}

async function stop({ child, finished }: Started): Promise<void> {
  child.kill('SIGTERM');
  const { status, stderr } = await finished;
  assert.deepEqual([status, stderr], [0, '']);
}

/** Pastes the line into a shell, as a user does. */
async function paste(line: string) {
  const { status, stdout } = await startProgram('sh', ['-c', line.replace('curl', 'curl -s')], {}).finished;
  assert.equal(status, 0);
  return JSON.parse(stdout) as { stores: { name: string; is_open: boolean }[] };
}

/** Signs in with an access code; the cookie of the session, and the page that it opens elsewhere. */
async function signIn(url: string, code: string): Promise<{ cookie: string; opens: string | undefined }> {
  const headers = { 'content-type': 'application/json', origin: url };
  const reply = await fetch(`${url}/console/sign-in`, { method: 'POST', headers, body: JSON.stringify({ code }) });
  assert.equal(reply.status, 200);
  const cookie = reply.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const { headers: sent } = await fetch(`${url}/console`, { headers: { cookie }, redirect: 'manual' });
  return { cookie, opens: sent.get('location')?.split(/[?/]/).at(-1) };
}

test('the demo on DATABASE_URL', async (t) => {
  if (!isInstalled('curl')) return t.skip('curl is not installed');
  const { env, drop } = await givenDatabase();
  t.after(drop);
  const file = join(env.DATA_DIR ?? '', 'demo.json');
  let key = '';

  await t.test('its first start prints working links, a key and a search, without log lines', async () => {
    const demo = await startDemo({ ...env, METRICS_PORT: '0' });
    t.diagnostic(`first start ${Math.round(demo.tookMs)} ms`);
    const links = demo.text.match(/http:\S+\/(docs\/\S*|reference|openapi\.json|shop|console\S*)/gm) ?? [];
    assert.equal(links.length, 7);
    for (const link of links) assert.equal((await fetch(link)).status, 200, link);
    const { stores } = await paste(demo.curl);
    assert.ok(stores.length >= 2);
    assert.ok(stores.every((store) => store.is_open));
    assert.equal(statSync(file).mode & 0o777, 0o600);
    key = demo.key;
    const codes = [...demo.text.matchAll(/access code ([A-Z2-9-]{14})/g)].map(([, code = '']) => code);
    const sessions = await Promise.all(codes.map((code) => signIn(demo.url, code)));
    assert.deepEqual(
      sessions.map(({ opens }) => opens),
      ['sandbox', undefined, 'operator'],
    );
    assert.match(demo.text, /Store owner .*\/console .*: the live menu, hours, staff and statements of /);
    for (const path of ['', '/menu', '/staff', '/statements']) {
      const reply = await fetch(`${demo.url}/store${path}`, { headers: { cookie: sessions[1]?.cookie ?? '' } });
      assert.equal(reply.status, 200, `the owner's ${path}`);
    }
    const { body } = await host.runJson(['stores', 'list', '--source', 'demo'], env);
    const invited = await host.runCommand(['stores', 'invite', body.stores[0].store_id], env);
    const [link = ''] = /http:\S+/.exec(invited.stdout) ?? [];
    assert.deepEqual([link, (await fetch(link)).status], [`${demo.url}/console`, 200], 'a command knows its port');
    assert.equal((await host.runJson(['trigger', 'order.placed'], env)).status, 0);
    await stop(demo);
    assert.deepEqual(Object.keys(JSON.parse(readFileSync(file, 'utf8'))), ['account_id', 'key_id', 'key']);
  });

  await t.test('a later start prints the same key, and without PUBLIC_DOCS no link that returns 404', async () => {
    const demo = await startDemo({ ...env, PUBLIC_DOCS: 'false' });
    t.diagnostic(`later start ${Math.round(demo.tookMs)} ms`);
    assert.equal(demo.key, key);
    assert.ok((await paste(demo.curl)).stores.length > 0);
    const links = demo.text.match(/http:\S+\/(docs\/\S*|reference|openapi\.json|shop|console\S*)/gm) ?? [];
    assert.ok(links.length === 5 && !/\/docs|\/reference/.test(links.join()), links.join());
    for (const link of links) assert.equal((await fetch(link)).status, 200, link);
    await stop(demo);
    assert.equal((await host.runJson(['accounts', 'list'], env)).body.accounts.length, 1);
    assert.equal((await host.runJson(['stores', 'list', '--source', 'demo'], env)).body.stores.length, 96);
  });

  await t.test(
    'where the key is revoked, or its file lost, there is a new one of the same account; --json is one document',
    async () => {
      await host.runCommand(['keys', 'revoke', JSON.parse(readFileSync(file, 'utf8')).key_id], env);
      const revoked = await startDemo(env);
      assert.notEqual(revoked.key, key);
      assert.ok((await paste(revoked.curl)).stores.length > 0);
      await stop(revoked);
      rmSync(file);
      const PORT = await freePort();
      const { child, printed, finished } = startCommand(['demo', '--json'], { ...env, PORT, LOG_LEVEL: 'warn' });
      const document = JSON.parse((await printed(/^\{.*\}\n/))[0]);
      assert.deepEqual(Object.keys(document), ['url', 'account_id', 'key', 'links', 'codes', 'curl']);
      assert.ok(![key, revoked.key].includes(document.key));
      assert.ok((await paste(document.curl)).stores.length > 0);
      child.kill('SIGINT');
      const { status, stdout } = await finished;
      assert.equal(status, 0);
      assert.deepEqual(JSON.parse(stdout), document);
      assert.equal((await host.runJson(['accounts', 'list'], env)).body.accounts.length, 1);
    },
  );
});

test('the demo on the embedded database: commands and another service join it, and nothing stays behind', async (t) => {
  if (!isInstalled('curl')) return t.skip('curl is not installed');
  const DATA_DIR = givenFolder('doorstep-demo', t);
  const [demo, twin] = await Promise.all([startDemo({ DATA_DIR }), startDemo({ DATA_DIR })]);
  t.diagnostic(`two first starts at once ${Math.round(demo.tookMs)} and ${Math.round(twin.tookMs)} ms`);
  const { body } = await runJson(['accounts', 'list'], { DATA_DIR });
  assert.equal(body.accounts.length, 1, 'two first starts at once make one account');
  for (const each of [demo, twin]) assert.ok((await paste(each.curl)).stores.length > 0);
  await stop(demo);
  assert.ok((await paste(twin.curl)).stores.length > 0, 'the other service goes on');
  await stop(twin);
  assert.ok(!existsSync(join(DATA_DIR, 'postgres/data/postmaster.pid')), 'the last one stopped the database');
  const alone = await runCommand(['keys', 'list', '--json'], { DATA_DIR });
  assert.equal(alone.status, 0);
  assert.ok(!existsSync(join(DATA_DIR, 'postgres/data/postmaster.pid')), 'a command stops what it started');
});
