import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTally, MAX_LISTED_FAULTS } from './import-result.ts';

test('counts stay exact beyond the listed errors', () => {
  const tally = createTally();
  const fault = { path: 'name', message: 'expected text' };
  for (let line = 1; line <= MAX_LISTED_FAULTS + 5; line += 1) tally.reject({ file: null, line }, [fault]);
  tally.count('created');
  tally.warn({ file: 'f', line: 1 }, [fault]);
  const { errors, ...rest } = tally.result(1.5);
  assert.equal(errors.length, MAX_LISTED_FAULTS);
  assert.deepEqual(errors[0], { line: 1, ...fault });
  assert.deepEqual(rest, {
    read: MAX_LISTED_FAULTS + 6,
    created: 1,
    updated: 0,
    unchanged: 0,
    rejected: MAX_LISTED_FAULTS + 5,
    seconds: 1.5,
    warnings: [{ file: 'f', line: 1, ...fault }],
    errors_omitted: 5,
  });
});
