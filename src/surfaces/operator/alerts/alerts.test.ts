import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../../../test/runs.ts';
import { CONDITION_KEYS, CONDITIONS } from '../conditions.ts';
import { ALERT_KINDS, type AlertKind, alertSms, alertSubject, alertText, alertTitle, progressOf } from './alerts.ts';

const START = Temporal.Instant.from('2026-06-10T17:00:00Z');

/** Checks a condition at these moments, in seconds, and returns the alerts it opened and ended. */
function life(kind: AlertKind, looks: readonly { at: number; holds: boolean }[]) {
  let alert: ReturnType<typeof progressOf>;
  const lives: { opened: number; ended: number | undefined }[] = [];
  const secondsOf = (moment: Temporal.Instant) => START.until(moment).total('seconds');
  for (const { at, holds } of looks) {
    if (!alert && !holds) continue;
    const wasOpen = alert?.openedAt ?? null;
    alert = progressOf(kind, alert, holds, START.add({ seconds: at }));
    if (alert?.openedAt && wasOpen === null) lives.push({ opened: secondsOf(alert.openedAt), ended: undefined });
    const last = lives.at(-1);
    if (alert?.endedAt && last) {
      last.ended = secondsOf(alert.endedAt);
      alert = undefined;
    }
  }
  return lives;
}

const anyLooks = fc
  .array(fc.record({ after: fc.integer({ min: 1, max: 400 }), holds: fc.boolean() }), { minLength: 1, maxLength: 40 })
  .map((steps) => {
    let at = 0;
    return steps.map(({ after, holds }) => {
      at += after;
      return { at, holds };
    });
  });

test('an alert opens only while its condition holds and has held, ends once it is gone for good, and never twice', () => {
  const damping: Readonly<Record<string, readonly [open: number, end: number]>> = {
    order_unconfirmed: [0, 0],
    store_unreached: [120, 300],
    channel_failing: [120, 300],
    payments_stuck: [0, 300],
    messages_failing: [600, 300],
    budget_used_up: [0, 0],
    search_differs: [0, 300],
    webhook_failing: [0, 300],
    ...Object.fromEntries(CONDITION_KEYS.map((key) => [key, [CONDITIONS[key].alertsAfter, 300] as const])),
  };
  fc.assert(
    fc.property(fc.constantFrom(...ALERT_KINDS), anyLooks, (kind, looks) => {
      const [open, end] = damping[kind] ?? assert.fail(kind);
      const all = life(kind, looks);
      for (const [index, { opened, ended }] of all.entries()) {
        const before = looks.filter(({ at }) => at <= opened && at > opened - open);
        assert.ok(
          before.every(({ holds }) => holds),
          'it held for as long as it must',
        );
        const next = all[index + 1];
        if (ended === undefined) assert.equal(next, undefined, 'one alert at a time');
        else {
          const gone = looks.filter(({ at }) => at <= ended && at > ended - end);
          assert.ok(
            gone.every(({ holds }) => !holds),
            'it was gone for as long as it must',
          );
          if (next) assert.ok(next.opened - ended >= open);
        }
      }
    }),
    { numRuns: runs(2000) },
  );
});

test('a message names its alerts in one line each, whatever a store is called, and an SMS is short', () => {
  const title = alertTitle(`No channel reaches Joe's\r\nBcc: all@example.com ${'x'.repeat(500)}`);
  assert.ok(!/[\r\n]/.test(title) && title.length <= 160);
  const one = [{ title, openedAt: START }];
  const many = Array.from({ length: 30 }, () => ({ title, openedAt: START }));
  assert.equal(alertSubject('opened', many), '30 alerts');
  assert.match(alertSubject('resolved', one), /^Resolved: No channel/);
  assert.match(alertText('opened', many, 'https://x.example/a'), /and 10 more\n\nhttps:\/\/x\.example\/a\n$/);
  assert.ok(alertSms('opened', one, 'https://doorstep.example.com/console/operator#/alerts').length <= 160);
});
