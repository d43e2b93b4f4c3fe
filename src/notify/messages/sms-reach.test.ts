import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getCountryCallingCode, getExampleNumber, isSupportedCountry } from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/mobile/examples';
import { isInSmsReach } from '../../platform/lib/numbering-plan.ts';
import { limitSmsReach } from './sms-reach.ts';

const HOME = ['US', 'CA'];

test('numbers of the US and Canada are in reach, all other countries of +1 are not', () => {
  for (const number of ['+12125550199', '+13125550123', '+16045550142', '+18005551234', '+14165551234']) {
    assert.equal(isInSmsReach(number, HOME), true, number);
  }
  const others = [...'AG AI BB BM BS DM DO GD JM KN KY LC MS SX TC TT VC VG'.split(' ')];
  const territories = ['AS', 'GU', 'MP', 'PR', 'VI'];
  for (const country of [...others, ...territories]) {
    assert.ok(isSupportedCountry(country) && getCountryCallingCode(country) === '1', country);
    const { number } = getExampleNumber(country, examples) ?? assert.fail(country);
    assert.equal(isInSmsReach(number, HOME), false, `${country} ${number}`);
    assert.equal(isInSmsReach(number, [...HOME, country]), true, `${country} ${number}`);
  }
});

test('an area code that no country is known for counts as the US', () => {
  assert.deepEqual([isInSmsReach('+15555550100', HOME), isInSmsReach('+15555550100', ['JM'])], [true, false]);
});

test('premium, shared-cost and personal ranges are never in reach, whatever countries are set', () => {
  for (const number of ['+19005551234', '+12129765555', '+15005551234', '+449012345678', '+447012345678']) {
    assert.equal(isInSmsReach(number, [...HOME, 'GB']), false, number);
  }
  assert.equal(isInSmsReach('+447400123456', [...HOME, 'GB']), true);
  assert.equal(isInSmsReach('+447400123456', HOME), false);
});

test('an invalid number is unreachable', () => {
  for (const number of ['', '+', '+999123456789', 'Doorstep', '+1'])
    assert.equal(isInSmsReach(number, HOME), false, number);
});

test('the SMS sender makes no call for a number out of reach, and is not asked again', async () => {
  const texts: string[] = [];
  const smsSender = limitSmsReach({ sendText: async ({ to }) => void texts.push(to) }, HOME);
  await smsSender.sendText({ to: '+12125550199', body: 'a' });
  await assert.rejects(smsSender.sendText({ to: '+18765551234', body: 'b' }), {
    name: 'OutsideError',
    retryable: false,
  });
  assert.deepEqual(texts, ['+12125550199']);
});
