import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSampler, SAMPLERS } from './sampler.ts';
import { newTraceId } from './span.ts';

const RATIO = 0.25;

/** The share of traces that a sampler records, by the decision of the span above. */
function sharesOf(name: (typeof SAMPLERS)[number]): number[] {
  const sampler = createSampler({ name, ratio: RATIO });
  const traces = Array.from({ length: 8000 }, newTraceId);
  return [undefined, true, false].map((parent) => traces.filter((id) => sampler(id, parent)).length / traces.length);
}

/** Whether each share is what it should be; a share by ratio may be off by five standard deviations. */
function areNear(shares: readonly number[], expected: readonly number[]): boolean {
  return shares.every(
    (share, n) => Math.abs(share - (expected[n] ?? Number.NaN)) <= (expected[n] === RATIO ? 0.025 : 0),
  );
}

const EXPECTED: Readonly<Record<(typeof SAMPLERS)[number], readonly number[]>> = {
  always_on: [1, 1, 1],
  always_off: [0, 0, 0],
  traceidratio: [RATIO, RATIO, RATIO],
  parentbased_always_on: [1, 1, 0],
  parentbased_always_off: [0, 1, 0],
  parentbased_traceidratio: [RATIO, 1, 0],
};

test('each standard sampler records the traces that its name says', () => {
  for (const name of SAMPLERS) {
    const shares = sharesOf(name);
    assert.ok(areNear(shares, EXPECTED[name]), `${name}: ${shares.join()}`);
  }
});

test('two processes decide a trace alike', () => {
  const settings = { name: 'traceidratio', ratio: 0.5 } as const;
  const [one, other] = [createSampler(settings), createSampler(settings)];
  for (let n = 0; n < 1000; n += 1) {
    const id = newTraceId();
    assert.equal(one(id, undefined), other(id, true));
  }
});

test('a ratio of 0 records nothing, and a ratio of 1 everything', () => {
  const ids = ['0'.repeat(31).concat('1'), 'f'.repeat(32)];
  const decided = (ratio: number) => ids.map((id) => createSampler({ name: 'traceidratio', ratio })(id, undefined));
  assert.deepEqual(
    [decided(0), decided(1)],
    [
      [false, false],
      [true, true],
    ],
  );
});
