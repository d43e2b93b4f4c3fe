// covers: src/surfaces/operator/alerts/watch-alerts.job.ts
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { writeSetting } from '../../src/platform/db/settings.db.ts';
import { BACKED_UP_AT } from '../../src/surfaces/operator/conditions.db.ts';
import { givenLiveShop } from '../given/live-shop.ts';
import { givenOperator } from '../given/merchant.ts';
import { startWorker } from './worker-process.ts';

const OPERATORS = 12;
const KILLS = 4;
/** Past the leases of the worker before, and the clock that its passes have reached. */
const LATER_S = 86_400;

test('workers killed amid an alert: every operator on duty gets it once, and its end once', async (t) => {
  const shop = await givenLiveShop(t);
  const { app, smtp } = shop;
  const { db } = app.service.deps;
  // Live keys without a backup alert too; each worker's clock is a day ahead of the previous one's.
  await writeSetting(
    db,
    BACKED_UP_AT,
    Temporal.Now.instant()
      .add({ hours: 24 * 60 })
      .toString(),
  );
  for (let n = 0; n < OPERATORS; n += 1) {
    const operator = await givenOperator(app, { name: `Operator ${n}`, email: `duty-${n}@example.com` });
    await operator.post('/operator/duty', { on_duty: true });
  }
  await shop.place({ disable_email: true, disable_sms: true });
  const stick = (state: string) =>
    sql`update orders set status = 'completed', charge_state = ${state}, charge_started_at = now() - interval '1 hour'`;
  let day = 0;
  const start = () => {
    day += 1;
    return startWorker('alerts-child.ts', app, [String(day * LATER_S), smtp.url]);
  };
  const left = async (phase: string) => {
    const { rows } = await sql<{ sent: number; all: number }>`
      select count(*) filter (where state = 'sent')::int as sent, count(*)::int as all from alert_notices
      where phase = ${phase}`.execute(db);
    return { sent: rows[0]?.sent ?? 0, all: rows[0]?.all ?? 0 };
  };
  const isDone = async (phase: string) => (await left(phase)).sent === OPERATORS;

  for (const [phase, state] of [
    ['opened', 'pending'],
    ['resolved', 'none'],
  ] as const) {
    await stick(state).execute(db);
    for (let kill = 0; kill < KILLS; kill += 1) {
      const worker = start();
      let isSending = false;
      smtp.trouble({
        at: 'data',
        hang: () => {
          isSending = true;
        },
      });
      await worker.until('a mail is under way', () => isSending);
      await worker.kill();
    }
    assert.ok(!(await isDone(phase)), 'something was left to send');
    const last = start();
    await last.until(`everyone was told that it ${phase}`, () => isDone(phase));
    await last.kill();
    assert.deepEqual(await left(phase), { sent: OPERATORS, all: OPERATORS });
  }

  const alerts = await sql<{ kind: string }>`select kind from alerts`.execute(db);
  assert.deepEqual(alerts.rows, [{ kind: 'payments_stuck' }]);
  for (let n = 0; n < OPERATORS; n += 1) {
    const own = smtp.received.filter(({ envelope }) => envelope.to[0] === `duty-${n}@example.com`);
    const subjects = new Map(own.map(({ mail }) => [mail.messageId, mail.subject]));
    assert.deepEqual(
      [...subjects.values()],
      ['Alert: The payment gateway does not answer', 'Resolved: The payment gateway does not answer'],
      `duty-${n}: a repeated mail has its Message-ID`,
    );
  }
});
