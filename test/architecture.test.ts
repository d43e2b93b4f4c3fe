import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { importsOf, ROOT, runtimeImportsOf, SOURCES, textOf } from './source-files.ts';
import { roomOf, STAIRCASE, stepOf } from './staircase.ts';

const SUFFIX = /\.(db|route|job|page|hook|flow|cache|index)\.ts$/;
const MAX_FILES_IN_FOLDER = 45;
/** Rooms and files that wire or touch the world by their nature. */
const WIRING = /^src\/(cli|db|jobs|adapters|lib|http|wiring)\/|^src\/(service|app|routes|workers|config|openapi)\.ts$/;
const PURE_PACKAGES =
  /^(node:crypto|htmlparser2|opening_hours|@photostructure\/tz-lookup|libphonenumber-js(\/.*)?|typebox|lru-cache)$/;
/** Files of the ground that a pure file must not import: they touch the world. */
const IMPURE_GROUND =
  /^src\/(lib\/(clock|random-id|log|metrics|read-bytes|read-lines|read-parquet|slice|fetch-text)|http\/(close-http|drain-body|limit-reading|unreadable-request))\.ts$/;

const isPure = (file: string) => !SUFFIX.test(file) && !WIRING.test(file);
const isIndex = (file: string) => file.endsWith('.index.ts');
const isGround = (file: string) => /^src\/(lib|http)\//.test(file) && !IMPURE_GROUND.test(file);

test('a file imports from its own room and from lower rooms only, types included', () => {
  const faults = SOURCES.flatMap((file) =>
    importsOf(file)
      .filter(({ target }) => target.startsWith('src/') && stepOf(target) > stepOf(file))
      .map(({ target }) => `${file} (${roomOf(file)}) imports ${target} (${roomOf(target)})`),
  );
  assert.deepEqual(faults, []);
});

test('ARCHITECTURE.md shows the staircase that is held here', () => {
  const rows = textOf('ARCHITECTURE.md').matchAll(/^\| \d+ \| ([^|]+) \|/gm);
  const shown = [...rows].flatMap(([, rooms = '']) =>
    [...rooms.matchAll(/`(?:src\/)?([\w.]+)\/?`/g)].map(([, room]) => room),
  );
  assert.deepEqual(
    shown.filter((room) => STAIRCASE.some((known) => known === room)),
    [...STAIRCASE].reverse().filter((room) => room !== 'composition'),
  );
});

test('no files import each other in a circle at run time', () => {
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' → '));
    if (done.has(file) || path.includes(file)) return;
    for (const target of runtimeImportsOf(file)) if (target.startsWith('src/')) visit(target, [...path, file]);
    done.add(file);
  };
  for (const file of SOURCES) visit(file, []);
  assert.deepEqual(circles, []);
});

test(`no folder holds more than ${MAX_FILES_IN_FOLDER} source files`, () => {
  const counts = new Map<string, number>();
  for (const file of SOURCES) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  assert.deepEqual(
    [...counts].filter(([, count]) => count > MAX_FILES_IN_FOLDER),
    [],
  );
});

test('a file without a suffix imports nothing that touches the world', () => {
  assert.deepEqual(impureImports(SOURCES.filter(isPure), isPure), []);
});

test('an index imports nothing that touches the world', () => {
  assert.deepEqual(
    impureImports(SOURCES.filter(isIndex), (target) => isPure(target) || isIndex(target)),
    [],
  );
});

/** Imports that stay at run time and lead to files that are neither allowed nor ground. */
function impureImports(files: readonly string[], isAllowed: (target: string) => boolean): string[] {
  return files.flatMap((file) =>
    runtimeImportsOf(file)
      .filter((target) =>
        target.startsWith('src/') ? !(isAllowed(target) || isGround(target)) : !PURE_PACKAGES.test(target),
      )
      .map((target) => `${file} imports ${target}`),
  );
}

test('a file without a suffix, and an index, reads no clock, no environment, no network and no chance', () => {
  const touches =
    /Date\.now\(|new Date\(\)|Temporal\.Now|Math\.random|randomBytes|[^.\w]fetch\(|process\.|performance\.now/;
  assert.deepEqual(
    SOURCES.filter((file) => (isPure(file) || isIndex(file)) && touches.test(textOf(file))),
    [],
  );
});

test('a file without a suffix, and an index, keeps nothing at module level that changes', () => {
  const changes =
    /^(?:export )?(?:let |const \w+\b(?!: Readonly).* = new (?:Weak)?(?:Map|Set|LRUCache|\w+Array)(?:<.*>)?\((?!\[|$|'))/m;
  assert.deepEqual(
    SOURCES.filter((file) => (isPure(file) || isIndex(file)) && changes.test(textOf(file))),
    [],
  );
});

test('the clock is read through Temporal, never as Date: the search for its readers finds each of them', () => {
  const files = [...SOURCES, ...globSync(['src/**/*.test.ts', 'test/**/*.ts', 'demo/**/*.ts'], { cwd: ROOT })];
  const movesTheClock = /^test\/shift-clock(\.test)?\.ts$/;
  assert.deepEqual(
    files.filter((file) => !movesTheClock.test(file) && /\bDate\.now\b|\bnew Date\(\)/.test(textOf(file))),
    [],
  );
});

test('SQL is written in .db.ts files and in src/db only', () => {
  const speaksSql = /\.(selectFrom|insertInto|updateTable|deleteFrom)\(|from 'pg'|sql`|raw`/;
  const allowed = (file: string) => /\.db\.ts$|^src\/(db|jobs)\/|^src\/adapters\/payments\/sandbox/.test(file);
  assert.deepEqual(
    SOURCES.filter((file) => !allowed(file) && speaksSql.test(textOf(file))),
    [],
  );
});

test('only the composition and the commands name an adapter', () => {
  const mayNameVendors = (file: string) => ['adapters', 'composition', 'cli'].includes(roomOf(file));
  const faults = SOURCES.filter(
    (file) => !mayNameVendors(file) && runtimeImportsOf(file).some((target) => target.startsWith('src/adapters/')),
  );
  assert.deepEqual(faults, []);
});

test('no barrels, no catch-all rooms', () => {
  assert.deepEqual(
    SOURCES.filter((file) => /(^|\/)index\.ts$|\/(utils|services|helpers|managers)(\/|\.ts)/.test(file)),
    [],
  );
});

test('no source imports a test, a fake or the contract of an outside party, not even its types', () => {
  const demo = globSync('demo/**/*.ts', { cwd: ROOT }).filter((file) => !file.endsWith('.test.ts'));
  const faults = [...SOURCES, ...demo].flatMap((file) =>
    importsOf(file)
      .filter(({ target }) => /^test\/|\.test\.ts$/.test(target))
      .map(({ target }) => `${file} imports ${target}`),
  );
  assert.deepEqual(faults, []);
});

test('fakes and contracts of outside parties lie in test/, none in src/', () => {
  assert.deepEqual(
    SOURCES.filter((file) => /\/(fake|given)-[^/]*\.ts$|-(double|fake|contract)\.ts$/.test(file)),
    [],
  );
});

test('the packages of outside parties are loaded by a service that uses them, not by every service', () => {
  const atStart = (file: string) => importsOf(file).filter(({ isType, isDynamic }) => !isType && !isDynamic);
  const loaded = new Set(['src/service.ts']);
  for (const file of loaded) for (const { target } of atStart(file)) if (SOURCES.includes(target)) loaded.add(target);
  assert.ok(loaded.has('src/wiring/open-adapters.ts'));
  const faults = [...loaded].flatMap((file) =>
    atStart(file)
      .filter(({ target }) => /^(stripe|twilio|mjml|@duckdb)\b/.test(target))
      .map(({ target }) => `${file} imports ${target}`),
  );
  assert.deepEqual(faults, []);
});
