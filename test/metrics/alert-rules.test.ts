import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { isInstalled } from '../given/command.ts';
import { givenFolder } from '../given/folder.ts';
import { ROOT } from '../source-files.ts';

test('objectives page while their budget burns, and at no other time', (t) => {
  if (!isInstalled('promtool')) return t.skip('promtool is not installed (Debian: prometheus)');
  const folder = givenFolder('doorstep-rules', t);
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
