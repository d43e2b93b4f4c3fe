import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createPublicHttp } from 'doorstep/public-http';
import { Refusal } from '../../src/platform/http/refusal.ts';
import { PlatformProfiles } from '../../src/surfaces/ucp/platform-profiles.cache.ts';
import { holdTimeOuts } from '../time-outs.ts';
import { givenPlatform, newKey, type Platform, profileOf } from './platform.ts';

/** Profiles of hostile platforms, read as the service reads them. */

const PUBLIC = ['93.184.215.14'];
let platform: Platform;
let nowMs = 0;
const clock = { now: () => Temporal.Instant.fromEpochMilliseconds(nowMs) };
const toleratesPrivate = createPublicHttp({ allowPrivate: true });

before(async () => {
  platform = await givenPlatform();
});
after(async () => {
  toleratesPrivate.close();
  await platform.close();
});

const profiles = (publicHttp = toleratesPrivate) => new PlatformProfiles({ publicHttp, clock });
const codeOf = (read: Promise<unknown>) =>
  read.then(
    () => 'read',
    (error) => (error instanceof Refusal ? error.code : String(error)),
  );

test('private addresses, by number or by name, and other schemes, ports and users are no profile', async () => {
  const resolveName = async (name: string) => (name === 'inside.example' ? ['10.0.0.1'] : PUBLIC);
  const guarded = profiles(createPublicHttp({ allowPrivate: false, resolveName }));
  for (const url of [
    'http://platform.example/profile',
    'https://127.0.0.1/profile',
    'https://[::1]/profile',
    'https://169.254.169.254/latest/meta-data',
    'https://2130706433/',
    'https://inside.example/profile',
    'https://localhost/profile',
    'https://platform.example:22/profile',
    'https://user:secret@platform.example/profile',
    'file:///etc/passwd',
    `https://platform.example/${'x'.repeat(3000)}`,
    '',
  ]) {
    assert.equal(await codeOf(guarded.of(url, 'client')), 'invalid_profile_url', url);
  }
});

test('a name that leads to a private address at the next read is refused then', async (t) => {
  const timeOuts = holdTimeOuts(t);
  let requests = 0;
  const resolveName = async () => {
    requests += 1;
    return requests === 1 ? PUBLIC : ['127.0.0.1'];
  };
  const guarded = profiles(createPublicHttp({ allowPrivate: false, resolveName }));
  const url = 'https://rebinding.example:4443/profile';
  const first = codeOf(guarded.of(url, 'client'));
  await timeOuts.passUntilEnd(first);
  assert.equal(await first, 'profile_unreachable');
  nowMs += 60_000;
  assert.equal(await codeOf(guarded.of(url, 'client')), 'invalid_profile_url');
});

test('ten megabytes, an endless answer and a silent one end at their limits', async (t) => {
  const timeOuts = holdTimeOuts(t);
  const large = platform.publish('/ten', JSON.stringify({ ...profileOf(), pad: 'x'.repeat(10 * 1024 * 1024) }));
  const silent = platform.publish('/silent', () => {});
  const endless = platform.publish('/endless', (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const timer = setInterval(() => response.write(' '.repeat(65_536)), 1);
    response.on('close', () => clearInterval(timer));
  });
  const known = profiles();
  assert.equal(await codeOf(known.of(large, 'client')), 'profile_malformed');
  assert.equal(await codeOf(known.of(endless, 'client')), 'profile_malformed');
  const read = codeOf(known.of(silent, 'client'));
  await timeOuts.passUntilEnd(read);
  assert.equal(await read, 'profile_unreachable');
});

test('a profile that drips, or that ends in the middle, is unreachable', async (t) => {
  const timeOuts = holdTimeOuts(t);
  const begun = Promise.withResolvers<void>();
  const drips = platform.publish('/drips', (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write(JSON.stringify(profileOf()).slice(0, 20), () => begun.resolve());
  });
  const known = profiles();
  const read = codeOf(known.of(drips, 'client'));
  await begun.promise;
  await timeOuts.passUntilEnd(read);
  assert.equal(await read, 'profile_unreachable');
  const cut = platform.publish('/cut', (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '5000' });
    response.write('{', () => response.destroy());
  });
  assert.equal(await codeOf(known.of(cut, 'client')), 'profile_unreachable');
});

test('of a client sixteen requests wait for profiles and fifty for those; another client reads on', async () => {
  const open: (() => void)[] = [];
  const slow = platform.publish('/slow', (response) => void open.push(() => response.end(JSON.stringify(profileOf()))));
  const quick = platform.publish('/quick', profileOf());
  const patient = createPublicHttp({ allowPrivate: true });
  const known = profiles(patient);
  const reads = Array.from({ length: 80 }, (_, nth) => codeOf(known.of(`${slow}?${nth % 20}`, 'heavy')));
  assert.equal(await codeOf(known.of(quick, 'light')), 'read');
  const refused = await Promise.all(reads.slice(66));
  assert.deepEqual(new Set(refused), new Set(['rate_limited']));
  assert.equal(await codeOf(known.of(quick, 'heavy')), 'read');
  patient.close();
});

test('a failure is read again after ten seconds, a profile after a minute', async () => {
  const known = profiles();
  const url = platform.publish('/late', 'not yet');
  assert.equal(await codeOf(known.of(url, 'client')), 'profile_malformed');
  platform.publish('/late', profileOf());
  nowMs += 9_999;
  assert.equal(await codeOf(known.of(url, 'client')), 'profile_malformed');
  nowMs += 1;
  assert.equal(await codeOf(known.of(url, 'client')), 'read');
  nowMs += 59_999;
  await known.of(url, 'client');
  assert.equal(platform.readsOf('/late'), 2);
  nowMs += 1;
  await known.of(url, 'client');
  assert.equal(platform.readsOf('/late'), 3);
});

test('unknown keys make a profile read no more than once a minute, and its first read doesn’t count', async () => {
  const known = profiles();
  const url = platform.publish('/keys', profileOf([newKey('a')]));
  await known.of(url, 'client');
  for (let times = 0; times < 5; times += 1) await known.again(url, 'client');
  assert.equal(platform.readsOf('/keys'), 2);
  nowMs += 59_999;
  await known.again(url, 'client');
  assert.equal(platform.readsOf('/keys'), 2);
  nowMs += 1;
  await known.again(url, 'client');
  assert.equal(platform.readsOf('/keys'), 3);
});
