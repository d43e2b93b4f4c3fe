import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../source-files.ts';

test('objectives page while their budget burns, and at no other time', (t) => {
  if (spawnSync('promtool', ['--version']).error) return t.skip('this machine has no promtool (Debian: prometheus)');
  const folder = mkdtempSync(join(tmpdir(), 'doorstep-rules-'));
  t.after(() => rmSync(folder, { recursive: true }));
  copyFileSync(join(ROOT, 'deploy/prometheus/alerts.yaml'), join(folder, 'alerts.yaml'));
  copyFileSync(join(ROOT, 'test/metrics/objectives.promtool.yaml'), join(folder, 'tests.yaml'));
  for (const args of [
    ['check', 'rules', 'alerts.yaml'],
    ['test', 'rules', 'tests.yaml'],
  ]) {
    const { status, stdout, stderr } = spawnSync('promtool', args, { cwd: folder, encoding: 'utf8' });
    assert.equal(status, 0, stdout + stderr);
  }
});
