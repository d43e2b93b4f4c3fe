import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OutsideError } from '../lib/outside-error.ts';
import { CircuitBreaker } from './circuit-breaker.ts';

const timedOut = () => new OutsideError('gateway', 'did not answer', { retryable: true });
const broken = () => new OutsideError('gateway', 'answered 500', { retryable: true });
const refused = () => new OutsideError('gateway', 'refused', { retryable: false });
const conflicting = () => new OutsideError('gateway', 'answered 409', { retryable: true, isOutage: false });

function givenBreaker() {
  const breaker = new CircuitBreaker('gateway');
  let [nowMs, calls] = [0, 0];
  /** `sent`: whether the call went out. */
  const call = async (error?: Error, operation = 'charge') => {
    const before = calls;
    await breaker
      .run(
        operation,
        () => nowMs,
        async () => {
          calls += 1;
          if (error) throw error;
        },
      )
      .catch((thrown) => {
        if (thrown !== error) assert.ok(thrown instanceof OutsideError && thrown.isUnsent && thrown.retryable);
      });
    return calls > before;
  };
  const advance = (ms: number) => {
    nowMs += ms;
  };
  return { call, advance };
}

async function givenOpen() {
  const opened = givenBreaker();
  for (let n = 0; n < 3; n += 1) assert.ok(await opened.call(timedOut()));
  assert.equal(await opened.call(), false);
  return opened;
}

test('after three failures of a kind one probe a second goes out, and an answer closes the circuit', async () => {
  const { call, advance } = await givenOpen();
  for (let second = 0; second < 100; second += 1) {
    advance(1000);
    assert.deepEqual([await call(timedOut()), await call(), await call()], [true, false, false]);
  }
  advance(1000);
  assert.deepEqual([await call(), await call(), await call()], [true, true, true]);
});

test('one operation that always fails does not slow the others for longer than ten seconds', async () => {
  const { call, advance } = await givenOpen();
  for (let second = 0; second < 9; second += 1) {
    advance(1000);
    assert.deepEqual([await call(undefined, 'refund'), await call(undefined, 'refund')], [true, false]);
  }
  advance(1000);
  for (let n = 0; n < 3; n += 1) assert.ok(await call(undefined, 'refund'));
});

test('a clock that is set back never stops probes', async () => {
  const { call, advance } = await givenOpen();
  advance(-3_600_000);
  assert.equal(await call(), true);
});

test('failures of two kinds, or farther apart than ten seconds, leave the circuit closed', async () => {
  const { call, advance } = givenBreaker();
  for (const error of [timedOut(), broken(), timedOut(), broken()]) assert.ok(await call(error));
  advance(10_000);
  for (const error of [timedOut(), timedOut()]) assert.ok(await call(error));
  assert.ok(await call());
});

test('an answer between failures of its operation resets them, one of another operation does not', async () => {
  const { call } = givenBreaker();
  for (let n = 0; n < 5; n += 1) {
    await call(timedOut());
    await call(timedOut());
    assert.ok(await call());
  }
  await call(timedOut());
  await call(undefined, 'findCharge');
  await call(timedOut());
  await call(timedOut());
  assert.equal(await call(), false);
});

test('a probe of an operation that never failed leaves the circuit open', async () => {
  const { call, advance } = await givenOpen();
  advance(1000);
  assert.equal(await call(undefined, 'findCharge'), true);
  assert.equal(await call(), false);
});

test('declines, refusals and conflicts never open the circuit, and close it', async () => {
  const { call, advance } = givenBreaker();
  for (let n = 0; n < 20; n += 1) assert.ok(await call(n % 2 === 0 ? refused() : conflicting()));
  const opened = await givenOpen();
  opened.advance(1000);
  assert.deepEqual([await opened.call(refused()), await opened.call()], [true, true]);
  advance(0);
});
