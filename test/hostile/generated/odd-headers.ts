import fc from 'fast-check';

type Header = readonly [name: string, value: string];

const TYPES = [
  'application/json; charset=utf-8',
  'application/json; charset=utf-16',
  'application/json;',
  'APPLICATION/JSON',
  'application/problem+json',
  'text/plain',
  'multipart/form-data; boundary=x',
  'application/x-www-form-urlencoded',
  'image/jpeg',
  '',
  'x/'.repeat(100),
];

const ODD: readonly Header[] = [
  ...['', 'same-key', 'same-key-2', 'k'.repeat(255), 'k'.repeat(256), '\u00e9', '__proto__', 'a, b'].map(
    (value): Header => ['idempotency-key', value],
  ),
  ...['*', '"x"', 'W/"x"', 'x', '"', Array(300).fill('"a"').join(', ')].map(
    (value): Header => ['if-none-match', value],
  ),
  ...[
    'bytes=0-1',
    'bytes=-1',
    'bytes=5-1',
    'bytes=0-',
    'bytes=0-0,2-3',
    'bytes=99999999999999999999-',
    'lines=1-2',
    `bytes=${'0-0,'.repeat(500)}1-1`,
  ].map((value): Header => ['range', value]),
  ...['gzip', 'br', 'deflate', 'zstd', 'gzip;q=0', '*;q=0', 'identity;q=0, *;q=0', 'gzip;q=x', 'x'.repeat(500)].map(
    (value): Header => ['accept-encoding', value],
  ),
  ...TYPES.map((value): Header => ['content-type', value]),
  ...['text/html', 'application/xml', '*/*;q=0', 'nonsense'].map((value): Header => ['accept', value]),
  ...['gzip', 'br', 'identity', 'aes128'].map((value): Header => ['content-encoding', value]),
  ...['127.0.0.1', '::1, 10.0.0.1', 'not an address', '1.2.3.4,'.repeat(200)].map(
    (value): Header => ['x-forwarded-for', value],
  ),
  ...['evil.example', '[::1', 'a b', 'console.test:99999', ''].map((value): Header => ['host', value]),
  ...['https://evil.example', 'null', 'http://localhost'].map((value): Header => ['origin', value]),
  ...['cross-site', 'none', 'same-origin'].map((value): Header => ['sec-fetch-site', value]),
  ...['a=b; c', '=', '__Host-session=x', 'x=%ZZ', 'session=1; session=2'].map((value): Header => ['cookie', value]),
  ...['0', '-1', '9'.repeat(30), 'x'].map((value): Header => ['last-event-id', value]),
  ['x-http-method-override', 'DELETE'],
  ['x-request-id', 'x'.repeat(200)],
  ['x-forwarded-proto', 'https'],
  ['x-forwarded-host', 'evil.example'],
  ['if-modified-since', 'yesterday'],
  ['if-range', '"x"'],
  ['user-agent', '<script>alert(1)</script>'],
  ['authorization', 'Bearer x'],
  ['id-token', ''],
  ['stripe-signature', 't=1,v1=00'],
  ['x-postmates-signature', '00'],
  ['expect', '100-continue'],
];

/** Usually no header, sometimes one, rarely three. */
export function oddHeaders(): fc.Arbitrary<Header[]> {
  const one = fc.constantFrom(...ODD);
  return fc.oneof(
    { weight: 8, arbitrary: fc.constant<Header[]>([]) },
    { weight: 4, arbitrary: one.map((header) => [header]) },
    { weight: 1, arbitrary: fc.array(one, { minLength: 2, maxLength: 3 }) },
  );
}
