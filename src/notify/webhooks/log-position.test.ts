import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../../test/runs.ts';
import { writeCursor } from '../../platform/http/page-cursor.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { type LogPosition, MAX_POSITION_LETTERS, readPosition, writePosition } from './log-position.ts';

const snapshot = fc
  .record({
    min: fc.bigInt({ min: 1n, max: 2n ** 60n }),
    gaps: fc.uniqueArray(fc.bigInt({ min: 0n, max: 9999n }), { maxLength: 40 }),
  })
  .map(({ min, gaps }) => {
    const running = gaps.map((gap) => min + gap).sort((a, b) => Number(a - b));
    return `${min}:${min + (gaps.length > 0 ? 10_000n : 0n)}:${running.join()}`;
  });
const place = fc.record(
  {
    atMicros: fc.bigInt({ min: 1000n, max: 8_640_000_000_000_000_000n }),
    orderId: fc.stringMatching(/^[\w-]{1,64}$/),
    sequence: fc.nat(2_147_483_647),
  },
  { noNullPrototype: true },
);
const ms = fc.nat(8_640_000_000_000);
const plain = { noNullPrototype: true };
const poll = fc.record({ until: snapshot, untilMs: ms, last: place }, plain);
const position: fc.Arbitrary<LogPosition> = fc.record({ seen: snapshot, seenMs: ms, poll: fc.option(poll) }, plain);

test('a position is read back as it was written, from letters that a URL carries as they are', () => {
  fc.assert(
    fc.property(position, (written) => {
      const text = writePosition(written);
      assert.match(text, /^[\w-]+$/);
      assert.ok(text.length <= MAX_POSITION_LETTERS);
      assert.deepEqual(readPosition(text), written);
    }),
  );
});

function readOrRefused(text: string): LogPosition | undefined {
  try {
    return readPosition(text);
  } catch (error) {
    assert.ok(error instanceof Refusal, String(error));
    return undefined;
  }
}

test('any other text is no position, and PostgreSQL accepts every parsed position', () => {
  const value = fc.oneof(fc.string(), fc.integer(), fc.stringMatching(/^[0-9:,]{0,40}$/), snapshot);
  const values = fc.array(value, { maxLength: 8 });
  fc.assert(
    fc.property(fc.oneof(values, fc.tuple(fc.nat(), value)), (parts) => {
      const read = readOrRefused(writeCursor(...parts));
      for (const text of read ? [read.seen, ...(read.poll ? [read.poll.until] : [])] : []) {
        const [min = 0n, max = 0n, ...running] = text.split(/[:,]/).filter(Boolean).map(BigInt);
        assert.ok(min > 0n && min <= max && max < 2n ** 63n);
        assert.ok(running.every((xid, n) => xid >= min && xid < max && (n === 0 || xid > (running[n - 1] ?? 0n))));
      }
    }),
    { numRuns: runs(2000) },
  );
  const position = ['1:1:', 0, 'order', 1] as const;
  for (const parts of [
    [],
    [1],
    ['1', '1:1:'],
    [-1, '1:1:'],
    [1, '0:1:'],
    [1, '2:1:'],
    [1, '1:9:4,3'],
    [1, '1:9:9'],
    [1, '5:9:4'],
    [1, '1:9223372036854775808:'],
    [Number.MAX_SAFE_INTEGER, '1:1:'],
    [1, '1:1:', 1],
    [1, '1:1:', 1, ...position],
    [1, '1:1:', 1, '1:1:', '99999999999999999999', 'order', 1],
    [1, '1:1:', 1, '1:1:', '0', 'no order', 1],
    [1, '1:1:', 1, '1:1:', '0', 'order', 2 ** 31],
  ]) {
    assert.equal(readOrRefused(writeCursor(...parts)), undefined, String(parts));
  }
});
