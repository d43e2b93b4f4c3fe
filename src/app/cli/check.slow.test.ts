import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { freePort, givenDatabase, startCommand } from '../../../test/given/command.ts';
import { givenCommandHost } from '../../../test/given/command-host.ts';
import { givenFolder } from '../../../test/given/folder.ts';
import { givenSmtp } from '../../../test/given/smtp.ts';
import { askParties } from '../adapters/party-questions.ts';
import { readSettings } from '../wiring/read-settings.ts';

type Finding = { subject: string; state: 'ok' | 'warning' | 'error'; text: string };

const folder = givenFolder('doorstep-check');
const host = givenCommandHost();
const { runCommand, runJson } = host;
const database = await givenDatabase();
after(async () => {
  await host.close();
  await database.drop();
});

const TWILIO = { TWILIO_ACCOUNT_SID: `AC${'0a'.repeat(16)}`, TWILIO_AUTH_TOKEN: 't', TWILIO_FROM: '+12125550100' };

/** Answers every request with a status, and records the requests. */
async function givenParty(status: number) {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    response.writeHead(status).end();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, requests, close: () => server.close() };
}

test('a sound set-up is 0 with a row for each thing, as a table and as JSON, and the database stays as it is', async () => {
  const { status, body } = await runJson(['check', '--strict'], database.env);
  const findings: Finding[] = body.findings;
  assert.equal(status, 0, JSON.stringify(findings));
  assert.deepEqual(
    findings.map(({ subject, state }) => [subject, state]).sort(),
    ['DATA_DIR', 'PostgreSQL', 'clock', 'connections', 'schema', 'versions'].map((subject) => [subject, 'ok']).sort(),
  );
  assert.equal(findings.find(({ subject }) => subject === 'schema')?.text, 'is created by the first start');
  const table = await runCommand(['check'], database.env);
  assert.match(table.stdout, /^STATE +WHAT +FOUND\nok /);
  await runCommand(['migrate'], database.env);
  const after = await runJson(['check'], database.env);
  const schema = after.body.findings.find(({ subject }: Finding) => subject === 'schema');
  assert.equal(schema.text, 'is up to date');
});

test('a live service without a backup is a warning until one is made, and so is a quiet copy', async () => {
  await runCommand(['migrate'], database.env);
  const { body: account } = await runJson(['accounts', 'create', 'Live'], database.env);
  const made = await runCommand(['keys', 'create', '--account', account.account_id, '--live'], database.env);
  assert.equal(made.status, 0, made.stderr);
  const found = async (subject: string, env = {}) => {
    const { body } = await runJson(['check'], { ...database.env, ...env });
    return body.findings.find((finding: Finding) => finding.subject === subject);
  };
  assert.deepEqual(await found('backup'), {
    subject: 'backup',
    state: 'warning',
    text: 'has never been made, although live keys exist; run `doorstep backup` every night',
  });
  const backup = await runCommand(['backup', join(folder, 'backup')], database.env);
  assert.equal(backup.status, 0, backup.stderr);
  const { state, text } = await found('backup');
  assert.deepEqual([state, /^is \d+ seconds old$/.test(text)], ['ok', true], text);
  assert.equal((await found('copy', { OUTSIDE: 'off' })).state, 'warning');
  const { findings } = (await runJson(['check'], database.env)).body as { findings: Finding[] };
  const isOfCopy = ({ subject }: Finding) => ['copy', 'standby', 'replication slots', 'certificates'].includes(subject);
  assert.deepEqual(
    findings.filter(isOfCopy).map(({ state }) => state),
    ['ok', 'ok', 'ok', 'ok'],
  );
});

test('warnings are status 0, and 1 with --strict; a wrong setting is 78 and one row for each', async () => {
  const env = { ...database.env, WEBHOOK_RETRY_SCHEDULE: '300,5', TRUST_PROXIES: '10.0.0.1' };
  const { status, body } = await runJson(['check'], env);
  assert.equal(status, 0);
  assert.deepEqual(
    body.findings.filter(({ state }: Finding) => state === 'warning').map(({ subject }: Finding) => subject),
    ['WEBHOOK_RETRY_SCHEDULE', 'TRUST_PROXIES'],
  );
  assert.equal((await runCommand(['check', '--strict'], env)).status, 1);
  const wrong = await runJson(['check'], { ...env, PORT: 'eighty', WORKERS: '0' });
  assert.equal(wrong.status, 78);
  assert.deepEqual(
    wrong.body.findings.map(({ subject, state }: Finding) => [subject, state]),
    [
      ['PORT', 'error'],
      ['WORKERS', 'error'],
    ],
  );
});

test('a database that does not answer and a folder that cannot be written are 78, and the folder stops a start', async () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  const env = { DATABASE_URL: `postgres://u:hunter2@127.0.0.1:${await freePort()}/d`, DATA_DIR: file };
  const { status, body } = await runJson(['check'], env);
  assert.equal(status, 78);
  const errors = body.findings.filter(({ state }: Finding) => state === 'error');
  assert.deepEqual(errors.map(({ subject }: Finding) => subject).sort(), ['DATABASE_URL', 'DATA_DIR']);
  assert.ok(!JSON.stringify(body).includes('hunter2'));
  const start = await runCommand(['serve'], { ...database.env, DATA_DIR: file, PORT: await freePort() });
  assert.equal(start.status, 78);
  assert.match(start.stderr, /^DATA_DIR could not be written: [^\n]+\.\n$/m);
});

test('a DATA_DIR where the system takes no folder or no file is 78, not a process that never ends', async (t) => {
  if (process.platform !== 'linux') return t.skip('no /proc');
  for (const dataDir of ['/proc/x', '/proc/self', '/dev/fd/x']) {
    const { status, body } = await runJson(['check'], { ...database.env, DATA_DIR: dataDir });
    assert.equal(status, 78, dataDir);
    assert.match(body.findings[0].text, /^could not be written: /, dataDir);
  }
});

test('a start says its warnings, each once', async () => {
  const env = { ...database.env, PORT: await freePort(), LOG_LEVEL: 'warn', WEBHOOK_RETRY_SCHEDULE: '300,5' };
  const { child, printed, finished } = startCommand(['serve', '--workers', '2'], env);
  await printed(/Doorstep is ready/);
  child.kill('SIGTERM');
  const { status, stderr } = await finished;
  assert.deepEqual([status, stderr.match(/WEBHOOK_RETRY_SCHEDULE descends/g)?.length], [0, 1], stderr);
});

test('external services receive only reads, and a failing one is an error without its secret', async (t) => {
  const [works, refuses] = [await givenParty(200), await givenParty(401)];
  const smtp = await givenSmtp();
  t.after(async () => {
    works.close();
    refuses.close();
    await smtp.close();
  });
  const bucket = { PHOTOS_S3_REGION: 'r', PHOTOS_S3_ACCESS_KEY_ID: 'k', PHOTOS_S3_SECRET_ACCESS_KEY: 'hunter2' };
  const settingsOf = (url: string) =>
    readSettings({
      ...TWILIO,
      ...bucket,
      PHOTOS_S3_URL: `${url}/photos`,
      OIDC_ISSUER: url,
      OIDC_CLIENT_ID: 'i',
      OIDC_CLIENT_SECRET: 'hunter2',
      STRIPE_SECRET_KEY: 'sk_live_hunter2',
      SMTP_URL: smtp.url,
      PLACES_FILE: join(folder, 'missing'),
      BASE_URL: `https://127.0.0.1:${smtp.url.split(':').at(-1)}`,
    });
  const statesOf = (findings: Finding[]) => Object.fromEntries(findings.map(({ subject, state }) => [subject, state]));
  const sound = await askParties(settingsOf(works.url), {
    stripe: { baseUrl: works.url },
    twilio: { baseUrl: works.url },
  });
  assert.deepEqual(statesOf(sound), {
    SMTP_URL: 'ok',
    STRIPE_SECRET_KEY: 'ok',
    TWILIO_AUTH_TOKEN: 'ok',
    PHOTOS_S3_URL: 'ok',
    OIDC_ISSUER: 'ok',
    PLACES_FILE: 'error',
    BASE_URL: 'error',
  });
  assert.ok(
    works.requests.every((line) => /^(GET|HEAD) /.test(line)) && works.requests.length === 4,
    works.requests.join(),
  );
  assert.deepEqual(smtp.received, []);
  const refused = await askParties(settingsOf(refuses.url), {
    stripe: { baseUrl: refuses.url },
    twilio: { baseUrl: 'http://127.0.0.1:1' },
  });
  for (const subject of ['STRIPE_SECRET_KEY', 'TWILIO_AUTH_TOKEN', 'PHOTOS_S3_URL', 'OIDC_ISSUER'])
    assert.equal(statesOf(refused)[subject], 'error', subject);
  assert.ok(!JSON.stringify([...sound, ...refused]).includes('hunter2'));
});
