import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../source-files.ts';
import { FAULTS } from './planted-faults.ts';

test('each planted fault changes an existing line', () => {
  const isThere = ({ file, line }: (typeof FAULTS)[number]) =>
    readFileSync(join(ROOT, 'src', file), 'utf8').includes(line);
  assert.deepEqual(
    FAULTS.filter((fault) => !isThere(fault)),
    [],
  );
});
