import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../test/runs.ts';
import {
  formatPosition,
  isSameSnapshot,
  type LogPosition,
  MAX_POSITION_LETTERS,
  parsePosition,
  readSnapshot,
  snapshotText,
} from './log-position.ts';

const snapshot = fc
  .record({
    min: fc.bigInt({ min: 1n, max: 2n ** 60n }),
    gaps: fc.uniqueArray(fc.bigInt({ min: 0n, max: 9999n }), { maxLength: 40 }),
  })
  .map(({ min, gaps }) => {
    const running = gaps.map((gap) => min + gap).sort((a, b) => Number(a - b));
    return { min, max: min + (gaps.length > 0 ? 10_000n : 0n), running };
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
const look = fc.record({ until: snapshot, untilMs: ms, last: place }, plain);
const position: fc.Arbitrary<LogPosition> = fc.record({ seen: snapshot, seenMs: ms, look: fc.option(look) }, plain);

test('a position is read back as it was written, from letters that a URL carries as they are', () => {
  fc.assert(
    fc.property(position, (written) => {
      const text = formatPosition(written);
      assert.match(text, /^[\w.~-]+$/);
      assert.ok(text.length <= MAX_POSITION_LETTERS);
      assert.deepEqual(parsePosition(text), written);
    }),
  );
});

test('any other text is no position, and a position that is read is one that PostgreSQL takes', () => {
  const parts = fc.oneof(fc.string(), fc.stringMatching(/^[0-9a-z.~-]{0,40}$/), position.map(formatPosition));
  const texts = fc
    .tuple(parts, fc.nat(60), fc.constantFrom('', '.', '~', '0', 'z', '\0', '-'))
    .map(([text, at, more]) => {
      return text.slice(0, at) + more + text.slice(at + 1);
    });
  fc.assert(
    fc.property(texts, (text) => {
      const read = parsePosition(text);
      for (const { min, max, running } of read ? [read.seen, ...(read.look ? [read.look.until] : [])] : []) {
        assert.ok(min > 0n && min <= max && max < 2n ** 63n);
        assert.ok(running.every((xid, n) => xid >= min && xid < max && (n === 0 || xid > (running[n - 1] ?? 0n))));
      }
    }),
    { numRuns: runs(2000) },
  );
  for (const text of [
    '',
    '~',
    '1~',
    '~1',
    '1~0.1',
    '1~1.1~',
    '-1~1.1',
    '1~1.1.5',
    '1~1.9.3.2',
    '9999999999999999~1.1',
  ]) {
    assert.equal(parsePosition(text), undefined, text);
  }
});

test('a snapshot is read as PostgreSQL writes it', () => {
  for (const text of ['10:20:10,14,15', '7:7:', '4294967290:4294967300:4294967299']) {
    assert.equal(snapshotText(readSnapshot(text)), text);
  }
  const at = (text: string) => readSnapshot(text);
  assert.ok(isSameSnapshot(at('10:20:10,14'), at('10:20:10,14')));
  for (const other of ['10:21:10,14', '11:20:14', '10:20:10,14,15']) {
    assert.ok(!isSameSnapshot(at('10:20:10,14'), at(other)), other);
  }
});
