import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../../test/runs.ts';
import {
  type Parsed,
  parseColor,
  parseDisplayName,
  parseHelpPhone,
  parseMailAddress,
  parsePublicLink,
  parseReorderUrl,
  parseTrackingHost,
  reorderUrlOf,
} from './branding-fields.ts';

type Parse = (text: string) => Parsed<string>;

function assertRead(parse: Parse, cases: Record<string, string>): void {
  for (const [text, value] of Object.entries(cases)) assert.deepEqual(parse(text), { value }, text);
}

function assertRefused(parse: Parse, texts: readonly string[]): void {
  for (const text of texts)
    assert.match(JSON.stringify(parse(text)), /^\{"fault":"must [^"]+[^".]"\}$/, JSON.stringify(text));
}

test('a display name is one line of 1 to 60 visible characters, as it was given', () => {
  assertRead(parseDisplayName, {
    ' Pizza Palace ': 'Pizza Palace',
    'Café “L’Été” <&> 🍕': 'Café “L’Été” <&> 🍕',
    'Cafe\u0301': 'Café',
    [`${'🍕'.repeat(60)}`]: '🍕'.repeat(60),
    مطعم: 'مطعم',
  });
  assertRefused(parseDisplayName, [
    'a'.repeat(61),
    'Pizza\nBcc: x@example.com',
    'Pi\u0000zza',
    'Pi\u0085zza',
    'Pi\u2028zza',
    'Pizza \u202Eelpmaxe',
    'Pizza\ud800',
    '\u200B',
    '',
  ]);
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (text) => {
      const parsed = parseDisplayName(text);
      if ('value' in parsed) assert.match(parsed.value, /^[^\p{Cc}]{1,120}$/u);
    }),
  );
});

test('a logo is fetched over https, on this machine over http too, and never with a password', () => {
  assertRead(parsePublicLink, {
    'https://cdn.example.com/logo.png?v=2': 'https://cdn.example.com/logo.png?v=2',
    'HTTPS://CDN.Example.com/a b"c.png': 'https://cdn.example.com/a%20b%22c.png',
    'https://bücher.example/l.svg': 'https://xn--bcher-kva.example/l.svg',
    'https://203.0.113.9/l.png': 'https://203.0.113.9/l.png',
    'https://[2001:db8::1]:8443/l.png': 'https://[2001:db8::1]:8443/l.png',
    'http://localhost:9000/l.png': 'http://localhost:9000/l.png',
    'http://127.0.0.1/l.png': 'http://127.0.0.1/l.png',
    'http://[::1]/l.png': 'http://[::1]/l.png',
  });
  assertRefused(parsePublicLink, [
    'logo.png',
    '//cdn.example.com/logo.png',
    'http://cdn.example.com/logo.png',
    'http://127.0.0.1.example.com/logo.png',
    'http://10.0.0.1/logo.png',
    'ftp://cdn.example.com/logo.png',
    'javascript:alert(1)',
    'data:image/png;base64,AAAA',
    'https://user:password@cdn.example.com/logo.png',
    'https://user@cdn.example.com/logo.png',
    "https://cdn.example.com;script-src'unsafe-inline'/logo.png",
    'https://cdn,example.com/logo.png',
    `https://cdn.example.com/${'a'.repeat(2048)}`,
  ]);
});

test('an address is one plain address, its domain in ASCII and lower case', () => {
  assertRead(parseMailAddress, {
    'Orders@Example.COM': 'Orders@example.com',
    ' a.b+c@mail.example.co.uk ': 'a.b+c@mail.example.co.uk',
    'orders@bücher.example': 'orders@xn--bcher-kva.example',
  });
  assertRefused(parseMailAddress, [
    'orders',
    '@example.com',
    'orders@',
    'orders@localhost',
    'Orders <orders@example.com>',
    'a@example.com,b@example.com',
    'a@example.com b@example.com',
    'a@b@example.com',
    'a..b@example.com',
    '.a@example.com',
    'a@example.com\r\nBcc: b@example.com',
    'a\n@example.com',
    '"a b"@example.com',
    'jürgen@example.com',
    'orders@192.0.2.1',
    'orders@[192.0.2.1]',
    `${'a'.repeat(65)}@example.com`,
    `a@${'a.'.repeat(126)}com`,
  ]);
});

test('a tracking host is a host name in ASCII and lower case', () => {
  assertRead(parseTrackingHost, {
    'Tracking.Example.COM': 'tracking.example.com',
    'tracking.example.com.': 'tracking.example.com',
    'orders.bücher.example': 'orders.xn--bcher-kva.example',
    'tracking。example．com': 'tracking.example.com',
    'xn--bcher-kva.example': 'xn--bcher-kva.example',
    [`${'a'.repeat(63)}.example`]: `${'a'.repeat(63)}.example`,
  });
  assertRefused(parseTrackingHost, [
    'tracking',
    'localhost',
    'https://tracking.example.com',
    'tracking.example.com/orders',
    'tracking.example.com:8080',
    'user@tracking.example.com',
    'tracking.example.com?x',
    'tracking.example.com#x',
    'tracking%2Eexample.com',
    'tracking example.com',
    '192.0.2.1',
    '0xc0.0.2.1',
    '3221225985',
    '192.0.513',
    '[2001:db8::1]',
    '2001:db8::1',
    'tracking..example.com',
    '.example.com',
    '-tracking.example.com',
    'tracking-.example.com',
    'tracking_1.example.com',
    '*.example.com',
    "tracking';example.com",
    `${'a'.repeat(64)}.example`,
    `${'a.'.repeat(127)}com`,
  ]);
});

test('a parsed host name parses to itself', () => {
  const label = fc.stringMatching(/^[a-zA-Z0-9]([a-zA-Z0-9-]{0,20}[a-zA-Z0-9])?$/);
  const dotted = fc.array(label, { minLength: 2, maxLength: 4 }).map((labels) => labels.join('.'));
  const anything = fc.oneof(dotted, fc.domain(), fc.string({ unit: 'binary' }), fc.webUrl(), fc.ipV4(), fc.ipV6());
  fc.assert(
    fc.property(anything, (text) => {
      const parsed = parseTrackingHost(text);
      if ('fault' in parsed) return;
      assert.match(parsed.value, /^([a-z0-9]([a-z0-9-]*[a-z0-9])?(\.(?!$)|$)){2,}$/);
      assert.equal(URL.parse(`https://${parsed.value}/`)?.hostname, parsed.value);
      assert.deepEqual(parseTrackingHost(parsed.value), parsed);
    }),
    { numRuns: runs(1000) },
  );
  fc.assert(fc.property(fc.domain(), (domain) => assert.deepEqual(parseTrackingHost(domain), { value: domain })));
});

test('a color has six hexadecimal digits', () => {
  assertRead(parseColor, { '#0B6B4A': '#0b6b4a', ' #ffffff ': '#ffffff' });
  assertRefused(parseColor, ['', 'green', '#fff', '0b6b4a', '#0b6b4a80', '#0b6b4g', '#0b6b4a;x', 'url(x)']);
});

test('a phone number for help is one whole number, kept with its country code', () => {
  assertRead(parseHelpPhone, {
    '(212) 555-0123': '+12125550123',
    '+44 20 7946 0018': '+442079460018',
    '1-604-555-0123': '+16045550123',
  });
  assertRefused(parseHelpPhone, ['', '911', 'call us', '2125550123 ext. 4', '+1']);
});

test('a reorder link is an https URL of a fixed host, with known placeholders', () => {
  for (const url of [
    'https://shop.example/again?order={order_id}&store={store_id}',
    'https://shop.example/{customer_order_id}#{order_id}',
    'https://shop.example/',
  ]) {
    assertRead(parseReorderUrl, { [` ${url} `]: url });
  }
  assertRefused(parseReorderUrl, [
    '',
    '{order_id}',
    'http://shop.example/{order_id}',
    'javascript:alert({order_id})',
    'https://{store_id}.shop.example/',
    'https://shop.example{order_id}/',
    'https://shop.example:{order_id}/',
    'https://{order_id}@shop.example/',
    'https://shop.example/{name}',
    'https://shop.example/{order_id',
    `https://shop.example/${'a'.repeat(1000)}`,
  ]);
});

test('whatever an id holds, a reorder link stays one URL of its host', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (id) => {
      const ids = { order_id: id, store_id: id, customer_order_id: id };
      const url = new URL(reorderUrlOf('https://shop.example/a?order={order_id}&own={customer_order_id}', ids));
      assert.equal(url.origin, 'https://shop.example');
      assert.deepEqual([url.searchParams.get('order'), url.searchParams.get('own')], [id, id]);
    }),
  );
});
