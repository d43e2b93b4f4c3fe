import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { SEED } from '../runs.ts';
import { followHandles } from './open-handles.ts';

// Loaded into each process of a run before its tests.

followHandles();
fc.configureGlobal({ seed: SEED });

// `Temporal` values have no properties, so any two are deeply equal to Node.js: here their texts are compared, too.
for (const name of Object.getOwnPropertyNames(Temporal)) {
  Object.defineProperty(Object(Object(Temporal)[name]).prototype ?? {}, inspect.custom, {
    value(this: object) {
      return `Temporal.${name} ${this}`;
    },
  });
}
for (const name of ['deepEqual', 'deepStrictEqual'] as const) {
  const compare = assert[name] as (actual: unknown, expected: unknown, ...message: [string]) => void;
  assert[name] = ((actual: unknown, expected: unknown, ...message: [string]) => {
    compare(actual, expected, ...message);
    assert.equal(momentsOf(actual), momentsOf(expected), ...message);
  }) as never;
}

/*
 * Node.js clears a timer of an earlier mock by its old place in the queue, where another timer may be: code that an
 * earlier test left running would take timers from this one. Timers are cleared by the mock that made them, or not.
 */
const mocks: Pick<typeof mock.timers, 'enable'> = Object.getPrototypeOf(mock.timers);
const timers = globalThis as unknown as Record<string, (...args: unknown[]) => object>;
const { enable } = mocks;
mocks.enable = function (options) {
  const { setTimeout, setInterval } = timers;
  enable.call(this, options);
  const made = new WeakSet<object>();
  for (const kind of ['Timeout', 'Interval']) {
    const [set, clear] = [timers[`set${kind}`], timers[`clear${kind}`]];
    if (!set || !clear || set === setTimeout || set === setInterval) continue;
    timers[`set${kind}`] = (...args) => {
      const timer = set(...args);
      made.add(timer);
      return timer;
    };
    timers[`clear${kind}`] = (timer) => (made.has(Object(timer)) ? clear(timer) : {});
  }
};

function momentsOf(value: unknown): string {
  const text = inspect(value, { depth: null, maxArrayLength: null, maxStringLength: 0, sorted: true });
  return (text.match(/Temporal\.\w+ [^\s,})]+/g) ?? []).join('\n');
}
