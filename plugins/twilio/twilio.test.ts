import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { OutsideError, optedOut } from 'doorstep/plugin';
import { keepsSmsContract } from '../../test/contracts/sender-contract.ts';
import { readTwilioContract } from '../../test/contracts/twilio-contract.ts';
import { startTwilioDouble, type TwilioTrouble } from '../../test/fakes/twilio-double.ts';
import { holdTimeOuts } from '../../test/time-outs.ts';
import { until } from '../../test/until.ts';
import { createTwilioSmsSender } from './twilio.ts';

const contract = readTwilioContract(join(import.meta.dirname, '../../../shared/data/contracts/twilio-api-v2010.json'));
const skip = contract ? false : '../shared/data/contracts/twilio-api-v2010.json is not here';
const ACCOUNT = `AC${'0123456789abcdef'.repeat(2)}`;
const SERVICE = `MG${'0123456789abcdef'.repeat(2)}`;
/** Long enough that only the test's own clock ends a wait. */
const TIMEOUT_MS = 600_000;
const TEXT = {
  to: '+12125550199',
  body: 'Grocer: your order from Döner & Co is in. Track it: https://t.example/x?y=z',
};

const options = () => ({ accountSid: ACCOUNT, authToken: 'secret', baseUrl: twilio.baseUrl, timeoutMs: TIMEOUT_MS });
const twilio = await startTwilioDouble(contract);
const smsSender = createTwilioSmsSender({ ...options(), from: '+12125550100' });
after(() => twilio.close());

const failsWith = (retryable: boolean) =>
  assert.rejects(
    smsSender.sendText(TEXT),
    (error) =>
      error instanceof OutsideError &&
      error.retryable === retryable &&
      !/2125550199|secret/.test(`${error.stack}${error.cause}`),
  );

test('Twilio keeps the contract of an SMS sender', (t) =>
  keepsSmsContract(t, smsSender, {
    received: () => twilio.taken.length,
    answerNext: (how) => twilio.trouble(how === 'fails for now' ? { status: 500 } : { status: 400, code: 21211 }),
  }));

test('an SMS is accepted once, with its text, number and charged account', async () => {
  const before = twilio.taken.length;
  await smsSender.sendText(TEXT);
  assert.deepEqual(twilio.taken.slice(before), [{ To: TEXT.to, From: '+12125550100', Body: TEXT.body }]);
  const { path, authorization } = twilio.calls.at(-1) ?? assert.fail();
  assert.equal(path, `/2010-04-01/Accounts/${ACCOUNT}/Messages.json`);
  assert.equal(authorization, `Basic ${Buffer.from(`${ACCOUNT}:secret`).toString('base64')}`);
});

test("a messaging service's id is sent as one", async () => {
  await createTwilioSmsSender({ ...options(), from: SERVICE }).sendText(TEXT);
  assert.deepEqual(twilio.taken.at(-1), { To: TEXT.to, MessagingServiceSid: SERVICE, Body: TEXT.body });
});

const TROUBLES: [string, TwilioTrouble, boolean][] = [
  ['an invalid number', { status: 400, code: 21211 }, false],
  ['a number that has said STOP', { status: 400, code: 21610 }, false],
  ['a landline', { status: 400, code: 21614 }, false],
  ['a text too long', { status: 400, code: 21617 }, false],
  ['a full queue', { status: 400, code: 21611 }, true],
  ['a sender that is not ours', { status: 400, code: 21606 }, true],
  ['a country that is not enabled', { status: 400, code: 21408 }, true],
  ['a wrong password', { status: 401, code: 20003 }, true],
  ['a suspended account', { status: 403, code: 20005 }, true],
  ['an unknown account', { status: 404, code: 20404 }, true],
  ['too many at once', { status: 429, code: 20429 }, true],
  ['trouble inside', { status: 500 }, true],
  ['a page instead of an answer', 'html', true],
  ['a page that says 200', 'html_200', true],
  ['a refusal without a code', { status: 400 }, true],
  ['a redirect', { status: 307 }, true],
  ['silence', 'hang', true],
  ['an answer that drips', 'drip', true],
  ['a reset connection', 'reset', true],
  ['a lost answer', 'lose_answer', true],
];
for (const [what, trouble, retryable] of TROUBLES) {
  test(`${what} is ${retryable ? 'tried again' : 'final'}, and its reason holds no number`, {
    timeout: 120_000,
  }, async (t) => {
    twilio.trouble(trouble);
    const earlier = twilio.calls.length;
    const timeOuts = holdTimeOuts(t);
    const failing = failsWith(retryable);
    if (trouble === 'hang' || trouble === 'drip') {
      await until('the call arrives', () => twilio.calls.length > earlier);
      timeOuts.pass(2 * TIMEOUT_MS);
    }
    await failing;
    await smsSender.sendText(TEXT);
  });
}

test('a number that has told Twilio STOP is recorded as opted out', async () => {
  twilio.trouble({ status: 400, code: 21610 });
  await assert.rejects(smsSender.sendText(TEXT), { message: optedOut().message });
});

test('a refused connection and a malformed account id are retried', async () => {
  for (const changes of [{ baseUrl: 'http://127.0.0.1:1' }, { accountSid: 'nonsense' }]) {
    const absent = createTwilioSmsSender({ ...options(), from: '+12125550100', ...changes });
    await assert.rejects(absent.sendText(TEXT), (error) => error instanceof OutsideError && error.retryable);
  }
});

test('the judge finds a wrong path, an unknown name, a missing one and a wrong number', { skip }, () => {
  const path = `/2010-04-01/Accounts/${ACCOUNT}/Messages.json`;
  const countFaults = (form: Record<string, string>, at = path) => contract?.checkRequest(at, form).length;
  assert.equal(countFaults({ To: '+12125550199', From: 'Grocer', Body: 'x' }), 0);
  assert.equal(countFaults({ From: '+12125550199' }), 1);
  assert.equal(countFaults({ To: '2125550199' }), 1);
  assert.equal(countFaults({ To: '+12125550199', Text: 'x' }), 1);
  assert.equal(countFaults({ To: '+12125550199' }, path.replace('ACC', 'AC').replace(ACCOUNT, 'ACx')), 1);
  assert.equal(countFaults({ To: '+12125550199' }, '/2010-04-01/Messages'), 1);
});

test("every request and every answer of the double fits Twilio's published contract", { skip }, () => {
  assert.ok(twilio.calls.length > 30);
  assert.deepEqual([...new Set(twilio.faults)], []);
});
