import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';

const ROOT = join(import.meta.dirname, '..');
const SUFFIX = /\.(db|route|job|page|hook|flow|cache)\.ts$/;
/** Rooms and files that wire or touch the world by their nature. */
const WIRING =
  /^src\/(cli|db|jobs|adapters|lib)\/|^src\/(service|app|routes|workers|followers|deps|http|config|openapi)\.ts$/;
const PURE_PACKAGES =
  /^(node:crypto|opening_hours|@photostructure\/tz-lookup|libphonenumber-js(\/.*)?|typebox|lru-cache)$/;
const IMPURE_LIB = /^src\/lib\/(clock|random-id|log|metrics|read-bytes|read-lines|read-parquet|slice)\.ts$/;

const files = globSync('src/**/*.ts', { cwd: ROOT }).filter((file) => !file.endsWith('.test.ts'));
const isPure = (file: string) => !SUFFIX.test(file) && !WIRING.test(file);
const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8');
/** Imports that stay at run time: `import type` costs and touches nothing. */
const IMPORT = /^(?:import (?!type\b)(?:[^'";]*? from )?|export [^'";=(]*? from )'([^']+)'/gm;
const importsOf = (file: string) => [...textOf(file).matchAll(IMPORT)].map((match) => match[1] ?? '');
const resolved = (file: string, target: string) =>
  target.startsWith('.') ? normalize(join(dirname(file), target)) : target;

test('a file without a suffix imports nothing that touches the world', () => {
  const faults = files.filter(isPure).flatMap((file) =>
    importsOf(file)
      .map((target) => resolved(file, target))
      .filter((target) =>
        target.startsWith('src/')
          ? !(isPure(target) || (target.startsWith('src/lib/') && !IMPURE_LIB.test(target)))
          : !PURE_PACKAGES.test(target),
      )
      .map((target) => `${file} imports ${target}`),
  );
  assert.deepEqual(faults, []);
});

test('a file without a suffix reads no clock, no environment, no network and no chance', () => {
  const touches =
    /Date\.now\(|new Date\(\)|Temporal\.Now|Math\.random|randomBytes|[^.\w]fetch\(|process\.|performance\.now/;
  assert.deepEqual(
    files.filter((file) => isPure(file) && touches.test(textOf(file))),
    [],
  );
});

test('SQL is written in .db.ts files and in src/db only', () => {
  const speaksSql = /\.(selectFrom|insertInto|updateTable|deleteFrom)\(|from 'pg'|sql`|raw`/;
  const allowed = (file: string) =>
    /\.db\.ts$|^src\/(db|jobs)\/|^src\/adapters\/payments\/sandbox/.test(file) || file === 'src/service.ts';
  assert.deepEqual(
    files.filter((file) => !allowed(file) && speaksSql.test(textOf(file))),
    [],
  );
});

test('only the composition root, its wiring and the commands name an adapter', () => {
  const mayNameVendors = (file: string) => /^src\/(adapters|cli)\/|^src\/(service|routes|workers)\.ts$/.test(file);
  const faults = files.filter(
    (file) =>
      !mayNameVendors(file) && importsOf(file).some((target) => resolved(file, target).startsWith('src/adapters/')),
  );
  assert.deepEqual(faults, []);
});

test('no barrels, no catch-all rooms', () => {
  assert.deepEqual(
    files.filter((file) => /(^|\/)index\.ts$|\/(utils|services|helpers|managers)(\/|\.ts)/.test(file)),
    [],
  );
});
