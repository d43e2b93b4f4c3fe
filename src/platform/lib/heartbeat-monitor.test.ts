import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import { HEARTBEAT_MS, HeartbeatMonitor } from './heartbeat-monitor.ts';

const MINUTE_MS = 60_000;

beforeEach(() => mock.timers.enable({ apis: ['setInterval'] }));
afterEach(() => mock.timers.reset());

function givenMonitor(options?: { isLoading: boolean }) {
  const seen = { stuck: 0 };
  const monitor = new HeartbeatMonitor(() => {
    seen.stuck += 1;
  }, options);
  return { seen, monitor };
}

test('a worker that posts nothing for a minute is stuck, which is reported once', () => {
  const { seen } = givenMonitor();
  mock.timers.tick(MINUTE_MS - 1);
  assert.equal(seen.stuck, 0);
  mock.timers.tick(1);
  mock.timers.tick(MINUTE_MS);
  assert.equal(seen.stuck, 1);
});

test('a worker that posts a message within each minute is not stuck', () => {
  const { seen, monitor } = givenMonitor();
  for (let n = 0; n < 10; n += 1) {
    mock.timers.tick(MINUTE_MS - HEARTBEAT_MS);
    monitor.receive();
  }
  assert.equal(seen.stuck, 0);
});

test('a worker that is loading may take any time until its first message', () => {
  const { seen, monitor } = givenMonitor({ isLoading: true });
  mock.timers.tick(10 * MINUTE_MS);
  assert.equal(seen.stuck, 0);
  monitor.receive();
  mock.timers.tick(MINUTE_MS);
  assert.equal(seen.stuck, 1);
});

test('a worker that has ended is not watched', () => {
  const { seen, monitor } = givenMonitor();
  monitor.stop();
  mock.timers.tick(2 * MINUTE_MS);
  assert.equal(seen.stuck, 0);
});
