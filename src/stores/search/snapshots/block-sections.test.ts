import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../../../test/runs.ts';
import { float64sOf, joinSections, splitSections, uint32sOf } from './block-sections.ts';

const sections = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 8 });

test('sections come back as they were joined, wherever the block lies in memory', () => {
  fc.assert(
    fc.property(sections, fc.nat(8), (written, offset) => {
      const joined = joinSections(written);
      const moved = Buffer.concat([Buffer.alloc(offset), joined]).subarray(offset);
      const read = splitSections(moved, written.length);
      assert.deepEqual(
        read.map((section) => [...section]),
        written.map((section) => [...section]),
      );
      for (const section of read) {
        const [length, numbers] = [section.length, section.subarray(0, section.length & ~7)];
        assert.equal(uint32sOf(numbers).length, (length >> 3) * 2);
        assert.equal(float64sOf(numbers, length >> 3).length, length >> 3);
      }
    }),
    { numRuns: runs(200) },
  );
});

test('sections that are cut, or of which one more or less is expected, are refused', () => {
  const joined = joinSections([Buffer.from('one'), Buffer.from('two'), Buffer.alloc(20, 7)]);
  for (let length = 0; length < joined.length; length += 1) {
    assert.throws(() => splitSections(joined.subarray(0, length), 3), RangeError, `${length} bytes`);
  }
  for (const count of [2, 4]) assert.throws(() => splitSections(joined, count), RangeError, `${count} sections`);
});

test('a section of another length is no column', () => {
  for (const length of [0, 3, 15, 17, 24]) {
    const section = Buffer.from(new ArrayBuffer(length));
    assert.throws(() => uint32sOf(section, 4), RangeError);
    assert.throws(() => float64sOf(section, 2), RangeError);
  }
});
