import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { parseMailbox } from '../../src/notify/outbox/mailbox.ts';
import type { Mail, Mailer } from '../../src/notify/outbox/messaging.ts';
import { OutsideError } from '../../src/platform/lib/outside-error.ts';
import { keepsMailerContract } from '../../test/contracts/sender-contract.ts';
import { givenScriptedSmtp, givenSmtp, type SmtpReceiverOptions } from '../../test/given/smtp.ts';
import { HEADER_PAYLOADS } from '../../test/hostile/markup-payloads.ts';
import { holdTimeOuts } from '../../test/time-outs.ts';
import { until } from '../../test/until.ts';
import { createSmtpMailer } from './smtp.ts';

const MAIL: Mail = {
  messageId: 'msg_1',
  from: { name: 'Grocer & Söhne', address: 'orders@grocer.example' },
  to: 'u1@example.com',
  bcc: null,
  subject: 'Your order from “Döner”',
  text: 'Hello\n.\nFrom here on\n',
  html: '<p>Hello</p>',
  date: Temporal.Instant.from('2026-06-10T17:00:00Z'),
};
/** Long enough that only the test's own clock ends a wait. */
const TIMEOUT_MS = 600_000;
/** A complete mail may take twice the timeout of one response. */
const LONGEST_MS = 2 * TIMEOUT_MS;

async function given(t: TestContext, options: SmtpReceiverOptions = {}, url?: (url: string) => string) {
  const smtp = await givenSmtp(options);
  const mailer = createSmtpMailer({ url: url?.(smtp.url) ?? smtp.url, timeoutMs: TIMEOUT_MS });
  t.after(async () => {
    mailer.close();
    await smtp.close();
  });
  return { smtp, mailer };
}

const failsWith = (mailer: Mailer, retryable: boolean, mail: Mail = MAIL) =>
  assert.rejects(
    mailer.sendMail(mail),
    (error) =>
      error instanceof OutsideError &&
      error.retryable === retryable &&
      !/example\.com|secret/.test(`${error.message}${error.cause ?? ''}`),
  );

test('SMTP keeps the contract of a mailer', async (t) => {
  const { smtp, mailer } = await given(t);
  await keepsMailerContract(t, mailer, {
    received: () => smtp.received.length,
    answerNext: (how) => smtp.trouble({ at: 'rcpt', code: how === 'fails for now' ? 451 : 550 }),
  });
});

test('a mail arrives as it was given: text and HTML, no attachment, its Message-ID and date', async (t) => {
  const { smtp, mailer } = await given(t);
  await mailer.sendMail(MAIL);
  const [{ mail, envelope } = assert.fail()] = smtp.received;
  assert.deepEqual(envelope, { from: 'orders@grocer.example', to: ['u1@example.com'] });
  assert.deepEqual(
    [mail.subject, mail.from?.name, mail.from?.address, mail.to?.map(({ address }) => address)],
    [MAIL.subject, MAIL.from.name, MAIL.from.address, [MAIL.to]],
  );
  assert.deepEqual([mail.text?.trim().split(/\r?\n/), mail.html?.trim()], [MAIL.text.trim().split('\n'), MAIL.html]);
  assert.deepEqual([mail.attachments, mail.cc, mail.bcc], [[], undefined, undefined]);
  assert.deepEqual(
    [mail.messageId, new Date(mail.date ?? '').toISOString()],
    ['<msg_1@grocer.example>', '2026-06-10T17:00:00.000Z'],
  );
  assert.equal(mail.headers.find(({ key }) => key === 'auto-submitted')?.value, 'auto-generated');
});

test('a blind copy appears only in the envelope', async (t) => {
  const { smtp, mailer } = await given(t);
  await mailer.sendMail({ ...MAIL, bcc: 'bcc@grocer.example' });
  const [{ raw, envelope } = assert.fail()] = smtp.received;
  assert.deepEqual(envelope.to, ['u1@example.com', 'bcc@grocer.example']);
  assert.doesNotMatch(raw, /^bcc:|bcc@/im);
});

test('no subject or name adds a header, a recipient or a body', async (t) => {
  const { smtp, mailer } = await given(t);
  for (const payload of HEADER_PAYLOADS) {
    const from = parseMailbox(`${payload} <orders@grocer.example>`);
    await mailer.sendMail({ ...MAIL, subject: payload, from: { ...from, address: MAIL.from.address } });
  }
  assert.equal(smtp.received.length, HEADER_PAYLOADS.length);
  const keys = new Set(
    smtp.received.map(({ mail }) =>
      mail.headers
        .map(({ key }) => key)
        .sort()
        .join(),
    ),
  );
  assert.equal(keys.size, 1, [...keys].join('\n'));
  for (const { envelope, mail } of smtp.received) {
    assert.deepEqual(envelope, { from: 'orders@grocer.example', to: ['u1@example.com'] });
    assert.deepEqual([mail.from?.address, mail.to?.length, mail.html?.trim()], [MAIL.from.address, 1, MAIL.html]);
  }
});

test('an invalid address fails permanently, before any server is contacted', async (t) => {
  const { smtp, mailer } = await given(t);
  for (const to of ['u1', 'u1@example.com, evil@evil.example', 'u1@example.com\r\nRCPT TO:<evil@evil.example>']) {
    await failsWith(mailer, false, { ...MAIL, to });
  }
  await failsWith(mailer, false, { ...MAIL, bcc: 'a@b.example>' });
  assert.equal(smtp.received.length, 0);
});

const REFUSALS = [
  [{ at: 'rcpt', code: 450 }, true],
  [{ at: 'rcpt', code: 550 }, false],
  [{ at: 'mail', code: 451 }, true],
  [{ at: 'mail', code: 553 }, true],
  [{ at: 'data', code: 452 }, true],
  [{ at: 'data', code: 554 }, false],
  [{ at: 'data', hang: 'silence' }, true],
] as const;

for (const [trouble, retryable] of REFUSALS) {
  const what = 'hang' in trouble ? trouble.hang : trouble.code;
  test(`${what} at ${trouble.at} is ${retryable ? 'tried again' : 'final'}, and the next mail goes through`, {
    timeout: 120_000,
  }, async (t) => {
    const { smtp, mailer } = await given(t);
    const timeOuts = holdTimeOuts(t);
    const hang = () => timeOuts.pass(LONGEST_MS);
    smtp.trouble('hang' in trouble ? { ...trouble, hang } : trouble);
    await failsWith(mailer, retryable);
    await mailer.sendMail(MAIL);
    assert.equal(smtp.received.length, 1);
  });
}

test('a mail accepted only for the blind copy has failed', async (t) => {
  const { smtp, mailer } = await given(t);
  smtp.trouble({ at: 'bcc-only', code: 450 });
  await failsWith(mailer, true, { ...MAIL, bcc: 'bcc@grocer.example' });
  smtp.trouble({ at: 'bcc-only', code: 550 });
  await failsWith(mailer, false, { ...MAIL, bcc: 'bcc@grocer.example' });
});

test('mail refused for a wrong password is retried until the operator fixes it', async (t) => {
  const { mailer } = await given(t, { user: 'u', password: 'secret' }, (url) => url.replace('secret', 'secret2'));
  await failsWith(mailer, true);
});

test('the right password lets mail through', async (t) => {
  const { smtp, mailer } = await given(t, { user: 'u', password: 'se/cr%et' }, (url) =>
    url.replace('se/cr%et', encodeURIComponent('se/cr%et')),
  );
  await mailer.sendMail(MAIL);
  assert.equal(smtp.received.length, 1);
});

test('STARTTLS is used where it is offered', async (t) => {
  const { smtp, mailer } = await given(t, { tls: true });
  await mailer.sendMail(MAIL);
  assert.deepEqual(
    smtp.received.map(({ isEncrypted }) => isEncrypted),
    [true],
  );
});

const greet = (line: string) =>
  line === '' ? '220 hi\r\n' : /^(EHLO|HELO|MAIL|RCPT|RSET)/.test(line) ? '250 ok\r\n' : undefined;
type Script = Parameters<typeof givenScriptedSmtp>[0];
/**
 * Each server's name, its script, and its last answered line; scripts without such a line end by
 * themselves.
 */
const SCRIPTS: [string, Script, RegExp?][] = [
  ['never greets', () => undefined, /^$/],
  ['hangs up at once', () => 'hang up'],
  ['refuses everybody', () => '554 no service\r\n'],
  ['speaks another language', () => 'HTTP/1.1 400 Bad Request\r\n\r\n'],
  ['hangs up within DATA', (line) => (line === 'DATA' ? '354 go\r\n' : (greet(line) ?? 'hang up'))],
  ['says nothing after DATA', (line) => (line === 'DATA' ? '354 go\r\n' : greet(line)), /^\.$/],
  ['never ends its greeting', (line) => (line === '' ? '220-hi\r\n' : '250-x\r\n'), /^$/],
];
for (const [what, answerTo, lastLine] of SCRIPTS) {
  test(`a server that ${what} fails within the time-out, to be tried again`, { timeout: 120_000 }, async (t) => {
    const commands: string[] = [];
    const smtp = await givenScriptedSmtp((line, count) => {
      commands.push(line);
      return answerTo(line, count);
    });
    const mailer = createSmtpMailer({ url: smtp.url, timeoutMs: TIMEOUT_MS });
    t.after(() => Promise.all([mailer.close(), smtp.close()]));
    const timeOuts = holdTimeOuts(t);
    const failing = failsWith(mailer, true);
    if (lastLine) {
      await until('the server has its last line', () => commands.some((line) => lastLine.test(line)));
      timeOuts.pass(LONGEST_MS);
    }
    await failing;
    assert.ok(smtp.connections() <= 2);
  });
}

test('a refused connection is retried', async () => {
  const smtp = await givenSmtp();
  await smtp.close();
  const mailer = createSmtpMailer({ url: smtp.url, timeoutMs: TIMEOUT_MS });
  await failsWith(mailer, true);
  mailer.close();
});
