import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pizzeria } from '../feed-lines.ts';
import { type Env, freePort, givenDatabase, runCommand, startCommand } from '../given/command.ts';
import { givenCommandHost } from '../given/command-host.ts';
import { givenFolder } from '../given/folder.ts';
import { orderBody } from '../given/orders.ts';

const READY = /Doorstep is ready at (\S+)/;
const TOKEN_SECRET = 'token-secret-that-nobody-may-see-8c1f';
const AMEX = '378282246310005';
const UNIONPAY_19 = '6205500000000000004';
const MISTYPED = '4929123456781234';
/** card-secrecy.slow.test.ts sends more numbers, in more ways; this test looks into the files of the database. */
const NUMBERS = ['4242424242424242', '4000000000000002', AMEX, UNIONPAY_19, MISTYPED];
/** Stored, because it is not a card number: finding it shows that the search would find one. */
const NEEDLE_TEXT = 'Needle in the haystack';
const NEEDLE_NUMBER = '8642975318642975';

const host = givenCommandHost();
const dataDir = givenFolder('doorstep-secrets');
after(() => host.close());

type Session = { url: string; key: string; answers: string[] };

async function send({ url, key, answers }: Session, path: string, body?: string, headers: Record<string, string> = {}) {
  const reply = await fetch(`${url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'id-token': key, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body }),
  });
  const text = await reply.text();
  answers.push(JSON.stringify([...reply.headers]), text);
  return { status: reply.status, body: /json/.test(reply.headers.get('content-type') ?? '') ? JSON.parse(text) : text };
}

/** Bodies for one card: as strings and as integers, with the cvc's leading zero where it has one. */
function cardBodies(number: string): string[] {
  const cvc = number === AMEX ? '0739' : '073';
  const body = (card: string, code: string) =>
    `{"payment_method":{"card_number":${card},"expiration_month":12,"expiration_year":2099,"cvc":${code}},"user_id":"u1","user_email":"u1@example.com"}`;
  const asInteger = number === AMEX ? '9739' : '973';
  return [body(`"${number}"`, `"${cvc}"`), body(number, asInteger), body(number, `"${number}"`), body(number, cvc)];
}

/** Saves a card in every way, with and without a retry under one key; returns the resulting payment methods. */
async function sendCard(session: Session, number: string): Promise<string[]> {
  const saved: string[] = [];
  for (const body of cardBodies(number)) {
    const headers = { 'idempotency-key': `card-${session.answers.length}` };
    const first = await send(session, '/payment/create', body, headers);
    const again = await send(session, '/payment/create', body, headers);
    if (first.status !== 200) continue;
    assert.equal(again.body.payment_method_id, first.body.payment_method_id);
    saved.push(first.body.payment_method_id);
  }
  assert.equal(saved.length, number === MISTYPED ? 0 : 2, number);
  return saved;
}

async function order(session: Session, productId: string, paymentMethodId: string): Promise<number> {
  const metadata = `"metadata":{"needle":${NEEDLE_NUMBER}},`;
  const changes = { user_name: NEEDLE_TEXT, autofill_selected_options: true };
  const body = JSON.stringify(orderBody(productId, paymentMethodId, changes)).replace('{', `{${metadata}`);
  const headers = { 'idempotency-key': `order-${session.answers.length}` };
  const reply = await send(session, '/order/order/v2', body, headers);
  await send(session, '/order/order/v2', body, headers);
  if (reply.status === 200) await send(session, `/sandbox/charges?order_id=${reply.body.order_id}`);
  await send(session, `/sandbox/charges?payment_method_id=${paymentMethodId}`);
  return reply.status;
}

async function productOf(session: Session, env: Env): Promise<string> {
  const imported = await runCommand(['import', '-', '--source', 'secrets'], env, `${JSON.stringify(pizzeria())}\n`);
  assert.equal(imported.status, 0, imported.stderr);
  const { stores } = (await host.runJson(['stores', 'list'], env)).body;
  const { body } = await send(session, `/details/inventory?store_id=${stores[0].store_id}&pickup=false`);
  return body.categories[0].menu_item_list[0].product_id;
}

/** A sandbox key; the command prints it once, and not to the service's log. */
async function givenKey(env: Env): Promise<string> {
  const { account_id } = (await host.runJson(['accounts', 'create', 'Secrets'], env)).body;
  return (await host.runJson(['keys', 'create', '--account', account_id], env)).body.key;
}

/** Asserts that no output of the service contains any of these. */
function assertNoSecret(texts: readonly string[], secrets: readonly string[]): void {
  const found = secrets.filter((secret) => texts.some((text) => text.includes(secret)));
  assert.deepEqual(found, []);
}

function assertNoCard(texts: readonly string[]): void {
  const numbers = NUMBERS.map((number) => number.split('').join('[ -]?')).join('|');
  const leak = new RegExp(`${numbers}|cvc\\W{1,6}\\d|(?<![\\w.-])(0739|9739)(?![\\w.-])`);
  assert.deepEqual(
    texts.filter((text) => leak.test(text)).map((text) => text.slice(0, 300)),
    [],
  );
}

test('a whole service keeps, logs and answers nothing of a card, and no key of anybody', {
  timeout: 300_000,
}, async (t) => {
  const env = { DATA_DIR: dataDir, LOG_LEVEL: 'trace', TOKEN_SECRET, SANDBOX_PACE: '0.1', PORT: await freePort() };
  const service = startCommand(['serve'], env);
  const url = (await service.printed(READY))[1] ?? '';
  const session: Session = { url, key: await givenKey(env), answers: [] };
  const product = await productOf(session, env);
  const statuses = new Set<number>();
  for (const number of NUMBERS) {
    for (const method of await sendCard(session, number)) statuses.add(await order(session, product, method));
  }
  assert.deepEqual([...statuses].sort(), [200, 402]);
  for (const path of ['/payment/list?user_id=u1', '/account/orders', '/metrics', '/nowhere']) await send(session, path);
  await send({ ...session, key: `${session.key}x` }, '/account/orders');
  service.child.kill('SIGTERM');
  const { status, stdout, stderr } = await service.finished;
  assert.equal(status, 0, stderr.slice(-1000));
  const files = [...filesBelow(dataDir)];
  const written = [stdout, ...stderr.split('\n'), ...session.answers];
  assert.ok(stderr.split('\n').length > 50 && session.answers.length > 100);

  await t.test('the search finds kept values, as text and as a number of jsonb', () => {
    assert.ok(files.some(({ bytes }) => bytes.includes(NEEDLE_TEXT)));
    assert.ok(files.some(({ bytes }) => bytes.includes(numericOf(NEEDLE_NUMBER))));
  });
  await t.test('responses and logs never contain a card number or CVC', () => assertNoCard(written));
  await t.test('no file of the database has a card number', () => {
    const forms = NUMBERS.flatMap((number) => formsOfNumber(number));
    const found = files.filter(({ bytes }) => forms.some((form) => bytes.includes(form)));
    assert.deepEqual(
      found.map(({ file }) => file),
      [],
    );
  });
  await t.test('nor a cvc', () => {
    // Every sent code, as text and as a number; the pattern skips ids that end in these letters before other digits.
    const code = new RegExp(`cvc["'\\\\]*\\s*[:=]\\s*["'\\\\]*(0?739?|9739?|${NUMBERS.join('|')})(?!\\d)`, 'i');
    for (const body of NUMBERS.flatMap(cardBodies)) assert.match(body, code);
    const found = files.filter(({ bytes }) => code.test(bytes.toString('latin1')));
    assert.deepEqual(
      found.map(({ file }) => file),
      [],
    );
  });
  await t.test('no key is in a file, a line of the log or an answer; nor are the other secrets', () => {
    assertNoSecret(written, [session.key, TOKEN_SECRET]);
    const kept = files.filter(({ bytes }) => bytes.includes(session.key) || bytes.includes(TOKEN_SECRET));
    assert.deepEqual(
      kept.map(({ file }) => file),
      [],
    );
    // The embedded database has no password to leak.
    assert.deepEqual(
      files.filter(({ file }) => /password/.test(file)),
      [],
    );
  });
});

test('the password of DATABASE_URL is in no log and no answer, whether the database is there or not', async (t) => {
  const database = await givenDatabase();
  t.after(() => database.drop());
  const given = new URL(database.env.DATABASE_URL ?? '');
  given.searchParams.set('require_auth', 'none,scram-sha-256'); // the server of tests asks for no password
  given.password ||= 'password-that-nobody-may-see';
  const env = { ...database.env, DATABASE_URL: given.href, LOG_LEVEL: 'trace', TOKEN_SECRET, PORT: await freePort() };
  const service = startCommand(['serve'], env);
  const url = (await service.printed(READY))[1] ?? '';
  const session: Session = { url, key: await givenKey(env), answers: [] };
  for (const path of ['/account/orders', '/readyz', '/metrics', '/account/orders?page=x']) await send(session, path);
  service.child.kill('SIGTERM');
  const { stdout, stderr } = await service.finished;
  const secrets = [given.password, given.href, session.key, TOKEN_SECRET];
  assertNoSecret([stdout, stderr, ...session.answers], secrets);

  const gone = new URL(given);
  gone.port = await freePort();
  gone.searchParams.delete('host');
  const failed = await runCommand(['serve'], { ...env, DATABASE_URL: gone.href });
  assert.equal(failed.status, 1, failed.stderr);
  assert.notEqual(failed.stderr, '');
  assertNoSecret([failed.stdout, failed.stderr], [...secrets, gone.href]);
});

/**
 * Every form where an integer could be stored in a file: digits, grouped or not, in several encodings, and binary.
 */
function formsOfNumber(digits: string): Buffer[] {
  const groups = digits.match(/\d{1,4}/g) ?? [];
  const texts = [digits, groups.join(' '), groups.join('-'), Buffer.from(digits).toString('hex')];
  const little = Buffer.alloc(8);
  little.writeBigUInt64LE(BigInt(digits));
  const wide = Buffer.from(digits, 'utf16le');
  return [...texts.map((text) => Buffer.from(text)), wide, little, Buffer.from(little).reverse(), numericOf(digits)];
}

/** PostgreSQL `numeric`, as jsonb stores numbers: base-10000 digits, two bytes each. */
function numericOf(digits: string): Buffer {
  const padded = digits.padStart(Math.ceil(digits.length / 4) * 4, '0');
  const groups = (padded.match(/\d{4}/g) ?? []).map(Number);
  const bytes = Buffer.alloc(groups.length * 2);
  groups.forEach((group, at) => {
    bytes.writeUInt16LE(group, at * 2);
  });
  return bytes;
}

function* filesBelow(folder: string): Generator<{ file: string; bytes: Buffer }> {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    yield { file, bytes: readFileSync(file) };
  }
}
