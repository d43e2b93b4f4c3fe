import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { pino } from 'pino';
import { createStripeGateway } from '../../../plugins/stripe/gateway.ts';
import { REFUSED_WHEN_SAVED } from '../../../test/fakes/stripe-card-books.ts';
import { type StripeDouble, startStripeDouble, type Trouble } from '../../../test/fakes/stripe-double.ts';
import { openTestDatabase } from '../../../test/harness.ts';
import { holdTimeOuts } from '../../../test/time-outs.ts';
import { until } from '../../../test/until.ts';
import { createAccount, issueKey } from '../../access/accounts/issue-key.flow.ts';
import { readSettings } from '../../app/wiring/read-settings.ts';
import { type Service, startService } from '../../app/wiring/service.ts';
import { randomId } from '../../platform/lib/random-id.ts';
import type { PaymentGateway } from './payment-gateway.ts';

const AMEX = '378282246310005';
const UNIONPAY_19 = '6205500000000000004';
const MISTYPED = '4929123456781234';
const NUMBERS = [
  '4242424242424242',
  '4000000000000002',
  '4000000000000119',
  '4000000000000259',
  '5555555555554444',
  AMEX,
  UNIONPAY_19,
  MISTYPED,
  REFUSED_WHEN_SAVED,
];
/** Long enough that only the test's own clock ends a wait. */
const TIMEOUT_MS = 600_000;
const NOW = Temporal.Instant.from('2026-06-10T17:00:00Z');
/** Four digits make a match by chance unlikely. */
const CVC = '0739';

let service: Service;
let stripe: StripeDouble;
let opened: PaymentGateway | undefined;
let end: () => Promise<void>;
const schema = randomId('t_', 6).toLowerCase().replaceAll('-', '_');
const keys: string[] = [];
const logged: string[] = [];
const answered: string[] = [];

before(async () => {
  const database = await openTestDatabase();
  stripe = await startStripeDouble(undefined);
  service = await startService({
    config: readSettings({
      RATE_LIMIT_PER_MINUTE: '0',
      SANDBOX_PACE: 'manual',
      PORT: '0',
      STRIPE_SECRET_KEY: 'sk_live_0123456789',
    }),
    connectionString: database.connectionString,
    // Unlike the real log it has no redaction, and none must be needed.
    log: pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) }),
    schema,
    clock: { now: () => NOW },
  });
  opened = service.deps.gateways.live;
  service.deps.gateways.live = createStripeGateway({
    pagesUrl: 'https://api.example.com',
    secretKey: 'sk_live_0123456789',
    baseUrl: stripe.baseUrl,
    timeoutMs: TIMEOUT_MS,
  });
  const { accountId } = await createAccount(service.deps.db, 'Secrets', NOW);
  for (const mode of ['sandbox', 'live'] as const)
    keys.push((await issueKey(service.deps.db, accountId, mode, NOW)).key);
  end = async () => {
    await sql`drop schema if exists ${sql.id(schema)} cascade`.execute(service.deps.db);
    await service.close();
    await stripe.close();
    await database.close();
  };
});
after(() => end());

/** The sandbox card page lists public test cards, independent of any request. */
const LISTED_TEST_CARDS = /<section class="cards"[\s\S]*?<\/section>/;

type Call = { key: string; url?: string; body?: unknown; headers?: Record<string, string>; method?: 'GET' | 'POST' };

async function send({ key, url = '/payment/create', body, headers = {}, method = 'POST' }: Call): Promise<number> {
  const payload = typeof body === 'string' ? body : JSON.stringify(body);
  const reply = await service.http.inject({
    method,
    url,
    headers: { 'id-token': key, 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { payload }),
  });
  answered.push(`${JSON.stringify(reply.headers)} ${reply.body.replace(LISTED_TEST_CARDS, '')}`);
  return reply.statusCode;
}

function bodyWith(card: object, more: object = {}): Record<string, unknown> {
  const payment_method = { expiration_month: 12, expiration_year: 2031, cvc: CVC, ...card };
  return { payment_method, user_id: 'user_1', user_email: 'ann@example.com', ...more };
}

/**
 * Sends a card number in its own field and in wrong places: other fields and types, names, the query, headers, broken
 * JSON.
 */
function cardCalls(key: string, number: string): Call[] {
  const good = bodyWith({ card_number: number, cvc: number === AMEX ? CVC : '073' });
  const asInteger = JSON.stringify(good).replace(`"${number}"`, number);
  const retry = { 'idempotency-key': randomId('retry_') };
  const grouped = number.replace(/(....)/g, '$1 ').trim();
  return [
    { key, body: good, headers: retry },
    { key, body: good, headers: retry },
    { key, body: { ...good, user_id: 'user_2' }, headers: retry },
    { key, body: asInteger },
    { key, body: bodyWith({ card_number: grouped, expiration_month: number, cvc: number }), headers: retry },
    { key, body: bodyWith({ card_number: [number], expiration_year: number }) },
    { key, body: bodyWith({ card_number: { [number]: CVC } }) },
    { key, body: bodyWith({ card_number: `${number}\u0000` }) },
    { key, body: bodyWith({ card_number: number }, { user_id: number, user_email: `${number}@example.com` }) },
    { key, body: bodyWith({}, { user_id: number }) },
    { key, body: { ...good, [number]: '\u0000', card_number: number, cvc: CVC, metadata: { number } } },
    { key, body: { payment_method: number, user_id: 'u', user_email: 'a@example.com' } },
    { key, body: [number] },
    { key, body: number },
    { key, body: `{"card_number": ${number}, ` },
    { key, body: `card_number=${number}&cvc=${CVC}`, headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    { key, body: `"${number}${'x'.repeat(1_100_000)}"` },
    { key, body: good, headers: { 'idempotency-key': grouped } },
    {
      key,
      body: good,
      url: `/payment/create?card_number=${number}&cvc=${CVC}`,
      headers: { 'idempotency-key': randomId('q_') },
    },
    { key, body: good, headers: { 'user-agent': number, 'x-card': number, 'x-request-id': number, accept: number } },
    { key: number, body: good },
    { key, body: good, url: `/payment/create/${number}` },
    { key, method: 'GET', url: `/payment/list?user_id=${number}` },
    { key, method: 'GET', url: `/payment/list?user_id=${number}&user_id=${number}&cvc=${CVC}` },
    { key, method: 'GET', url: `/payment/create?card_number=${number}` },
    {
      key,
      body: { user_id: number, payment_method_id: number, cvc: CVC },
      url: '/payment/delete',
      headers: { 'idempotency-key': randomId('d_') },
    },
    { key, method: 'GET', url: `/sandbox/charges?order_id=${number}&payment_method_id=${number}` },
  ];
}

/** Every column of every table of the service, as text. */
async function dumpDatabase(): Promise<string[]> {
  const { db } = service.deps;
  const { rows: tables } = await sql<{ tableSchema: string; tableName: string }>`
    select table_schema, table_name from information_schema.tables
    where table_schema = ${schema} and table_type = 'BASE TABLE'`.execute(db);
  assert.ok(tables.length > 20);
  const dumps: string[] = [];
  for (const { tableSchema, tableName } of tables) {
    const { rows } = await sql<{ text: string }>`
      select t::text as text from ${sql.id(tableSchema, tableName)} t`.execute(db);
    dumps.push(...rows.map(({ text }) => `${tableName}: ${text}`));
  }
  return dumps;
}

/**
 * Finds a card number, as digits in any grouping or as the bytes of its digits, and a CVC, by name or by its four
 * digits.
 */
function leaksIn(texts: readonly string[]): string[] {
  const hex = (text: string) => Buffer.from(text).toString('hex');
  const patterns = NUMBERS.flatMap((number) => [number.split('').join('[ -]?'), hex(number)]);
  const leak = new RegExp(`${patterns.join('|')}|cvc\\W{1,4}\\d|(?<![\\w.-])${CVC}(?![\\w.-])|sk_live_0`);
  return texts.filter((text) => leak.test(text)).map((text) => text.slice(0, 300));
}

test('a service with a secret key of Stripe has a gateway for live cards', () => {
  assert.ok(opened);
});

test('the leak search finds a planted secret', () => {
  for (const text of ['a 4242424242424242', '{"n":"4242 4242 4242 4242"}', 'cvc":"1', `(${CVC})`]) {
    assert.equal(leaksIn([text, Buffer.from(text).toString('hex')]).length > 0, true, text);
  }
  assert.deepEqual(leaksIn(['last4 4242, cvc must have 3 digits']), []);
});

test('wherever a client puts a card, nothing of it is answered, logged or kept', async () => {
  const statuses = new Set<number>();
  for (const key of keys) {
    for (const number of NUMBERS) for (const call of cardCalls(key, number)) statuses.add(await send(call));
  }
  for (const expected of [200, 400, 401, 402, 403, 404, 405, 413, 415, 422])
    assert.ok(statuses.has(expected), `${expected}`);
  assert.ok(!statuses.has(500));
});

test('nor when the gateway fails in any of its ways', { timeout: 120_000 }, async (t) => {
  const timeOuts = holdTimeOuts(t);
  const echo = JSON.stringify({ error: { type: 'api_error', code: AMEX, message: AMEX, param: CVC }, number: AMEX });
  const troubles: Trouble[] = ['lose_answer', 'hang', 'drip', 500, 429, 409, { status: 503, text: echo }];
  for (const trouble of troubles) {
    for (const path of ['/v1/payment_methods', '/v1/customers']) {
      stripe.trouble(path, trouble);
      const body = bodyWith({ card_number: AMEX });
      const headers = { 'idempotency-key': randomId('trouble_') };
      const arrived = () => stripe.requests.some((request) => request.path === path);
      stripe.requests.length = 0;
      const status = send({ key: keys[1] ?? '', body, headers });
      if (trouble === 'hang' || trouble === 'drip') {
        await until('the call arrives', arrived);
        timeOuts.pass(TIMEOUT_MS);
      }
      assert.equal(await status, 503);
    }
  }
});

test('nor when the database fails after the card was handed over', async () => {
  const { db } = service.deps;
  await sql`alter table payment_methods rename to payment_methods_gone`.execute(db);
  const headers = { 'idempotency-key': randomId('gone_') };
  assert.equal(await send({ key: keys[0] ?? '', body: bodyWith({ card_number: AMEX }), headers }), 500);
  await sql`alter table payment_methods_gone rename to payment_methods`.execute(db);
  await sql`alter table payment_methods add constraint never check (brand <> 'amex') not valid`.execute(db);
  assert.equal(await send({ key: keys[0] ?? '', body: bodyWith({ card_number: AMEX }), headers }), 500);
  await sql`alter table payment_methods drop constraint never`.execute(db);
});

test('nor on the card page of the sandbox, nor is a token of the client library logged', async () => {
  const [sandbox = '', live = ''] = keys;
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const statuses = new Set<number>();
  for (const number of NUMBERS) {
    const body = { user_id: 'user_1', user_email: 'ann@example.com', return_url: 'https://shop.example/' };
    assert.equal(await send({ key: sandbox, url: '/payment/setup', body }), 200);
    const url = new URL(JSON.parse(answered.at(-1)?.replace(/^.*? (?=\{"url")/, '') ?? '').url).pathname;
    for (const path of [`${url}?card_number=${number}&cvc=${CVC}`, url]) {
      for (const cvc of [CVC, CVC.slice(0, 3)]) {
        const fields = new URLSearchParams({ card_number: number, expiration: '12/31', cvc }).toString();
        statuses.add(await send({ key: sandbox, url: path, body: fields, headers: form }));
      }
    }
    statuses.add(await send({ key: sandbox, method: 'GET', url: `/payment/setup/${number}` }));
    statuses.add(await send({ key: sandbox, method: 'GET', url: `/payment/authenticate/${number}` }));
  }
  for (const expected of [303, 404, 422]) assert.ok(statuses.has(expected), `${expected}`);
  const tokens = [stripe.givenToken('tok'), stripe.givenToken('pm'), 'tok_of_nobody'];
  for (const payment_token of tokens) {
    await send({ key: live, body: { payment_token, user_id: 'user_1', user_email: 'ann@example.com' } });
    await send({ key: live, body: { payment_token, user_id: '' } });
  }
  assert.deepEqual(
    logged.filter((line) => tokens.some((token) => line.includes(`${token}"`))),
    [],
  );
});

test('no answer, no line of the log and no row of any table holds a card number or a cvc', async () => {
  const rows = await dumpDatabase();
  assert.ok(rows.some((row) => row.startsWith('payment_methods: ')));
  assert.ok(rows.some((row) => row.startsWith('idempotency_keys: ')));
  assert.ok(rows.some((row) => row.startsWith('sandbox_gateway_cards: ')));
  assert.ok(logged.length > 100 && answered.length > 400);
  assert.deepEqual(leaksIn(answered), []);
  assert.deepEqual(leaksIn(logged), []);
  assert.deepEqual(leaksIn(rows), []);
});
