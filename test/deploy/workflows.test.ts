import assert from 'node:assert/strict';
import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { PARTS } from '../nightly/run.ts';
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

test('workflows run what the repository has, with no more rights than their jobs name', () => {
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

test('a nightly run takes every part of `npm run nightly`', () => {
  const { strategy } = workflowOf('.github/workflows/nightly.yml').jobs.nightly ?? {};
  assert.deepEqual(strategy?.matrix.part, Object.keys(PARTS));
});
