// covers: src/surfaces/sign-in/*.route.ts, test/agents/package/*
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { insertClient } from '../../src/access/customers/clients.db.ts';
import { installApart } from '../apart-packages.ts';
import { freePort } from '../given/command.ts';
import { givenBrowser, givenSignInHost } from '../given/sign-in.ts';
import { type App, givenApp } from '../harness.ts';

const SUITE = 'node_modules/@modelcontextprotocol/conformance/dist/index.js';
const PACKAGE = join(import.meta.dirname, './package');

let app: App;
let issuer: string;
let target = '';
/** Names the site by an address that the suite can reach, both ways. */
const door = createServer((incoming, outgoing) => {
  const { method, url = '/', headers } = incoming;
  const { host } = new URL(issuer);
  const passed = request(new URL(url, target), { method, headers: { ...headers, host } }, async (answer) => {
    const { 'content-length': _, ...shown } = answer.headers;
    outgoing.writeHead(answer.statusCode ?? 502, shown).end((await text(answer)).replaceAll(issuer, address()));
  });
  passed.on('error', () => outgoing.destroy());
  incoming.pipe(passed);
});
const address = () => `http://127.0.0.1:${(door.address() as AddressInfo).port}`;
before(async () => {
  await new Promise<void>((resolve) => void door.listen(0, '127.0.0.1', resolve));
  app = await givenApp();
  target = await app.service.listen();
  issuer = await givenSignInHost(app);
});
after(async () => {
  door.close();
  await app.close();
});

test('the metadata of the sign-in passes the conformance suite, without a warning', async () => {
  const suite = join(installApart(PACKAGE), SUITE);
  const given = ['authorization', '--url', address(), '--scenario', 'authorization-server-metadata-endpoint'];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [suite, ...given]).catch((error) =>
    assert.fail(`${error.stdout}\n${error.stderr}`.slice(-6000)),
  );
  assert.match(`${stdout}${stderr}`, /Passed: ([1-9]\d*)\/\1, 0 failed, 0 warnings/);
});

test('the code grant of a registered client passes the conformance suite', async () => {
  const port = await freePort();
  const registered = {
    name: 'Suite',
    redirectUris: [`http://127.0.0.1:${port}/callback`],
    secretHash: null,
    jwksUri: null,
  };
  await insertClient(
    app.service.deps.db,
    { ...registered, clientId: 'cli_suite', accountId: app.accountId },
    app.now(),
  );
  const customer = givenBrowser(app);
  await customer.signIn('/profile');
  const suite = join(installApart(PACKAGE), SUITE);
  const given = ['authorization', '--url', address(), '--client-id', 'cli_suite', '--port', String(port)];
  const running = spawn(process.execPath, [suite, ...given], { stdio: ['ignore', 'pipe', 'inherit'] });
  let shown = '';
  let isAllowed = false;
  for await (const chunk of running.stdout) {
    shown += chunk;
    const path = /https?:\/\/[^/\s]+(\/oauth\/authorize\?\S+)\n/.exec(shown)?.[1];
    if (path === undefined || isAllowed) continue;
    isAllowed = true;
    await customer.open(path);
    const { location } = await customer.submit(path, { step: 'allow' });
    await fetch(location.replace(encodeURIComponent(issuer), encodeURIComponent(address())));
  }
  assert.match(shown, /authorization-code-grant: [1-9]\d* passed, 0 failed|Passed: ([1-9]\d*)\/\1, 0 failed/, shown);
  assert.doesNotMatch(shown, /[1-9]\d* failed/);
});
