import assert from 'node:assert/strict';
import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { ROOT, textOf } from '../source-files.ts';

type Step = { uses?: string; run?: string; with?: Record<string, unknown> };
type Job = { uses?: string; needs?: string; permissions?: Record<string, string>; steps?: Step[] };
type Workflow = { on: Record<string, unknown>; permissions: Record<string, string>; jobs: Record<string, Job> };

const FILES = globSync('.github/workflows/*.yml', { cwd: ROOT });
const workflowOf = (file: string): Workflow => parse(textOf(file));
const isThere = (path: string) => existsSync(join(ROOT, path));

test('workflows run what the repository has, with no more rights than their jobs name', () => {
  assert.deepEqual(FILES.toSorted(), ['.github/workflows/checks.yml', '.github/workflows/release.yml']);
  for (const file of FILES) {
    const { permissions, jobs } = workflowOf(file);
    assert.deepEqual(permissions, { contents: 'read' }, file);
    for (const [name, { uses, needs, steps = [] }] of Object.entries(jobs)) {
      if (uses !== undefined) assert.ok(isThere(uses), `${file}: ${uses}`);
      if (needs !== undefined) assert.ok(needs in jobs, `${file}: ${name} needs ${needs}`);
      for (const { run = '', with: given = {} } of steps) {
        for (const [path] of run.matchAll(/(?<= )(?:\.\/clients|\.ci)\/\S+/g))
          assert.ok(isThere(path), `${file}: ${path}`);
        if (given.file !== undefined) assert.ok(isThere(String(given.file)), `${file}: ${given.file}`);
      }
    }
  }
});

test('nothing is released before the checks have passed, and packages and image have their provenance', () => {
  const { checks, ...others } = workflowOf('.github/workflows/release.yml').jobs;
  assert.equal(checks?.uses, './.github/workflows/checks.yml');
  assert.ok('workflow_call' in workflowOf('.github/workflows/checks.yml').on);
  assert.deepEqual(Object.keys(others), ['packages', 'image']);
  for (const { needs, permissions, steps = [] } of Object.values(others)) {
    assert.equal(needs, 'checks');
    assert.equal(permissions?.attestations, 'write');
    assert.ok(steps.some(({ uses = '' }) => uses.startsWith('actions/attest-build-provenance@')));
  }
});
