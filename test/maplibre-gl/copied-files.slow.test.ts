import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../source-files.ts';
import { COPIED_FILES } from './copied-files.ts';

test('MapLibre’s copied files match the locked package: npm run maplibre copies them', () => {
  for (const [copy, original] of COPIED_FILES)
    assert.ok(readFileSync(join(ROOT, copy)).equals(readFileSync(original)), copy);
});
