import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { stripSources } from './strip-sources.ts';

const folder = mkdtempSync(join(tmpdir(), 'doorstep-stripped-'));
after(() => rmSync(folder, { recursive: true }));
const root = join(folder, 'with a space');
mkdirSync(join(root, 'src'), { recursive: true });
mkdirSync(join(root, 'test'));
writeFileSync(join(root, 'package.json'), '{ "type": "module" }');
writeFileSync(
  join(root, 'src/shop.ts'),
  'type Shop = {\n  name: string;\n};\nexport const shop: Shop = { name: "tea" };\nexport const fail = () => new Error("sold out");\n',
);
writeFileSync(
  join(root, 'test/program.ts'),
  `import { fail, shop } from '../src/shop.ts';
   const again: { shop: unknown } = await import(import.meta.resolve('../src/shop.ts'));
   process.stdout.write(JSON.stringify({ shop, same: again.shop === shop, stack: String(fail().stack), url: import.meta.url }));`,
);
const { NODE_OPTIONS, ...env } = process.env;
const run = (settings: Record<string, string>) => {
  const { stdout, stderr } = spawnSync(process.execPath, [join(root, 'test/program.ts')], {
    env: { ...env, ...settings },
    encoding: 'utf8',
  });
  return JSON.parse(stdout || assert.fail(stderr));
};

test('a process of a run loads what was stripped: the same modules, once each, with the same lines', () => {
  const asTheyAre = run({});
  const settings = stripSources(root, folder);
  const stripped = run(settings);
  assert.deepEqual(stripped, asTheyAre);
  assert.match(stripped.stack, /src\/shop\.ts:5:27/);
  assert.equal(stripped.same, true);

  const source = readFileSync(join(root, 'src/shop.ts'), 'utf8');
  writeFileSync(join(root, 'src/shop.ts'), source.replace('tea', 'coffee'));
  assert.equal(run(settings).shop.name, 'tea');
  assert.equal(run(stripSources(root, folder)).shop.name, 'coffee', 'the next run strips anew');
});

test('another Node.js, and a process without the settings, load the sources as they are', () => {
  const { DOORSTEP_TEST_STRIPPED_SOURCES: list = '', ...options } = stripSources(root, folder);
  writeFileSync(
    join(root, 'src/shop.ts'),
    'export const shop = { name: "milk" };\nexport const fail = () => new Error();\n',
  );
  assert.equal(run(options).shop.name, 'milk');
  writeFileSync(list, readFileSync(list, 'utf8').replace(process.version, 'v20.1.0'));
  assert.equal(run({ ...options, DOORSTEP_TEST_STRIPPED_SOURCES: list }).shop.name, 'milk');
});
