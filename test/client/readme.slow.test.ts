import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { prepareDemo } from '../../src/app/cli/prepare-demo.ts';
import { findOlderNode } from '../given/command.ts';
import { type App, givenApp } from '../harness.ts';
import { ROOT } from '../source-files.ts';
import { until } from '../until.ts';

const PACKAGE = join(ROOT, 'clients/typescript');
const NAMED_BLOCK = /^```ts\n\/\/ ([\w-]+\.ts)\n([\s\S]*?)^```$/gm;
/** The strictest compiler settings of an app; they also check the package's declarations. */
const APP_SETTINGS = {
  compilerOptions: {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    target: 'ES2022',
    module: 'NodeNext',
    lib: ['ES2022', 'DOM', 'DOM.Iterable'],
    types: ['node'],
    noEmit: true,
    allowImportingTsExtensions: true,
    verbatimModuleSyntax: true,
  },
};

const run = promisify(execFile);
let folder: string;
let app: App;
let env: Record<string, string>;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'doorstep-app-'));
  app = await givenApp({ env: { DATA_DIR: join(folder, 'data'), SANDBOX_PACE: '15' } });
  const { key } = await prepareDemo(app.service, app.config);
  env = { PATH: process.env.PATH ?? '', HOME: folder, DOORSTEP_URL: await app.service.listen(), DOORSTEP_KEY: key };
});
after(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

/** Packs the package and installs it in an otherwise empty app. */
async function givenAppFolder(): Promise<string> {
  const { stdout } = await run('npm', ['pack', PACKAGE, '--json', '--pack-destination', folder], { cwd: folder });
  rmSync(join(PACKAGE, 'dist'), { recursive: true });
  const [{ filename, files }] = JSON.parse(stdout.slice(stdout.indexOf('[')));
  const paths = (files as { path: string }[]).map(({ path }) => path).filter((path) => !path.startsWith('dist/'));
  assert.deepEqual(paths.toSorted(), ['LICENSE', 'README.md', 'package.json']);
  const home = join(folder, 'app');
  mkdirSync(home);
  writeFileSync(join(home, 'package.json'), JSON.stringify({ name: 'app', private: true, type: 'module' }));
  writeFileSync(join(home, 'tsconfig.json'), JSON.stringify(APP_SETTINGS));
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', join(folder, filename)], { cwd: home });
  assert.deepEqual(
    readdirSync(join(home, 'node_modules')).filter((name) => !name.startsWith('.')),
    ['doorstep-client'],
  );
  symlinkSync(join(ROOT, 'node_modules/@types'), join(home, 'node_modules/@types'));
  return home;
}

/** The output of an app's program. Once the program reports an order, the sandbox's store and courier act on it. */
async function outputOf(home: string, program: string, node = process.execPath): Promise<string> {
  const child = spawn(node, [program], { cwd: home, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  let status: number | null | undefined;
  child.on('close', (code) => {
    status = code;
  });
  await until(`${program} ends`, async () => {
    if (/^order [A-Z]/m.test(output)) await app.advance({ seconds: 20 });
    return status !== undefined;
  });
  assert.equal(status, 0, output);
  return output;
}

test('an app installs the package and runs every block of its README against the demo, types checked', async (t) => {
  const home = await givenAppFolder();
  const readme = readFileSync(join(PACKAGE, 'README.md'), 'utf8');
  const blocks = [...readme.matchAll(NAMED_BLOCK)].map(([, name = '', code = '']) => ({ name, code }));
  assert.equal(blocks.length, readme.match(/^```ts$/gm)?.length, 'every block has the name of its file');
  for (const { name, code } of blocks) writeFileSync(join(home, name), code);

  await t.test(
    'the strictest compiler has nothing to say, and knows a wrong field, a wrong code and a wrong type',
    async () => {
      const wrong = [
        `import { createClient, DoorstepError } from 'doorstep-client';`,
        `const client = createClient({ baseUrl: '', key: '' });`,
        `await client.orders.create({ items: [], pickup: true, tip: 3 });`,
        `const isGone = (error: DoorstepError) => error.code === 'gone';`,
        `for await (const step of client.orders.follow('o')) if (step.type === 'webhook.test') isGone(step as never);`,
      ];
      const tsc = () => run(join(ROOT, 'node_modules/.bin/tsc'), ['-p', home], { cwd: home });
      await tsc();
      writeFileSync(join(home, 'wrong.ts'), wrong.join('\n'));
      const { stdout } = await tsc().then(
        () => assert.fail('the compiler takes what is wrong'),
        (error: { stdout: string }) => error,
      );
      assert.deepEqual(
        [...stdout.matchAll(/^wrong\.ts\((\d+),/gm)].map(([, line]) => line),
        ['3', '4', '5'],
        stdout,
      );
      rmSync(join(home, 'wrong.ts'));
    },
  );

  await t.test('the oldest compiler that the package names checks its declarations', async (t) => {
    const { peerDependencies } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8'));
    const oldest = peerDependencies.typescript.replace('>=', '');
    assert.ok(readme.includes(`TypeScript ${oldest} or newer`), 'the README says so');
    const old = join(folder, 'old');
    mkdirSync(join(old, 'node_modules'), { recursive: true });
    symlinkSync(join(home, 'node_modules/doorstep-client'), join(old, 'node_modules/doorstep-client'));
    const npm = ['install', '--prefer-offline', '--no-audit', '--no-fund', '--prefix', join(folder, 'old-compiler')];
    try {
      await run('npm', [...npm, `typescript@~${oldest}.0`]);
    } catch (error) {
      if (/EAI_AGAIN|ENOTFOUND|ECONNREFUSED/.test(String(error))) return t.skip('no package registry is reachable');
      throw error;
    }
    const compilerOptions = { ...APP_SETTINGS.compilerOptions, types: [] };
    writeFileSync(join(old, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['app.ts'] }));
    writeFileSync(join(old, 'package.json'), '{ "type": "module" }');
    const program = `
      import { createClient } from 'doorstep-client';
      const client = createClient({ baseUrl: '', key: '' });
      export const photo: Uint8Array = await client.orders.proofPhoto('o');
      for await (const step of client.orders.follow('o')) console.log(step.data.order.status);`;
    writeFileSync(join(old, 'app.ts'), program);
    const tsc = join(folder, 'old-compiler/node_modules/typescript/bin/tsc');
    await run(process.execPath, [tsc, '-p', old]).catch(({ stdout }: { stdout: string }) => assert.fail(stdout));
  });

  await t.test('the ordering app searches, orders and follows to the door', async () => {
    const output = await outputOf(home, 'order.ts');
    assert.match(
      output,
      /^2 × .+ from Lantern & Rye Diner: \d+ cents\norder [A-Z]\d+, http.*\n1 order\.placed: awaiting/,
    );
    assert.match(output, /\n\d+ order\.completed: completed\n$/);
    const numbers = [...output.matchAll(/^(\d+) order\./gm)].map(([, number]) => Number(number));
    assert.deepEqual(
      numbers,
      numbers.map((_, index) => index + 1),
    );
  });

  await t.test('the history lists the order, and a declined card is named as such', async () => {
    assert.match(await outputOf(home, 'history.ts'), /^[A-Z]\d+ \d+\n$/);
    assert.equal(await outputOf(home, 'declined.ts'), 'Another card, please: generic_decline\n');
  });

  await t.test('the receiver of webhooks takes a signed call and refuses a forged one', async () => {
    const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
    const program = `
      import { createHmac } from 'node:crypto';
      import { receive } from './receive.ts';
      const timestamp = Math.floor(performance.timeOrigin / 1000);
      const body = '{"type":"order.completed","timestamp":"","data":{"sequence":7,"order":{"order_number":"A7"}}}';
      const signature = createHmac('sha256', Buffer.alloc(24, 7)).update('msg_1.' + timestamp + '.' + body).digest('base64');
      const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': timestamp, 'webhook-signature': 'v1,' + signature };
      for (const sent of [body, body + ' ']) {
        const answer = await receive(new Request('http://app.test/', { method: 'POST', headers, body: sent }), '${secret}');
        console.log(answer.status, await answer.text());
      }`;
    writeFileSync(join(home, 'calls.mjs'), program);
    assert.equal(await outputOf(home, 'calls.mjs'), 'order A7 has arrived\n204 \n400 wrong_signature\n');
  });

  await t.test('the oldest Node that the package takes runs it as plain JavaScript', async (t) => {
    const node = findOlderNode();
    if (node === undefined) return t.skip('this machine has no older Node');
    const program = `
      import { createClient, DoorstepError } from 'doorstep-client';
      const client = createClient({ baseUrl: process.env.DOORSTEP_URL, key: process.env.DOORSTEP_KEY });
      for await (const order of client.orders.list({ status: 'completed' })) console.log(order.status);
      const error = await client.orders.finalize('none').catch((error) => error);
      console.log(error instanceof DoorstepError, error.code);`;
    writeFileSync(join(home, 'older.mjs'), program);
    assert.equal(await outputOf(home, 'older.mjs', node), 'completed\ntrue order_not_found\n');
  });
});
