import assert from 'node:assert/strict';
import { test } from 'node:test';
import { batchLines, MAX_LINE_DELAY_MS } from './log.ts';

function givenDestination() {
  const written: string[] = [];
  let kept = '';
  const flush = () => {
    written.push(kept);
    kept = '';
  };
  const write = (line: string) => {
    kept += line;
  };
  return { written, lines: batchLines({ write, flush, flushSync: flush }) };
}

test('lines of a moment are one write, and a line waits for a moment at most', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { written, lines } = givenDestination();
  for (const line of ['a\n', 'b\n']) lines.write(line);
  t.mock.timers.tick(MAX_LINE_DELAY_MS - 1);
  lines.write('c\n');
  assert.deepEqual(written, []);
  t.mock.timers.tick(1);
  assert.deepEqual(written, ['a\nb\nc\n']);
  t.mock.timers.tick(MAX_LINE_DELAY_MS);
  assert.equal(written.length, 1);
  lines.write('d\n');
  t.mock.timers.tick(MAX_LINE_DELAY_MS);
  assert.deepEqual(written, ['a\nb\nc\n', 'd\n']);
});

test('lines that wait are written at once where the process ends', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { written, lines } = givenDestination();
  lines.write('last\n');
  lines.flushSync();
  assert.deepEqual(written, ['last\n']);
});
