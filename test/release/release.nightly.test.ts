// covers: test/release/*, runtime/*
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { type Env, findOlderNode, freePort, givenDatabase, startProgram } from '../given/command.ts';
import { linkPackages } from '../given/packed-service.ts';
import { ROOT } from '../source-files.ts';
import { checkVersion, releaseChangelog } from './version-files.ts';

const PROGRAM = join(ROOT, 'test/release/run.ts');
const OWN = [
  ...'test/release package.json package-lock.json CHANGELOG.md .gitignore bin clients demo deploy docs'.split(' '),
  ...'migrations packages plugins runtime src test/contracts web'.split(' '),
];
const ENV = {
  ...process.env,
  GIT_AUTHOR_NAME: 'Release',
  GIT_AUTHOR_EMAIL: 'release@example.com',
  GIT_COMMITTER_NAME: 'Release',
  GIT_COMMITTER_EMAIL: 'release@example.com',
};

let folder: string;
let clone: string;
const git = (...args: string[]) => execFileSync('git', args, { cwd: clone, env: ENV, encoding: 'utf8' }).trim();
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'doorstep-release-'));
  clone = join(folder, 'clone');
  execFileSync('git', ['clone', '--quiet', '--shared', '--no-tags', ROOT, clone]);
  // Includes uncommitted changes.
  execFileSync('cp', ['-r', '--parents', ...OWN, clone], { cwd: ROOT });
  writeFileSync(join(clone, 'CHANGELOG.md'), '# Changelog\n\n## Unreleased\n\n- An entry.\n');
  linkPackages(clone);
  git('add', '--all', '--', ...OWN, 'CHANGELOG.md');
  git('commit', '--quiet', '--allow-empty', '--message', 'as it is here');
});
after(() => rmSync(folder, { recursive: true }));

const read = (file: string) => readFileSync(join(clone, file), 'utf8');
const versionOf = (file: string) => JSON.parse(read(file)).version;
const release = (...args: string[]) =>
  spawnSync(process.execPath, [PROGRAM, ...args], { cwd: clone, env: ENV, encoding: 'utf8' });
const PAGE = 'https://git.example/org/doorstep';
const REPOSITORY = ['--repository', PAGE];

test('a dry run says what it would do, and changes nothing', () => {
  const before = git('rev-parse', 'HEAD');
  const { status, stdout, stderr } = release('7.8.9', '--dry-run', ...REPOSITORY);
  assert.equal(status, 0, stderr);
  for (const file of ['package.json', 'package-lock.json', 'CHANGELOG.md', 'clients/typescript/package.json'])
    assert.ok(stdout.includes(`would write ${file}\n`), stdout);
  assert.deepEqual([git('rev-parse', 'HEAD'), git('status', '--porcelain'), git('tag')], [before, '', '']);
});

test('a release is refused with a message: no version, an older version, no tests, uncommitted changes', () => {
  const cases: [string[], RegExp][] = [
    [[], /npm run release -- X\.Y\.Z/],
    [['seven'], /"seven" is no version/],
    [['0.0.1', '--tests-passed'], /0\.0\.1 does not come after/],
    [['7.8.9', ...REPOSITORY], /--tests-passed/],
    [['7.8.9', '--tests-passed'], /names no repository. Say --repository https/],
    [['7.8.9', '--dry-run', '--repository', 'git@git.example:org/doorstep'], /is no repository such as https/],
    [['7.8.9', '--tests-passed', '--date', 'today'], /"today" is no date/],
  ];
  for (const [args, sentence] of cases) {
    const { status, stderr } = release(...args);
    assert.equal(status, 1, args.join(' '));
    assert.match(stderr, sentence);
  }
  appendFileSync(join(clone, 'README.md'), '\n');
  assert.match(release('7.8.9', '--tests-passed').stderr, /changes that are not committed:\nM README\.md/);
  git('checkout', '--', 'README.md');
  assert.equal(git('tag'), '');
});

test('a release writes its version, dates its changes, commits, tags and packs, and pushes nothing', () => {
  const changes = read('CHANGELOG.md');
  const out = join(folder, 'packed');
  const { status, stdout, stderr } = release(
    ...['7.8.9', '--tests-passed', '--date', '2026-11-21', '--out', out],
    ...['--repository', `${PAGE}.git`],
  );
  assert.equal(status, 0, stderr);
  for (const file of ['package.json', 'package-lock.json', 'clients/typescript/package.json'])
    assert.equal(versionOf(file), '7.8.9', file);
  assert.equal(JSON.parse(read('package-lock.json')).packages[''].version, '7.8.9');
  const linksOf = (text: string) => {
    const { homepage, repository, bugs } = JSON.parse(text);
    return { homepage, repository, bugs };
  };
  const links = {
    homepage: `${PAGE}#readme`,
    repository: { type: 'git', url: `git+${PAGE}.git` },
    bugs: { url: `${PAGE}/issues` },
  };
  assert.deepEqual(linksOf(read('package.json')), links);
  const repository = { ...links.repository, directory: 'clients/typescript' };
  assert.deepEqual(linksOf(read('clients/typescript/package.json')), { ...links, repository });
  const inPackage = ['-xzOf', join(out, 'doorstep-7.8.9.tgz'), 'package/package.json'];
  assert.deepEqual(linksOf(execFileSync('tar', inPackage, { encoding: 'utf8' })), links);
  assert.ok(read('CHANGELOG.md').startsWith('# Changelog\n\n## Unreleased\n\n## 7.8.9 - 2026-11-21\n\n- '));
  assert.equal(read('CHANGELOG.md').length, changes.length + '\n\n## 7.8.9 - 2026-11-21'.length);
  assert.equal(git('cat-file', '-t', 'v7.8.9'), 'tag');
  assert.deepEqual(
    [git('log', '-1', '--format=%s'), git('rev-parse', 'v7.8.9^{commit}'), git('status', '--porcelain')],
    ['release: 7.8.9', git('rev-parse', 'HEAD'), ''],
  );
  assert.equal(execFileSync('git', ['tag', '--list', 'v7.8.9'], { cwd: ROOT, encoding: 'utf8' }), '');
  const sums = readFileSync(join(out, 'SHA256SUMS'), 'utf8').trim().split('\n');
  assert.deepEqual(
    sums.map((line) => line.split('  ')[1]),
    ['doorstep-7.8.9.tgz', 'doorstep-client-7.8.9.tgz'],
  );
  for (const line of sums) {
    const [digest, name = ''] = line.split('  ');
    assert.equal(
      createHash('sha256')
        .update(readFileSync(join(out, name)))
        .digest('hex'),
      digest,
    );
    assert.ok(stdout.includes(line));
  }
  const packed = execFileSync('tar', ['-tzf', join(out, 'doorstep-7.8.9.tgz')], { encoding: 'utf8' });
  for (const file of [
    'dist/bin/doorstep',
    'dist/src/app/wiring/service.js',
    'dist/migrations',
    'dist/docs/orders.md',
    'dist/web/docs/page.css',
    'LICENSE',
  ])
    assert.ok(packed.includes(`package/${file}`), file);
  const own = packed.replace(/^package\/node_modules\/.*\n/gm, '');
  // Includes only the tests' port contracts, for tests of plug-ins.
  assert.doesNotMatch(
    own,
    /\.test\.[jt]s$|package\/(dist\/)?(test\/(?!contracts\/)|bench\/|node_modules\/|\.data\/)|\.orig$/m,
  );
  // Node.js strips no types below `node_modules`; `doorstep shop eject` writes sources of pages.
  assert.doesNotMatch(own, /^package\/(?!dist\/web\/).*(?<!\.d)\.ts$/m);
  assert.ok(!existsSync(join(clone, 'clients/typescript/dist/main.test.js')));
});

test('the package has its packages, and a lock file with the hash and version that package-lock.json has of each', () => {
  const unpacked = join(folder, 'unpacked');
  mkdirSync(unpacked);
  const file = join(folder, 'packed/doorstep-7.8.9.tgz');
  execFileSync('tar', ['-xzf', file, '-C', unpacked, '--strip-components=1']);
  const json = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
  const { packages: locked } = json(join(ROOT, 'package-lock.json'));
  const { packages } = json(join(unpacked, 'npm-shrinkwrap.json'));
  const { '': manifest, ...shrunk } = packages;
  assert.deepEqual(manifest, json(join(unpacked, 'package.json')));
  for (const [path, { version, integrity, engines }] of Object.entries<Record<string, unknown>>(shrunk)) {
    assert.deepEqual([version, integrity], [locked[path].version, locked[path].integrity], path);
    assert.equal(engines !== undefined, path.slice('node_modules/'.length) in manifest.optionalDependencies, path);
  }
  const served = Object.keys(locked).filter(
    (path) => /^node_modules/.test(path) && !locked[path].dev && !locked[path].link,
  );
  assert.deepEqual(Object.keys(shrunk).sort(), served.sort());
  const bundled = globSync('node_modules/{@*/*,[!@]*}/package.json', { cwd: unpacked });
  for (const path of bundled) assert.equal(json(join(unpacked, path)).version, locked[dirname(path)].version, path);
  for (const name of Object.keys(manifest.dependencies))
    assert.equal(bundled.includes(`node_modules/${name}/package.json`), !/^(esbuild|sharp)$/.test(name), name);
});

test('the package is installed in an empty folder and runs there, by an older Node too', async (t) => {
  const nodes = [process.execPath, findOlderNode()].filter((node) => node !== undefined);
  for (const node of nodes) {
    await t.test(execFileSync(node, ['--version'], { encoding: 'utf8' }).trim(), async (t) => {
      const home = mkdtempSync(join(folder, 'installed-'));
      const env = { PATH: `${dirname(node)}:/usr/local/bin:/usr/bin:/bin`, PORT: await freePort() };
      const run = (program: string, ...args: string[]) => startProgram(program, args, env, { cwd: home });
      const file = join(folder, 'packed/doorstep-7.8.9.tgz');
      const install = ['install', '--prefer-offline', '--no-audit', '--no-fund', file];
      const installed = await startProgram(
        'npm',
        install,
        { ...networkSettings(), ...env },
        { cwd: home, timeout: 600_000 },
      ).finished;
      if (/EAI_AGAIN|ENOTFOUND|ECONNREFUSED/.test(installed.stderr)) return t.skip('no package registry is reachable');
      assert.equal(installed.status, 0, installed.stderr);
      assert.doesNotMatch(installed.stderr, /EBADENGINE/);
      const version = await run('npx', 'doorstep', '--version').finished;
      assert.equal(version.status, 0, version.stderr);
      assert.match(version.stdout, /^7\.8\.9 \([0-9a-f]{12}\)\n$/);

      const { child, printed, finished } = run(join(home, 'node_modules/.bin/doorstep'), 'demo', '--json');
      t.after(() => child.kill());
      const [, url = ''] = await printed(/"url": ?"([^"]+)"/);
      for (const page of ['/docs/', '/reference/', '/console', '/tracking']) await assertPage(url + page);
      child.kill('SIGTERM');
      const { status, stderr } = await finished;
      assert.equal(status, 0, stderr);
      await t.test('plug-ins in TypeScript and in JavaScript are loaded, typed and tested', (t) =>
        usePlugins(t, home, env),
      );
      // An older Node hands off to the runtime, and goes on as the newer one does.
      if (node !== nodes.at(-1)) return;
      await t.test('its systemd units start it', (t) => startUnits(t, home, env));
    });
  }
});

/** Writes plug-ins beside the installed package: their types, a contract test by npm's Node, and the service with both. */
async function usePlugins(t: TestContext, home: string, env: Env): Promise<void> {
  for (const file of ['test/plugins/bike.ts', 'examples/plugins/pos/pos.ts'])
    copyFileSync(join(ROOT, file), join(home, basename(file)));
  const census = "geocoders: [{ name: 'town', open: async () => ({ geocode: async () => [] }) }]";
  writeFileSync(
    join(home, 'town.mjs'),
    `import { definePlugin } from 'doorstep/plugin';\nexport default definePlugin({ name: 'town', version: '2.0.0', api: 1, ${census} });\n`,
  );
  const settings = { ...env, BIKE_SECRET: 'bike-secret', GEOCODER: 'town' };
  const listed = await startProgram(
    join(home, 'node_modules/.bin/doorstep'),
    ['plugins', '--plugin', 'bike.ts', '--plugin', 'town.mjs', '--plugin', 'pos.ts', '--json'],
    settings,
    { cwd: home },
  ).finished;
  assert.equal(listed.status, 0, listed.stderr);
  const { plugins } = JSON.parse(listed.stdout);
  const stateOf = (name: string) => plugins.find((one: { name: string }) => one.name === name);
  assert.deepEqual(stateOf('bike').offers, [{ list: 'couriers', name: 'bike', chosen: null }]);
  assert.deepEqual(
    stateOf('pos').offers.map(({ list }: { list: string }) => list),
    ['printers', 'formats'],
  );
  assert.deepEqual(stateOf('town').offers, [{ list: 'geocoders', name: 'town', chosen: true }]);
  const without = { ...env, PLUGINS_OFF: 'stripe,census' };
  const left = await startProgram(join(home, 'node_modules/.bin/doorstep'), ['plugins', '--json'], without, {
    cwd: home,
  }).finished;
  const names = JSON.parse(left.stdout).plugins.map(({ name }: { name: string }) => name);
  assert.deepEqual(
    [names.includes('stripe'), names.includes('census'), names.includes('twilio')],
    [false, false, true],
  );
  writeFileSync(
    join(home, 'town.test.mjs'),
    `import { test } from 'node:test';
     import { keepsGeocoderContract } from 'doorstep/plugin-testing';
     import plugin from './town.mjs';
     test('town', async (t) => keepsGeocoderContract(t, { geocoder: await plugin.geocoders[0].open({}), known: undefined }));\n`,
  );
  const manifest = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
  writeFileSync(
    join(home, 'package.json'),
    JSON.stringify({ ...manifest, type: 'module', scripts: { test: 'node --test town.test.mjs' } }),
  );
  const tested = await startProgram('npm', ['test'], settings, { cwd: home }).finished;
  assert.equal(tested.status, 0, tested.stdout);
  const compilers = ['typescript@5.2.2', '@types/node@20'];
  const install = ['install', '--prefer-offline', '--no-audit', '--no-fund', ...compilers];
  const installed = await startProgram(
    'npm',
    install,
    { ...networkSettings(), ...env },
    { cwd: home, timeout: 600_000 },
  ).finished;
  assert.equal(installed.status, 0, installed.stderr);
  const strict = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--types', 'node'];
  const written = [...strict, 'bike.ts', 'pos.ts'];
  const typed = await startProgram(join(home, 'node_modules/.bin/tsc'), written, env, { cwd: home }).finished;
  t.diagnostic(typed.stdout);
  assert.equal(typed.status, 0, typed.stdout);
}

/** Runs each unit's command of the installed package, with /opt/doorstep being the folder of the installation. */
async function startUnits(t: TestContext, home: string, env: Env): Promise<void> {
  const database = await givenDatabase();
  t.after(() => database.drop());
  const units = join(home, 'node_modules/doorstep/dist/deploy/systemd');
  for (const unit of ['doorstep-migrate', 'doorstep-api@', 'doorstep-worker']) {
    const text = readFileSync(join(units, `${unit}.service`), 'utf8').replaceAll('/opt/doorstep', home);
    const [, page = ''] = /^Documentation=file:\/\/(.+)$/m.exec(text) ?? [];
    assert.ok(existsSync(page), page);
    const [program = '', ...args] = (/^ExecStart=(.+)$/m.exec(text)?.[1] ?? '').split(' ');
    const own = { METRICS_PORT: `127.0.0.1:${await freePort()}`, LOG_LEVEL: 'error' };
    const { child, printed, finished } = startProgram(program, args, { ...env, ...own, ...database.env });
    if (unit !== 'doorstep-migrate') {
      await printed(/^Doorstep is ready at/m);
      child.kill('SIGTERM');
    }
    const { status, stderr } = await finished;
    assert.deepEqual([status, stderr], [0, ''], unit);
  }
}

/** This machine's proxy and certificates for package registries. */
function networkSettings(): Record<string, string> {
  const settings = Object.entries(process.env).filter(([name]) => /_CERTS?$|CAFILE$|_PROXY$/i.test(name));
  return Object.fromEntries(settings.map(([name, value = '']) => [name, value]));
}

/** The page and its assets load, which shows that its scripts are in the package. */
async function assertPage(url: string): Promise<void> {
  const page = await (await fetch(url)).text();
  const loaded = [...page.matchAll(/ (?:src|href)="([^"]+\.(?:js|css|svg))"/g)].map(
    ([, path = '']) => new URL(path, url),
  );
  assert.ok(loaded.length > 1, page);
  for (const { href } of loaded) assert.equal((await fetch(href)).status, 200, href);
}

test('the same version is not released twice, and nothing without entries', () => {
  assert.match(release('7.8.9', '--tests-passed').stderr, /does not come after|tag v7\.8\.9/);
  assert.match(release('7.9.0', '--tests-passed').stderr, /nothing under "Unreleased"/);
});

test('a changelog section written ahead of its release gets its date and the later entries', () => {
  const ahead = '# Changelog\n\n## Unreleased\n\n- Later.\n\n## 0.1.0\n\n- Earlier.\n';
  const released = '# Changelog\n\n## Unreleased\n\n## 0.1.0 - 2026-11-21\n\n- Later.\n\n- Earlier.\n';
  assert.equal(releaseChangelog(ahead, '0.1.0', '2026-11-21'), released);
  assert.equal(
    releaseChangelog(ahead.replace('- Later.\n\n', ''), '0.1.0', '2026-11-21'),
    released.replace('- Later.\n\n', ''),
  );
});

test('versions follow each other as Semantic Versioning sorts them', () => {
  const sorted = ['0.1.0', '0.2.0-rc.1', '0.2.0-rc.2', '0.2.0-rc.10', '0.2.0', '0.10.0', '1.0.0'];
  for (const [n, version] of sorted.entries()) {
    for (const later of sorted.slice(n + 1)) checkVersion(version, later);
    for (const other of sorted.slice(0, n + 1))
      assert.throws(() => checkVersion(version, other), /does not come after/);
  }
  assert.throws(() => releaseChangelog('# Changelog\n', '1.0.0', '2026-11-21'), /no section/);
});
