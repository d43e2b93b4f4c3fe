import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { SEED } from '../runs.ts';

// Loaded into each process of a run before its tests.

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

function momentsOf(value: unknown): string {
  const text = inspect(value, { depth: null, maxArrayLength: null, maxStringLength: 0, sorted: true });
  return (text.match(/Temporal\.\w+ [^\s,})]+/g) ?? []).join('\n');
}
