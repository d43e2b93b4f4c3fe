import assert from 'node:assert/strict';
import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { commandsOf } from '../nightly/run.ts';
import { ROOT, textOf } from '../source-files.ts';

type Step = { uses?: string; run?: string; with?: Record<string, unknown> };
type Job = {
  uses?: string;
  needs?: string[];
  permissions?: Record<string, string>;
  steps?: Step[];
  strategy?: { matrix: { part: string[] } };
};
type Workflow = { on: Record<string, unknown>; permissions: Record<string, string>; jobs: Record<string, Job> };

const FILES = globSync('.github/workflows/*.yml', { cwd: ROOT });
const workflowOf = (file: string): Workflow => parse(textOf(file));
const isThere = (path: string) => existsSync(join(ROOT, path));

test('workflows use only the repository’s scripts, and only the permissions their jobs name', () => {
  assert.deepEqual(
    FILES.toSorted(),
    ['checks', 'nightly', 'release'].map((name) => `.github/workflows/${name}.yml`),
  );
  for (const file of FILES) {
    const { permissions, jobs } = workflowOf(file);
    assert.deepEqual(permissions, { contents: 'read' }, file);
    for (const [name, { uses, needs = [], steps = [] }] of Object.entries(jobs)) {
      if (uses !== undefined) assert.ok(isThere(uses), `${file}: ${uses}`);
      for (const one of needs) assert.ok(one in jobs, `${file}: ${name} needs ${one}`);
      for (const { run = '', with: given = {} } of steps) {
        for (const [path] of run.matchAll(/(?<= )(?:\.\/clients|\.ci)\/\S+/g))
          assert.ok(isThere(path), `${file}: ${path}`);
        if (given.file !== undefined) assert.ok(isThere(String(given.file)), `${file}: ${given.file}`);
      }
    }
  }
});

test('actions of others are pinned by digest, with their version beside it', () => {
  const uses = FILES.flatMap((file) => [...textOf(file).matchAll(/uses: (?!\.\/)(.*)$/gm)].map(([, action]) => action));
  assert.ok(uses.length > 10);
  for (const action of uses) assert.match(action ?? '', /^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

test('nothing is released before the checks and a nightly run have passed, and packages and image have their provenance', () => {
  const { checks, nightly, ...others } = workflowOf('.github/workflows/release.yml').jobs;
  assert.equal(checks?.uses, './.github/workflows/checks.yml');
  assert.equal(nightly?.uses, './.github/workflows/nightly.yml');
  for (const { uses = '' } of [checks, nightly]) assert.ok('workflow_call' in workflowOf(uses.slice(2)).on);
  assert.deepEqual(Object.keys(others), ['packages', 'image']);
  for (const { needs, permissions, steps = [] } of Object.values(others)) {
    assert.deepEqual(needs, ['checks', 'nightly']);
    assert.equal(permissions?.attestations, 'write');
    assert.ok(steps.some(({ uses = '' }) => uses.startsWith('actions/attest-build-provenance@')));
  }
});

test('the four jobs of a nightly run share its tests, hours, mutants and soaks, and each runs once', () => {
  const { strategy, steps = [] } = workflowOf('.github/workflows/nightly.yml').jobs.nightly ?? {};
  assert.match(steps.at(-1)?.run ?? '', /^npm run nightly -- --part \$\{\{ matrix\.part \}\}$/);
  const parts = strategy?.matrix.part ?? [];
  assert.deepEqual(parts, ['1/4', '2/4', '3/4', '4/4']);
  const tests = FILES.concat('test/a.test.ts', 'test/b.test.ts');
  const workOf = (part: string) =>
    commandsOf(part, tests).flatMap(([, ...words]) => {
      const at = words.indexOf('--');
      return words.slice(at + 1).map((word) => [...words.slice(0, at), word].join(' '));
    });
  const all = workOf('1/1');
  for (const work of [...tests, 'any-hour 2027-03-14T06:59:50Z', 'mutate --tonight', 'soak kill', 'soak hostile'])
    assert.ok(all.includes(work), work);
  assert.equal(new Set(all).size, all.length);
  const isWork = (work: string) => work !== '--times';
  assert.deepEqual(parts.flatMap(workOf).filter(isWork).toSorted(), all.filter(isWork).toSorted());
  for (const part of ['0/4', '5/4', '2', 'tests']) assert.throws(() => commandsOf(part, tests), /such as 2\/4/);
});
