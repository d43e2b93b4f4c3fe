import assert from 'node:assert/strict';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { createLog, LineWriter } from './log.ts';

test('an error of the database is logged without the values of the row that it repeats', () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => lines.push(line) });
  const error = Object.assign(new Error('a check of the table is violated'), {
    code: '23514',
    detail: 'Failing row contains (Zelda Quirk, 12125550147).',
    where: 'COPY orders, line 1: "Zelda Quirk"',
  });
  log.error({ err: error, orderId: 'ord_1' }, 'saving failed');
  const line = JSON.parse(lines[0] ?? '');
  assert.deepEqual([line.msg, line.orderId, line.err.code], ['saving failed', 'ord_1', '23514']);
  assert.match(line.err.stack, /log\.test/);
  assert.match(line.err.message, /violated/);
  assert.doesNotMatch(lines[0] ?? '', /Quirk|5550147/);
});

const FULL = '/dev/full';

test('lines for a full disk are lost and counted, in the background and at once', async (t) => {
  if (!existsSync(FULL)) return t.skip(`this system has no ${FULL}`);
  const fd = openSync(FULL, 'w');
  t.after(() => closeSync(fd));
  const writer = new LineWriter(fd);
  writer.write('{"msg":"one"}\n');
  writer.write(`{"msg":"${'x'.repeat(10_000)}"}\n`);
  while (writer.lost < 2) await turn();
  writer.write('{"msg":"three"}\n');
  writer.flushSync();
  assert.equal(writer.lost, 3);
});

test('lines are written whole and in sequence; above a megabyte that waits they are lost and counted', async (t) => {
  const file = join(tmpdir(), `log-${process.pid}.jsonl`);
  const fd = openSync(file, 'w');
  t.after(() => closeSync(fd));
  const writer = new LineWriter(fd);
  const lines = Array.from({ length: 2000 }, (_, n) => `${JSON.stringify({ n, text: 'é'.repeat(1000) })}\n`);
  for (const line of lines) writer.write(line);
  const { lost } = writer;
  const written = () => readFileSync(file, 'utf8').split('\n').slice(0, -1);
  while (written().length < lines.length - lost) await turn();
  assert.ok(lost > 0 && lost < lines.length);
  assert.deepEqual(
    written(),
    lines.slice(0, lines.length - lost).map((line) => line.trimEnd()),
  );
});
