import fc from 'fast-check';

const NESTED_TOO_DEEP = 65;
const NESTED_FAR_TOO_DEEP = 20_000;

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
const nestedObject = (depth: number) => '{"a":'.repeat(depth) + '1'.concat('}'.repeat(depth));

const NASTY_TEXTS = [
  '',
  ' ',
  '\t\r\n',
  'x'.repeat(300),
  'ü'.repeat(20_000),
  'NaN',
  'Infinity',
  '-Infinity',
  '1e309',
  '-0',
  '-1',
  '0',
  '1e-400',
  '1.5',
  '0x10',
  '1_000',
  '١٢',
  '9007199254740993',
  '99999999999999999999999999',
  '1e300',
  '-1e300',
  'true',
  'TRUE ',
  'null',
  'undefined',
  '[]',
  '{}',
  '01/01/0000',
  '12/31/9999',
  '02/30/2026',
  '13/45/2026',
  '2026-01-01T00:00:00Z',
  '275760-09-14',
  "'; drop table orders; --",
  '" or 1=1',
  '\\',
  '%',
  '_',
  '../../../../etc/passwd',
  'file:///etc/passwd',
  'http://169.254.169.254/latest/meta-data/',
  'javascript:alert(1)',
  '<script>alert(1)</script>',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the text itself is the attack
  '${jndi:ldap://127.0.0.1/a}',
  '{{7*7}}',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  '\u202Eabc\u05D0\u0627',
  '🚀👩‍👩‍👧‍👦𝒳',
  'e\u0301'.repeat(50),
  '\uFEFFa',
  '\uFFFE\uFFFF',
  'a\u2028b\u2029c',
  '\u0001\u001F\u007F',
  'a\u0000b',
  '\u0000',
  ',,,',
  '&=?#',
  'Mo-Su 00:00-24:00',
  'America/Nowhere',
];

/** Every string percent-encoded, and some invalid encodings. */
export const BAD_QUERY_VALUES: readonly string[] = [
  ...NASTY_TEXTS.map(encodeURIComponent),
  '%',
  '%ZZ',
  '%C0%80',
  '%ED%A0%80',
  '%FF%FE',
  '%E2%82',
  '+',
  '%2500',
  'a;b=c',
];

/** JSON texts: values of every type, and valid JSON beyond what a program can represent. */
export const BAD_JSON_VALUES: readonly string[] = [
  ...NASTY_TEXTS.map((text) => JSON.stringify(text)),
  'null',
  'true',
  'false',
  '0',
  '-0',
  '-1',
  '1.5',
  '1e2',
  '1e-400',
  '1e309',
  '-1e309',
  '9007199254740993',
  '123456789012345678901234567890',
  '2147483648',
  '1e21',
  '"\\ud800"',
  '"a\\udfff\\ud800b"',
  '"\\u0000"',
  '[]',
  '[null]',
  '[[]]',
  '[1,"a",{},[],true]',
  '{}',
  '{"__proto__":{"admin":true}}',
  '{"constructor":{"prototype":{"admin":true}}}',
  '{"toString":1,"valueOf":null,"length":-1,"then":"x"}',
  '{"a\\u0000b":1}',
  '{"\\ud800":1}',
  '{"$gt":""}',
  nested(NESTED_TOO_DEEP),
  nestedObject(NESTED_TOO_DEEP),
  nested(NESTED_FAR_TOO_DEEP),
];

export const BROKEN_BODIES: readonly string[] = [
  '{',
  '{"a":',
  '{"a":1,}',
  '[1,2',
  '"abc',
  "{'a':1}",
  '{a:1}',
  'NaN',
  '{"a":NaN}',
  '{"a":Infinity}',
  '{"a":01}',
  '{"a":0x1}',
  '{"a":1}{"b":2}',
  '{"a":"\u0000"}',
  '{"a":"\\x"}',
  '{"a":"\n"}',
  '\u0000',
  '// comment\n{}',
  'undefined',
  'a=1&b=2',
  '<xml/>',
  '['.repeat(100_000),
  '{"a":'.repeat(100_000),
  nested(100_000),
  nestedObject(100_000),
];

/** A query of given and other names with any values, encoded correctly or not. */
export function anyQuery(names: readonly string[]): fc.Arbitrary<string> {
  const name = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom('x', ...names) },
    { weight: 1, arbitrary: fc.string() },
  );
  const value = fc.oneof(
    fc.string({ unit: 'binary' }).map(encodeURIComponent),
    fc.constantFrom(...BAD_QUERY_VALUES),
    fc.double().map(String),
    fc.integer().map(String),
  );
  const pair = fc.tuple(name.map(encodeURIComponent), value).map(([left, right]) => `${left}=${right}`);
  return fc.array(pair, { maxLength: 8 }).map((pairs) => pairs.join('&').slice(0, 8000));
}

export function anyBody(names: readonly string[]): fc.Arbitrary<string> {
  const key = fc.oneof({ weight: 4, arbitrary: fc.constantFrom('x', ...names) }, { weight: 1, arbitrary: fc.string() });
  const { body } = fc.letrec<{ body: string; leaf: string; array: string; object: string }>((tie) => ({
    leaf: fc.oneof(fc.constantFrom(...BAD_JSON_VALUES), fc.json({ maxDepth: 1 }), fc.double().map(jsonNumber)),
    array: fc.array(tie('body'), { maxLength: 3 }).map((items) => `[${items.join(',')}]`),
    object: fc
      .array(fc.tuple(key, tie('body')), { maxLength: 6 })
      .map((members) => `{${members.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`),
    body: fc.oneof({ maxDepth: 4 }, tie('leaf'), tie('object'), tie('array'), tie('object')),
  }));
  return body;
}

function jsonNumber(value: number): string {
  return Number.isFinite(value) ? String(value) : '1e999';
}
