import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainBranding } from '../../access/accounts/branding.ts';
import type { Customer } from '../../ordering/order/order.ts';
import { prefersJson } from '../../platform/http/prefers-json.ts';
import type { Language } from '../../platform/languages/language.ts';
import type { MapTiles } from '../../platform/lib/parse-setting.ts';
import { localeOf } from '../../texts/catalogs.ts';
import { brandOf, hostNameOf, siteSecurity } from './brand.ts';
import { minutesLeft } from './minutes-left.ts';
import { destinationWords, initialOf, storeAddressWords } from './page-words.ts';

const left = (earliest: number, latest: number, language: Language = 'en') =>
  minutesLeft({ earliestEpochS: earliest * 60, latestEpochS: latest * 60 }, 0, localeOf(language, 'US').words.live);

test('minutes are a range, a bound, a number, and in the end words', () => {
  assert.deepEqual(
    [left(12, 22), left(-3, 7), left(4, 4), left(-9, 0), left(-9, -4), left(-9, -5), left(80, 91)],
    ['12–22 min', 'Within 7 min', '4 min', 'Any minute now', 'Any minute now', 'Running late', ''],
  );
  assert.deepEqual([left(12, 22, 'fr'), left(-3, 7, 'es')], ['12 à 22 min', 'En menos de 7 min']);
});

const HOME = { streetNum: '10', streetName: 'W 21st St', city: 'New York', state: 'NY', zipcode: '10010' } as Customer;

test('a destination has no house number and no zipcode, wherever they were written', () => {
  const words = (changes: Partial<Customer>) => destinationWords({ ...HOME, ...changes });
  assert.equal(words({}), 'W 21st St, New York, NY');
  assert.equal(words({ streetName: '10 W 21st St' }), 'W 21st St, New York, NY');
  assert.equal(words({ streetName: '5th Ave' }), '5th Ave, New York, NY');
  assert.equal(words({ streetName: 'W 21st St #10' }), 'New York, NY');
  assert.equal(words({ city: 'New York 10010' }), 'W 21st St, NY');
  assert.equal(words({ streetNum: '', streetName: '12B Main St' }), 'Main St, New York, NY');
  assert.equal(words({ streetNum: '1', streetName: '10th St' }), '10th St, New York, NY');
  assert.equal(words({ streetNum: '12', streetName: '12 Mile Rd' }), '12 Mile Rd, New York, NY');
  assert.equal(words({ streetNum: '', streetName: 'RR 2 Box 15' }), 'RR 2, New York, NY');
});

test("a store's address is said without postal code and country", () => {
  assert.equal(storeAddressWords('120 5th Ave, New York, NY 10011, US'), '120 5th Ave, New York, NY');
  assert.equal(storeAddressWords('1 Rue X, Montréal, QC H2X 1Y4, CA'), '1 Rue X, Montréal, QC');
});

test('JSON is for clients that put it above HTML', () => {
  const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
  assert.deepEqual(
    [
      undefined,
      browser,
      '*/*',
      'application/json',
      'text/html;q=0.5, application/json',
      'application/json;q=0.1, text/html',
    ].map(prefersJson),
    [false, false, false, true, true, false],
  );
});

test('a host is known by its name alone', () => {
  assert.deepEqual(['Track.Example:8080', 'track.example.', '[::1]:80', 'a b', undefined].map(hostNameOf), [
    'track.example',
    'track.example',
    '[::1]',
    '',
    '',
  ]);
});

test('no logo and no tile server can add to the policy', () => {
  const policy = (logoUrl: string | null, mapTiles?: MapTiles) =>
    `${siteSecurity({ trackingUrl: 'http://x', mapTiles }, brandOf({ ...plainBranding('a'), logoUrl }))['content-security-policy']};`;
  const plain = policy(null);
  for (const url of [
    'javascript:1',
    "https://x;script-src'unsafe-inline'.example/",
    'data:image/png,x',
    'https://é;x/',
  ]) {
    assert.equal(policy(url), plain, url);
  }
  assert.match(policy('https://logo.example/a;script-src *'), /img-src 'self' data: https:\/\/logo\.example;/);
  const contacts = (url: string) => /connect-src ([^;]*);/.exec(policy(null, { url }))?.[1];
  assert.equal(contacts('https://{s}.tile.example/{z}/{x}/{y}.png'), "'self' https://*.tile.example");
  assert.equal(contacts('http://127.0.0.1:9/{z}/{x}/{y}.png'), "'self' http://127.0.0.1:9");
  assert.equal(contacts('https://tile.example/town.pmtiles?key=k'), "'self' https://tile.example");
  assert.equal(contacts("https://x;script-src'unsafe-inline'.example/{z}/{x}/{y}.png"), "'self'");
  assert.equal(policy(null, { file: '/maps/town.pmtiles' }), plain);
});

test('a name is shown by its first letter as a reader sees it', () => {
  assert.deepEqual(['ana', 'Émile', '👩🏽‍🍳 Mia', 'e\u0301lan', ''].map(initialOf), [
    'A',
    'É',
    '👩🏽‍🍳',
    'E\u0301',
    '',
  ]);
});
