import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import { pizzeria } from '../../../../test/feed-lines.ts';
import { givenLiveShop, type LiveShop } from '../../../../test/given/live-shop.ts';
import { givenChannel, givenOperator } from '../../../../test/given/merchant.ts';
import { givenReceiver } from '../../../../test/given/receiver.ts';
import { givenStores } from '../../../../test/given/stores.ts';
import { verified } from '../../../../test/given/webhooks.ts';
import type { Db } from '../../../platform/db/connect.ts';
import { writeSetting } from '../../../platform/db/settings.db.ts';
import { OutsideError } from '../../../platform/lib/outside-error.ts';
import { saveSearchCheck } from '../../../search/stores/search-checks.db.ts';
import { BACKED_UP_AT } from '../conditions.db.ts';
import { lookAtAlerts } from './watch-alerts.job.ts';

const EMAIL = 'ana@example.com';
const PHONE = '+12125550177';

async function givenDuty(t: TestContext, env: Record<string, string> = {}) {
  const shop = await givenLiveShop(t, undefined, { env: { ORDER_CONFIRM_TIMEOUT_MINUTES: '15', ...env } });
  const { app } = shop;
  const { db } = app.service.deps;
  // Live keys without a backup alert too.
  await writeSetting(db, BACKED_UP_AT, Temporal.Now.instant().toString());
  const ana = await givenOperator(app, { email: EMAIL, phone: PHONE });
  await givenChannel(app, shop.storeId, { operator: false, webhook: 'http://127.0.0.1:1/' });
  const advance = async (duration: Temporal.DurationLike) => {
    await app.advance(duration);
    await lookAtAlerts(app.service.deps);
    await app.advance({ seconds: 1 });
  };
  return {
    ...shop,
    db,
    ana,
    advance,
    goOnDuty: async (operator = ana, on = true) => {
      const { status, text } = await operator.post('/operator/duty', { on_duty: on });
      assert.equal(status, 200, text);
    },
    alertsOf: async () => (await ana.get('/operator/alerts')).body,
    /** Subjects of the emails and texts that an operator got. */
    mails: (to = EMAIL) =>
      shop.smtp.received.filter(({ mail }) => mail.to?.[0]?.address === to).map(({ mail }) => mail.subject ?? ''),
    sms: () => shop.texts.filter(({ to }) => to === PHONE).map(({ body }) => body),
  };
}

const setFailing = (db: Db, shop: Pick<LiveShop, 'app'>, isFailing: boolean) =>
  sql`update store_channels set failing_since = ${isFailing ? shop.app.now().toString() : null}::timestamptz,
    last_error = ${isFailing ? 'status 500' : null}`.execute(db);

test('an order about to be canceled alerts operators on duty once, by email and SMS, and its end once', async (t) => {
  const { place, advance, goOnDuty, alertsOf, mails, sms, app, storeId } = await givenDuty(t);
  await givenChannel(app, storeId, { operator: true, webhook: null });
  await goOnDuty();
  const orderId = await place({ disable_email: true, disable_sms: true });
  await advance({ minutes: 9 });
  assert.deepEqual([mails(), sms()], [[], []], 'there is time');
  await advance({ minutes: 1, seconds: 30 });
  const { open } = await alertsOf();
  assert.deepEqual(
    open.map(({ kind, page }: { kind: string; page: string }) => [kind, page]),
    [['order_unconfirmed', `orders/${orderId}`]],
  );
  for (let minute = 0; minute < 3; minute += 1) await advance({ minutes: 1 });
  assert.deepEqual([mails().length, sms().length], [1, 1]);
  assert.match(
    mails()[0] ?? '',
    /^Alert: Order .+ is not confirmed and will be canceled at \d\d:\d\d \(America\/New_York\)$/,
  );
  await advance({ minutes: 5 });
  await advance({ minutes: 5 });
  assert.deepEqual([mails().length, sms().length], [2, 2]);
  assert.match(mails()[1] ?? '', /^Resolved: Order/);
  assert.deepEqual((await alertsOf()).open, []);
  assert.equal((await alertsOf()).past.length, 1);
});

test('ten failing channels are one message and one end; a flapping channel sends neither', async (t) => {
  const shop = await givenDuty(t);
  const { db, advance, goOnDuty, mails, alertsOf } = shop;
  await goOnDuty();
  const lines = Array.from({ length: 9 }, (_, n) => pizzeria({ external_id: `shop-${n}`, name: `Shop ${n}` }));
  for (const storeId of await givenStores(shop.app, lines)) {
    await givenChannel(shop.app, storeId, { operator: false, webhook: 'http://127.0.0.1:1/' });
  }
  await setFailing(db, shop, true);
  await advance({ seconds: 30 });
  await setFailing(db, shop, false);
  await advance({ minutes: 1 });
  assert.deepEqual([mails(), (await alertsOf()).open], [[], []], 'it was a moment');
  await setFailing(db, shop, true);
  for (let minute = 0; minute < 4; minute += 1) await advance({ minutes: 1 });
  assert.deepEqual(mails(), ['20 alerts'], 'ten channels, and ten stores that nothing reaches');
  await setFailing(db, shop, false);
  await advance({ minutes: 2 });
  await setFailing(db, shop, true);
  await advance({ minutes: 4 });
  assert.deepEqual(mails(), ['20 alerts'], 'it was not over');
  await setFailing(db, shop, false);
  for (let minute = 0; minute < 7; minute += 1) await advance({ minutes: 1 });
  assert.deepEqual(mails(), ['20 alerts', '20 alerts are resolved']);
});

test('for more than 100 used-up budgets an alert says there are more, and sandbox budgets hide none', async (t) => {
  const shop = await givenDuty(t);
  await shop.goOnDuty();
  const use = (mode: string, ids: string, accounts: number) =>
    sql`
    with added as (
      insert into accounts (account_id, name, created_at)
      select ${ids} || n, ${ids} || n, now() from generate_series(1, ${accounts}::int) as n returning account_id
    )
    insert into budget_use (account_id, mode, kind, day, used)
    select account_id, ${mode}, 'directory_lookups', ${shop.app.now().toString().slice(0, 10)}::date, 1000000
    from added`.execute(shop.db);
  await use('sandbox', 'a', 101);
  await use('live', 'b', 100);
  await shop.advance({ seconds: 30 });
  assert.deepEqual(shop.mails(), ['100 alerts']);
  await use('live', 'c', 2);
  await shop.advance({ minutes: 1 });
  assert.match(shop.mails().at(-1) ?? '', /^Alert: There are more than 100 such alerts: c1 has used up/);
  assert.equal(shop.mails().length, 2);
});

test('payments without an answer, failing messages and a used-up budget each open once and end once', async (t) => {
  const shop = await givenDuty(t);
  const { db, advance, goOnDuty, mails, place, app } = shop;
  await goOnDuty();
  await place();
  await db.updateTable('orders').set({ status: 'completed' }).execute();
  await advance({ seconds: 5 });
  const pending = async (state: string, at: string | null) =>
    sql`update orders set charge_state = ${state}, charge_started_at = ${at}::timestamptz`.execute(db);
  await pending('pending', app.now().subtract({ seconds: 150 }).toString());
  const day = app.now().toString().slice(0, 10);
  await sql`insert into budget_use (account_id, mode, kind, day, used) select account_id, m, 'directory_lookups', ${day}::date, 1000000
    from orders, unnest(array['live', 'sandbox']) as m`.execute(db);
  const held = app.now().add({ hours: 5 }).toString();
  await sql`update messages set state = 'pending', last_error = 'no answer', next_attempt_at = ${held}::timestamptz
    where channel = 'sms'`.execute(db);
  for (let minute = 0; minute < 12; minute += 1) await advance({ minutes: 1 });
  const texts = mails().join('\n');
  assert.match(texts, /The payment gateway does not answer|2 alerts/);
  const { open } = await shop.alertsOf();
  assert.deepEqual(
    open.map(({ kind }: { kind: string }) => kind).sort(),
    ['budget_used_up', 'messages_failing', 'payments_stuck'],
    'the budget of the sandbox alerts nobody',
  );
  const opened = mails().length;
  await pending('none', null);
  await sql`delete from budget_use`.execute(db);
  await sql`update messages set state = 'dead', next_attempt_at = null where channel = 'sms'`.execute(db);
  for (let minute = 0; minute < 8; minute += 1) await advance({ minutes: 1 });
  assert.deepEqual((await shop.alertsOf()).open, []);
  assert.equal((await shop.alertsOf()).past.length, 3);
  const ends = mails().slice(opened);
  assert.ok(ends.length > 0 && ends.every((subject) => /^Resolved|are resolved$/.test(subject)));
});

test('a search index that diverged from the database alerts once, and health names the difference', async (t) => {
  const { app, db, ana, advance, goOnDuty, mails } = await givenDuty(t);
  await goOnDuty();
  const leftOut = new Map([['5f0123456789abcdef012345', 'No coordinate.']]);
  const difference = { missing: 3, firstMissing: '5f0123456789abcdef012346' };
  await saveSearchCheck(db, 'idx_a', app.now(), { leftOut, difference });
  await advance({ seconds: 10 });
  await saveSearchCheck(db, 'idx_a', app.now(), { leftOut, difference: null });
  await advance({ minutes: 1 });
  const text = 'Search lacked 3 stores, the first 5f0123456789abcdef012346, and reads all again';
  assert.deepEqual(mails(), [`Alert: ${text}`]);
  const { body } = await ana.get('/operator/health');
  assert.deepEqual(body.left_out_stores, [{ store_id: '5f0123456789abcdef012345', reason: 'No coordinate.' }]);
  const [found] = body.search_differences;
  assert.deepEqual([found.missing, found.first_missing], [3, difference.firstMissing]);
  for (let minute = 0; minute < 22; minute += 1) await advance({ minutes: 1 });
  assert.deepEqual(mails().slice(1), [`Resolved: ${text}`]);
});

test('two nodes at once and a crash before the commit: one alert and one message to each operator by each way', async (t) => {
  const shop = await givenDuty(t);
  const { db, advance, goOnDuty, mails, sms, app } = shop;
  const eve = await givenOperator(app, { name: 'Eve Lund', email: 'eve@example.com' });
  for (const operator of [shop.ana, eve]) await goOnDuty(operator);
  await setFailing(db, shop, true);
  await lookAtAlerts(app.service.deps);
  await app.advance({ minutes: 3 });
  const other = await app.givenNode();
  let isKilled = false;
  const execute = (work: (tx: unknown) => Promise<void>) =>
    db.transaction().execute(async (tx) => {
      await work(tx);
      isKilled = true;
      throw new Error('killed');
    });
  const dying = new Proxy(db, {
    get(target, name) {
      if (name === 'transaction') return () => ({ execute });
      const member = Reflect.get(target, name);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
  await assert.rejects(lookAtAlerts({ ...app.service.deps, db: dying }), /killed/);
  assert.ok(isKilled);
  await Promise.all([app.service.deps, other.deps, app.service.deps, other.deps].map((deps) => lookAtAlerts(deps)));
  await Promise.all([app.service, other].flatMap(({ deps }) => deps.queues.map((queue) => queue.runOnce())));
  await advance({ seconds: 30 });
  await advance({ seconds: 30 });
  assert.deepEqual([mails(), mails('eve@example.com'), sms().length], [['2 alerts'], ['2 alerts'], 1]);
});

test('while mail fails, an alert arrives by SMS and webhook, signed; private addresses are refused', async (t) => {
  const shop = await givenDuty(t);
  const { db, advance, goOnDuty, ana, sms, mails, app } = shop;
  const receiver = await givenReceiver();
  t.after(() => receiver.close());
  const set = await ana.post('/operator/duty/webhook', { webhook_url: `${receiver.url}/alerts` });
  assert.equal(set.status, 200, set.text);
  await goOnDuty();
  const { messaging } = app.service.deps;
  const { mailer } = messaging;
  messaging.mailer = {
    ...mailer,
    close() {},
    sendMail: () => Promise.reject(new OutsideError('mail', 'no answer', { retryable: true })),
  };
  await setFailing(db, shop, true);
  await advance({ seconds: 1 });
  await advance({ minutes: 3 });
  assert.deepEqual([sms().length, mails().length, receiver.calls.length], [1, 0, 1]);
  const [call] = receiver.calls;
  const body = verified(set.body.signing_secret, call ?? assert.fail(), app.now());
  assert.deepEqual([body.type, body.data.alerts.length], ['alert.opened', 2]);
  messaging.mailer = mailer;
  await advance({ minutes: 7 });
  assert.deepEqual(
    [sms().length, mails(), receiver.calls.length],
    [1, ['2 alerts'], 1],
    'the email was late, not lost',
  );
});

test('an alert webhook must be a public https address', async (t) => {
  const shop = await givenDuty(t, { WEBHOOK_ALLOW_PRIVATE: 'false' });
  const hostile = [
    'http://example.com/',
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://169.254.169.254/latest',
    'https://10.0.0.1/',
  ];
  for (const webhook_url of [...hostile, 'ftp://example.com', 'x']) {
    const { status, body } = await shop.ana.post('/operator/duty/webhook', { webhook_url });
    assert.deepEqual([status, body.code], [422, 'webhook_endpoint_not_allowed'], webhook_url);
  }
});

test('without anyone on duty, alerts go to administrators; anyone who comes on duty gets the open ones once', async (t) => {
  const shop = await givenDuty(t);
  const { db, advance, goOnDuty, ana, mails, alertsOf, app } = shop;
  const kim = await givenOperator(app, { name: 'Kim Doe', email: 'kim@example.com', role: 'support' });
  const readers = async () => {
    const { on_duty: onDuty, alerted } = (await ana.get('/operator/health')).body;
    return [onDuty, alerted];
  };
  await setFailing(db, shop, true);
  await advance({ seconds: 1 });
  await advance({ minutes: 3 });
  assert.deepEqual([await readers(), mails(), mails('kim@example.com')], [[0, 1], ['2 alerts'], []]);
  const { open } = await alertsOf();
  assert.equal(open.length, 2);
  await goOnDuty(kim);
  assert.deepEqual(await readers(), [1, 1]);
  await advance({ minutes: 1 });
  await advance({ minutes: 1 });
  assert.deepEqual([mails(), mails('kim@example.com')], [['2 alerts'], ['2 alerts']]);
  for (const { alert_id: id } of open) {
    assert.equal((await ana.post(`/operator/alerts/${id}/acknowledge`, {})).status, 200);
    assert.equal((await ana.post(`/operator/alerts/${id}/acknowledge`, {})).status, 404);
  }
  const late = await givenOperator(app, { name: 'Eve Lund', email: 'eve@example.com' });
  await goOnDuty(late);
  await advance({ minutes: 1 });
  assert.deepEqual(mails('eve@example.com'), [], 'somebody is on it');
  assert.equal((await alertsOf()).open[0].acknowledged_by, 'Ana Ruiz');
});

test('sandbox orders alert nobody', async (t) => {
  const shop = await givenDuty(t, { SANDBOX_PACE: 'manual' });
  const { app, advance, goOnDuty, mails, db } = shop;
  await goOnDuty();
  const live = await shop.place();
  await sql`update orders set mode = 'sandbox', charge_state = 'pending', charge_started_at = ${app.now().toString()}::timestamptz
    where order_id = ${live}`.execute(db);
  await advance({ minutes: 12 });
  assert.deepEqual([mails(), (await shop.alertsOf()).open], [[], []]);
});

test('a live webhook that fails for 15 minutes, or at half of its calls in an hour, alerts; a sandbox one does not', async (t) => {
  const shop = await givenDuty(t);
  const { app, db, advance, goOnDuty, alertsOf, mails } = shop;
  await goOnDuty();
  const titles = async () =>
    (await alertsOf()).open
      .filter(({ kind }: { kind: string }) => kind === 'webhook_failing')
      .map(({ title }: { title: string }) => title);
  const attach = (accountId: string, mode: 'live' | 'sandbox', failingSince: Temporal.Instant | null) =>
    sql`insert into webhook_endpoints (account_id, mode, url, secret, enabled, failing_since, updated_at)
      values (${accountId}, ${mode}, 'https://a.example/', 'whsec_b2xk', true,
        ${failingSince?.toString() ?? null}::timestamptz, ${app.now().toString()}::timestamptz)`.execute(db);
  const accountIds = [(await app.givenClient('live')).accountId, (await app.givenClient('live')).accountId];
  const [silent = '', flapping = ''] = accountIds;
  await sql`update accounts set name = case account_id when ${silent} then 'Silent' else 'Flapping' end
    where account_id = any(${accountIds}::text[])`.execute(db);
  await attach(silent, 'live', app.now().subtract({ minutes: 10 }));
  await attach(silent, 'sandbox', app.now().subtract({ hours: 9 }));
  await attach(flapping, 'live', null);
  const call = (nth: number, attempts: number) =>
    sql`insert into webhook_calls
      (webhook_id, account_id, mode, type, body, created_at, state, attempts, delivered_at)
      values (${`msg_${nth}`}, ${flapping}, 'live', 'order.placed', '{}', ${app.now().toString()}::timestamptz,
        'delivered', ${attempts}, ${app.now().toString()}::timestamptz)`.execute(db);
  for (let nth = 0; nth < 10; nth += 1) await call(nth, nth < 4 ? 2 : 1);
  await advance({ seconds: 1 });
  assert.deepEqual(await titles(), [], 'ten minutes, and four of ten');
  await call(10, 3);
  await call(11, 2);
  await advance({ minutes: 1 });
  assert.deepEqual(await titles(), ['The webhook of Flapping fails: 6 of 12 calls in an hour']);
  await advance({ minutes: 5 });
  assert.deepEqual((await titles()).sort(), [
    'The webhook of Flapping fails: 6 of 12 calls in an hour',
    'The webhook of Silent fails: every call',
  ]);
  assert.ok(mails().some((subject) => /^Alert: The webhook of Silent/.test(subject)));
  await sql`update webhook_endpoints set failing_since = null`.execute(db);
  await advance({ hours: 1 });
  await advance({ minutes: 6 });
  assert.deepEqual(await titles(), []);
});
