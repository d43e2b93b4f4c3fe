import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DoorstepConnectionError, DoorstepError } from '../../clients/typescript/src/errors.ts';
import { retryAfterMs, retryDelayMs } from '../../clients/typescript/src/retry.ts';

const made = { operation: 'createOrder', idempotencyKey: 'k' } as const;
const lost = new DoorstepConnectionError(made, 'network', undefined);
const busy = (after: number | undefined) =>
  new DoorstepError(made, {
    status: 429,
    code: 'rate_limited',
    detail: '',
    requestId: undefined,
    problem: {},
    retryAfterMs: after,
  });
const chances = fc.double({ min: 0, max: 1, noNaN: true });

test('a delay is between half and all of a doubling time of up to 8 seconds', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 60 }), chances, (failures, chance) => {
      const whole = failures > 4 ? 8000 : [0, 500, 1000, 2000, 4000][failures];
      const delay = retryDelayMs(lost, { failures, chance }) ?? Number.NaN;
      assert.ok(delay >= Number(whole) / 2 && delay <= Number(whole), `${delay} of ${whole}`);
    }),
  );
});

test('no delay is shorter than the service’s Retry-After', () => {
  fc.assert(
    fc.property(fc.nat(90_000), fc.integer({ min: 1, max: 60 }), chances, (headerMs, failures, chance) => {
      const delay = retryDelayMs(busy(headerMs), { failures, chance });
      if (headerMs > 60_000) assert.equal(delay, undefined);
      else assert.ok(delay !== undefined && delay >= headerMs && delay <= Math.max(8000, headerMs + 500), `${delay}`);
    }),
  );
});

test('`Retry-After` is read as seconds and as a date', () => {
  const nowMs = Date.UTC(2026, 5, 10, 17);
  const cases = [
    [null, undefined],
    ['', undefined],
    ['soon', undefined],
    ['0', 0],
    ['120', 120_000],
    ['Wed, 10 Jun 2026 17:00:30 GMT', 30_000],
    ['Wed, 10 Jun 2026 16:00:00 GMT', 0],
  ] as const;
  for (const [header, expected] of cases) assert.equal(retryAfterMs(header, nowMs), expected, String(header));
});
