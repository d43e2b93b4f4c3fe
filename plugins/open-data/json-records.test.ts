import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../test/runs.ts';
import { type JsonRecord, splitJsonRecords } from './json-records.ts';

const LIMITS = { listKey: 'features', maxBytes: 200, maxLevels: 10 };

async function recordsOf(bytes: Buffer | string, step = 1_000_000): Promise<JsonRecord[]> {
  const whole = Buffer.from(bytes);
  async function* chunks() {
    for (let from = 0; from < whole.length; from += step) yield whole.subarray(from, from + step);
  }
  const all: JsonRecord[] = [];
  for await (const some of splitJsonRecords(chunks(), LIMITS)) all.push(...some);
  return all;
}

/** The values of records, or `!` and the error; record numbers must count up from 1. */
async function readValues(bytes: Buffer | string, step?: number): Promise<unknown[]> {
  const records = await recordsOf(bytes, step);
  assert.deepEqual(
    records.map(({ record }) => record),
    records.map((_, n) => n + 1),
  );
  return records.map((one) => ('fault' in one ? `!${one.fault}` : one.value));
}

const someValues = fc.array(
  fc.dictionary(
    fc.string({ maxLength: 5 }),
    fc.oneof(fc.string({ maxLength: 8 }), fc.integer(), fc.constant([{ a: [] }])),
    { maxKeys: 3 },
  ),
  { maxLength: 6 },
);

test('every layout of the same records gives the same records, however the bytes are cut', async () => {
  await fc.assert(
    fc.asyncProperty(someValues, fc.integer({ min: 1, max: 50 }), async (made, step) => {
      const values: unknown[] = JSON.parse(JSON.stringify(made));
      const document = { type: 'FeatureCollection', crs: { features: [1] }, features: values, bbox: [1, 2] };
      const lines = values.map((value) => JSON.stringify(value));
      const layouts = [
        JSON.stringify(document),
        JSON.stringify(document, null, 2),
        `{"type":"FeatureCollection", "features" :\n[\n${lines.join(',\n')}\n]}\n`,
        `\ufeff${lines.join('\n')}`,
        `${lines.join('\r\n')}\r\n`,
        values.map((value) => `\x1e${JSON.stringify(value, null, 1)}\n`).join(''),
      ];
      for (const layout of layouts) assert.deepEqual(await readValues(layout, step), values);
    }),
    { numRuns: runs(100) },
  );
});

test('a record that is not JSON is a separate fault', async () => {
  const list = (...members: string[]) => `{"features":[\n${members.join(',\n')}\n]}`;
  assert.deepEqual(await readValues(list('{"a":NaN}', '{"b":1}')), ['!expected JSON', { b: 1 }]);
  assert.deepEqual(await readValues(list('{"a":"open}', '{"b":1}')), ['!expected JSON', { b: 1 }]);
  assert.deepEqual(await readValues(list('{"b":1}', '{"a":"open}')), [{ b: 1 }, '!expected JSON']);
  assert.deepEqual(await readValues('{"a":{"x":1}\n{"b":1}\n'), ['!expected JSON', { b: 1 }]);
  assert.deepEqual(await readValues(list('1', '"a,b"', 'x', '[2]')), [1, 'a,b', '!expected JSON', [2]]);
  assert.deepEqual(await readValues('null\nhello world\n{"a":1}\n}'), [
    null,
    '!expected JSON',
    { a: 1 },
    '!expected JSON',
  ]);
  assert.deepEqual(await readValues('\x1e{"a":\n\x1e{"b":1}\n'), ['!expected JSON', { b: 1 }]);
});

test('bad UTF-8, bytes and levels over the limits are faults of their record only', async () => {
  const bad = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff]), Buffer.from('"}\n{"b":1}')]);
  assert.deepEqual(await readValues(bad), ['!expected UTF-8', { b: 1 }]);
  for (const step of [7, 1000]) {
    assert.deepEqual(await readValues(`{"a":"${'x'.repeat(300)}"}\n{"b":1}`, step), [
      '!expected at most 200 bytes',
      { b: 1 },
    ]);
    const deep = `${'['.repeat(80)}${']'.repeat(80)}`;
    assert.deepEqual(await readValues(`{"features":[{"a":${deep}},{"b":1}]}`, step), [
      '!expected at most 10 levels of JSON',
      { b: 1 },
    ]);
  }
});

test('bytes that end within a record or a document are not taken for whole', async () => {
  const whole = '{"type":"FeatureCollection","features":[{"a":1},{"b":2}]}';
  for (let end = 1; end < whole.length; end += 1) await assert.rejects(recordsOf(whole.slice(0, end)), /in the middle/);
  await assert.rejects(recordsOf('{"features":[{"a":{"x":1},{"b":1}]}'), /in the middle/);
  assert.deepEqual(await readValues(''), []);
});

test('keys of a prototype are keys', async () => {
  const [value] = await readValues('{"__proto__":{"polluted":true},"constructor":1}');
  assert.deepEqual(Object.keys(value as object), ['__proto__', 'constructor']);
  assert.equal(({} as { polluted?: boolean }).polluted, undefined);
});

test('whatever the bytes, cutting them ends', async () => {
  const text = fc.array(
    fc.constantFrom('{', '}', '[', ']', '"', '\\', ',', ':', '\n', '\x1e', 'a', ' ', '"features":['),
    { maxLength: 60 },
  );
  await fc.assert(
    fc.asyncProperty(text, fc.integer({ min: 1, max: 9 }), async (pieces, step) => {
      await readValues(pieces.join(''), step).catch((error: Error) => assert.match(error.message, /in the middle/));
    }),
    { numRuns: runs(2000) },
  );
});
