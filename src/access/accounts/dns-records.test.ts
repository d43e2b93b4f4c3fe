import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OutsideError } from '../../platform/lib/outside-error.ts';
import { checkRecords, listRecords } from './dns-records.flow.ts';
import { type DnsLookup, judgeRecord, mailDomainOf, senderRecords, trackingRecords } from './dns-records.ts';

const OPERATOR = { mailFrom: 'Orders <orders@mail.service.example>', trackingUrl: 'https://track.service.example/x' };
const BRANDING = { fromAddress: 'hello@pizza.example', trackingHost: 'tracking.pizza.example' };
const RIGHT = {
  'A track.service.example': ['203.0.113.9'],
  'AAAA track.service.example': ['2001:db8::9'],
  'CNAME doorstep._domainkey.pizza.example': ['doorstep._domainkey.mail.service.example'],
  'CNAME bounce.pizza.example': ['bounce.mail.service.example'],
  'TXT pizza.example': ['google-site-verification=x', 'v=spf1 ip4:192.0.2.0/24 include:mail.service.example -all'],
  'TXT _dmarc.pizza.example': ['v=DMARC1; p=reject'],
  'A tracking.pizza.example': ['203.0.113.9'],
  'AAAA tracking.pizza.example': ['2001:db8::9'],
};

/** A DNS stub from a table; null means no response. */
function givenDns(table: Record<string, readonly string[] | null>): DnsLookup {
  return async (type, name) => {
    const found = table[`${type} ${name}`] ?? [];
    if (table[`${type} ${name}`] === null) throw new OutsideError('dns', 'silent', { retryable: true });
    return found;
  };
}

async function lookUpStates(table: Record<string, readonly string[] | null>): Promise<Record<string, string>> {
  const lookUp = givenDns(table);
  const checked = await checkRecords(await listRecords(BRANDING, OPERATOR, lookUp), lookUp);
  return Object.fromEntries(checked.map(({ type, name, state }) => [`${type} ${name}`, state]));
}

test('the sender’s domain points its signing key and its return path to the operator’s mail domain', () => {
  const records = senderRecords('hello@pizza.example', mailDomainOf(OPERATOR.mailFrom));
  assert.deepEqual(
    records.map(({ type, name, values, required }) => [type, name, ...values, required]),
    [
      ['CNAME', 'doorstep._domainkey.pizza.example', 'doorstep._domainkey.mail.service.example', true],
      ['CNAME', 'bounce.pizza.example', 'bounce.mail.service.example', true],
      ['TXT', 'pizza.example', 'v=spf1 include:mail.service.example ~all', true],
      ['TXT', '_dmarc.pizza.example', 'v=DMARC1; p=none', false],
    ],
  );
});

test('an address of the operator’s own domain needs no records', () => {
  assert.deepEqual(senderRecords('pizza@mail.service.example', 'mail.service.example'), []);
});

test('while MAIL_FROM names no mail domain, the records say so and have no values', () => {
  assert.equal(mailDomainOf('Doorstep <doorstep@localhost>'), undefined);
  assert.equal(mailDomainOf('doorstep@Example.COM'), 'example.com');
  const records = senderRecords('hello@pizza.example', undefined).filter(({ required }) => required);
  assert.equal(records.length, 3);
  for (const { values, note } of records) assert.deepEqual([values, /MAIL_FROM/.test(note ?? '')], [[], true]);
});

test('a tracking host has an A record for each IPv4 address of the service, and AAAA for IPv6', () => {
  const shown = (addresses: string[]) =>
    trackingRecords('tracking.pizza.example', addresses).map(({ type, values }) => [type, ...values]);
  assert.deepEqual(shown(['203.0.113.9', '2001:db8::9', '203.0.113.10']), [
    ['A', '203.0.113.9', '203.0.113.10'],
    ['AAAA', '2001:db8::9'],
  ]);
  assert.deepEqual(shown(['2001:db8::9']), [['AAAA', '2001:db8::9']]);
  assert.deepEqual(shown([]), [['A']]);
});

test('the service’s address is its name’s, or the one in TRACKING_URL, and never this machine’s loopback', async () => {
  const valuesFor = async (trackingUrl: string, table = {}) => {
    const branding = { ...BRANDING, fromAddress: null };
    const records = await listRecords(branding, { ...OPERATOR, trackingUrl }, givenDns(table));
    return records.map(({ type, values }) => [type, ...values]);
  };
  assert.deepEqual(await valuesFor('http://203.0.113.9:8080'), [['A', '203.0.113.9']]);
  assert.deepEqual(await valuesFor('http://[2001:db8::9]'), [['AAAA', '2001:db8::9']]);
  assert.deepEqual(await valuesFor('http://127.0.0.1:8080'), [['A']]);
  assert.deepEqual(await valuesFor('http://[::1]'), [['A']]);
  assert.deepEqual(await valuesFor('http://localhost', { 'A localhost': ['127.0.0.1'] }), [['A']]);
  assert.deepEqual(await valuesFor('https://track.example', { 'A track.example': null }), [['A']]);
  assert.deepEqual(await listRecords({ fromAddress: null, trackingHost: null }, OPERATOR, givenDns({})), []);
});

test('records as they were asked for are all ok', async () => {
  const states = await lookUpStates(RIGHT);
  assert.deepEqual(Object.values(states), ['ok', 'ok', 'ok', 'ok', 'ok', 'ok']);
});

test('each absent record is missing, and no other', async () => {
  for (const key of Object.keys(RIGHT).filter((each) => each.includes('pizza'))) {
    const states = await lookUpStates({ ...RIGHT, [key]: [] });
    for (const [name, state] of Object.entries(states)) assert.equal(state, name === key ? 'missing' : 'ok', name);
  }
});

test('a record with something else is different, and tells what is there', async () => {
  const wrong = {
    'CNAME doorstep._domainkey.pizza.example': ['doorstep._domainkey.elsewhere.example'],
    'CNAME bounce.pizza.example': ['elsewhere.example'],
    'TXT pizza.example': ['v=spf1 include:elsewhere.example include:mail.service.example.org -all'],
    'TXT _dmarc.pizza.example': ['v=DMARC1; p=none', 'v=DMARC1; p=reject'],
    'A tracking.pizza.example': ['203.0.113.9', '198.51.100.1'],
    'AAAA tracking.pizza.example': ['2001:db8::1'],
  };
  assert.deepEqual(new Set(Object.values(await lookUpStates({ ...RIGHT, ...wrong }))), new Set(['different']));
  const [record] = senderRecords('hello@pizza.example', 'mail.service.example');
  assert.ok(record);
  assert.deepEqual(judgeRecord(record, ['elsewhere.example']).found, ['elsewhere.example']);
});

test('two SPF records are different, as receivers refuse both; a text that only begins alike is none', async () => {
  const spf = 'v=spf1 include:mail.service.example ~all';
  const stateWith = async (...texts: string[]) =>
    (await lookUpStates({ ...RIGHT, 'TXT pizza.example': texts }))['TXT pizza.example'];
  assert.equal(await stateWith(spf), 'ok');
  assert.equal(await stateWith('V=SPF1 INCLUDE:MAIL.SERVICE.EXAMPLE'), 'ok');
  assert.equal(await stateWith(spf, 'v=spf1 -all'), 'different');
  assert.equal(await stateWith('v=spf10 include:mail.service.example'), 'missing');
});

test('some of the service’s addresses will do', async () => {
  const states = await lookUpStates({ ...RIGHT, 'A track.service.example': ['203.0.113.9', '203.0.113.10'] });
  assert.equal(states['A tracking.pizza.example'], 'ok');
});

test('a record that DNS does not answer for, or that nothing can be compared with, is unknown', async () => {
  const states = await lookUpStates({
    ...RIGHT,
    'CNAME bounce.pizza.example': null,
    'A track.service.example': [],
    'AAAA track.service.example': [],
  });
  assert.equal(states['CNAME bounce.pizza.example'], 'unknown');
  assert.equal(states['A tracking.pizza.example'], 'unknown');
  assert.equal(states['TXT pizza.example'], 'ok');
});
