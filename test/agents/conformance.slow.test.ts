import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { installApart } from '../apart-packages.ts';
import { type App, givenApp } from '../harness.ts';

const SUITE = 'node_modules/@modelcontextprotocol/conformance/dist/index.js';
const PACKAGE = join(import.meta.dirname, 'package');
/** The suite's scenarios that do not apply, each with its reason. */
const NOT_OFFERED = 'test/agents/not-offered.yaml';

let app: App;
let folder: string;
let door: ReturnType<typeof createServer>;
before(async () => {
  app = await givenApp();
  folder = mkdtempSync(join(tmpdir(), 'doorstep-conformance-'));
  door = await givenDoor(await app.service.listen(), app.key);
});
after(async () => {
  door.close();
  rmSync(folder, { recursive: true });
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

test('the conformance suite of the protocol passes, but for what is not offered', async (t) => {
  const url = `http://localhost:${(door.address() as AddressInfo).port}/mcp`;
  const given = [
    'server',
    '--url',
    url,
    '--suite',
    'active',
    '--expected-failures',
    NOT_OFFERED,
    '--output-dir',
    folder,
  ];
  const { stdout } = await promisify(execFile)(process.execPath, [join(installApart(PACKAGE), SUITE), ...given], {
    maxBuffer: 2 ** 26,
  }).catch((error) => assert.fail(`${error.stdout}\n${error.stderr}`.slice(-6000)));
  for (const scenario of ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection'])
    assert.match(stdout, new RegExp(`✓ ${scenario}: [1-9]\\d* passed, 0 failed`));
  t.diagnostic(stdout.slice(stdout.lastIndexOf('=== ')));
});
