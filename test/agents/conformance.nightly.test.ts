// covers: src/surfaces/agents/mcp*, test/agents/package/*
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { installApart } from '../apart-packages.ts';
import { givenFolder } from '../given/folder.ts';
import { type App, givenApp } from '../harness.ts';
import manifest from './package/package.json' with { type: 'json' };

const SUITE = 'node_modules/@modelcontextprotocol/conformance/dist/index.js';
const PACKAGE = join(import.meta.dirname, './package');

let app: App;
const folder = givenFolder('doorstep-conformance');
let door: ReturnType<typeof createServer>;
before(async () => {
  app = await givenApp();
  door = await givenDoor(await app.service.listen(), app.key);
});
after(async () => {
  door.close();
  await app.close();
});

/** Forwards requests with an API key, because the suite sends none; all other headers are unchanged. */
async function givenDoor(target: string, key: string) {
  const server = createServer((incoming, outgoing) => {
    const { method, url = '/', headers } = incoming;
    const passed = request(new URL(url, target), { method, headers: { ...headers, 'id-token': key } }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on('error', () => outgoing.destroy());
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return server;
}

/** The revisions with requirements that the suite has, each with scenarios that it passes. */
const REVISIONS = {
  '2026-07-28': ['tools-list', 'dns-rebinding-protection', 'input-required-result-validate-input'],
  '2025-11-25': ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection'],
};

for (const [revision, offered] of Object.entries(REVISIONS)) {
  test(`the conformance suite passes ${revision}'s requirements for every offered capability`, async (t) => {
    const url = `http://localhost:${(door.address() as AddressInfo).port}/mcp`;
    // The suite's scenarios that do not apply, each with its reason.
    const notOffered = `test/agents/not-offered-${revision}.yaml`;
    const given = ['server', '--url', url, '--requirements', revision, '--expected-failures', notOffered];
    const results = join(folder, revision);
    const suite = join(installApart(PACKAGE), SUITE);
    const { stdout } = await run(process.execPath, [suite, ...given, '--output-dir', results]).catch((error) =>
      assert.fail(`${error.stdout}\n${error.stderr}`.slice(-6000)),
    );
    for (const scenario of offered) assert.match(stdout, new RegExp(`✓ ${scenario}: [1-9]\\d* passed, 0 failed`));
    assert.deepEqual(
      faultsIn(results).filter((fault) => !/^(Not testable|\S+ returned JSON-RPC error -32601)/.test(fault)),
      [],
    );
    t.diagnostic(stdout.slice(stdout.lastIndexOf('=== ')));
  });
}

const run = (file: string, given: readonly string[]) => promisify(execFile)(file, given, { maxBuffer: 2 ** 26 });

/** What failed of scenarios that a server passes in part. */
function faultsIn(results: string): string[] {
  const parts = readdirSync(results).filter((name) => /^server-(server-stateless|caching)-/.test(name));
  const checks = parts.flatMap((name) => JSON.parse(readFileSync(join(results, name, 'checks.json'), 'utf8')));
  return checks.flatMap(({ status, errorMessage }) => (status === 'FAILURE' ? [String(errorMessage)] : []));
}

const MAX_AGE_MS = 60 * 24 * 3_600_000;

test('no newer version of the suite has been out for 60 days', async (t) => {
  const name = '@modelcontextprotocol/conformance';
  const view = ['view', name, 'time', '--json', '--fetch-retries=0', '--fetch-timeout=20000'];
  const found = await run('npm', view).catch(() => undefined);
  if (!found) return t.skip('npm cannot read when the versions of the suite were published');
  const published = new Map(
    Object.entries<string>(JSON.parse(found.stdout)).map(([version, at]) => [
      version,
      Temporal.Instant.from(at).epochMilliseconds,
    ]),
  );
  for (const meta of ['created', 'modified']) published.delete(meta);
  const pinnedMs = published.get(manifest.dependencies[name]) ?? assert.fail('the version is not published');
  const old = [...published].filter(
    ([, ms]) => ms > pinnedMs && Temporal.Now.instant().epochMilliseconds - ms > MAX_AGE_MS,
  );
  assert.deepEqual(old, [], `update ${name} in test/agents/package`);
});
