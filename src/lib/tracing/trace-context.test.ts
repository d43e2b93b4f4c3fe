import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatTraceparent, parseTraceparent } from './trace-context.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

test('a traceparent is read back as it was written', () => {
  const hex = (digits: number) =>
    fc.stringMatching(new RegExp(`^[0-9a-f]{${digits}}$`)).filter((text) => !/^0+$/.test(text));
  fc.assert(
    fc.property(hex(32), hex(16), fc.boolean(), (traceId, spanId, isSampled) => {
      const context = { traceId, spanId, isSampled };
      assert.deepEqual(parseTraceparent(formatTraceparent(context)), context);
    }),
  );
});

test('flags and versions are read by W3C Trace Context', () => {
  const flagsOf = (flags: string) => parseTraceparent(`00-${TRACE}-${SPAN}-${flags}`)?.isSampled;
  assert.deepEqual(['00', '01', '02', '03', 'fe', 'ff'].map(flagsOf), [false, true, false, true, false, true]);
  const later = { traceId: TRACE, spanId: SPAN, isSampled: true };
  assert.deepEqual(parseTraceparent(`cc-${TRACE}-${SPAN}-01-what-the-future-holds`), later);
  assert.deepEqual(parseTraceparent(`cc-${TRACE}-${SPAN}-01`), later);
});

test('any other text is no traceparent', () => {
  const bad = [
    ...[
      undefined,
      null,
      7,
      [],
      '',
      '00',
      `00-${TRACE}-${SPAN}`,
      `00-${TRACE}-${SPAN}-01-more`,
      `ff-${TRACE}-${SPAN}-01`,
    ],
    ...[`00-${'0'.repeat(32)}-${SPAN}-01`, `00-${TRACE}-${'0'.repeat(16)}-01`, `00-${TRACE.toUpperCase()}-${SPAN}-01`],
    ...[` 00-${TRACE}-${SPAN}-01`, `00-${TRACE}-${SPAN}-01\n`, `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`],
    ...[
      `00-${TRACE}-${SPAN}-1`,
      `00-${TRACE}-${SPAN}-zz`,
      `0-${TRACE}-${SPAN}-01`,
      `cc-${TRACE}-${SPAN}-01${'-x'.repeat(5000)}`,
    ],
  ];
  for (const text of bad) assert.equal(parseTraceparent(text), undefined, String(text).slice(0, 80));
  fc.assert(fc.property(fc.string({ maxLength: 80 }), (text) => parseTraceparent(text) === undefined));
});
