import assert from 'node:assert/strict';
import { budgetDay } from '../../src/access/budgets/budget.ts';
import { spendBudget } from '../../src/access/budgets/spend-budget.db.ts';
import { takeStep } from '../../src/ordering/money/take-step.flow.ts';
import { RESOLVE_CHARGE } from '../../src/ordering/order/dispatch-events.flow.ts';
import type { AdvanceEvent } from '../../src/ordering/order/order.ts';
import { pizzeria } from '../feed-lines.ts';
import { givenPaymentMethod, orderBody, productTokens } from '../given/orders.ts';
import { givenStores } from '../given/stores.ts';
import { type App, givenOwnApp } from '../harness.ts';
import { until } from '../until.ts';
import { type ScrapedMetric, scrapedMetrics } from './scraped-metrics.ts';

export const CONFIRMED_AFTER_S = 90;
/** Seconds that a job stays due: the queue's clock stands still, so no worker takes it. */
export const JOB_STARTS_S = 3;
export const LATE_S = 8;
const DECLINED = 4000000000000002;

/** A service with at least one event for every labeled metric. */
export async function givenMeasuredShop(): Promise<App> {
  const app = await givenOwnApp({ env: { DAILY_BUDGETS: '{"sms": 1}' } });
  const [storeId = ''] = await givenStores(app, [pizzeria()]);
  const { Soda } = await productTokens(app, storeId);
  const items = [{ product_id: Soda, quantity: 4 }];
  const place = async (card?: number) =>
    app.post('/order/order/v2', orderBody(Soda, await givenPaymentMethod(app, card), { items }));
  const step = (orderId: string, event: AdvanceEvent) => takeStep(app.service.deps, orderId, { event });

  assert.equal((await place(DECLINED)).body.code, 'payment_declined');
  const delivered = (await place()).body.order_id;
  const canceled = (await place()).body.order_id;
  await app.advance({ seconds: CONFIRMED_AFTER_S });
  await step(delivered, 'confirm');
  await step(delivered, 'assign_driver');
  await step(delivered, 'pick_up');
  await step(delivered, 'complete');
  await step(canceled, 'cancel');
  await app.advance({ minutes: 1 });
  // Dispatches the refund's event too.
  await app.advance({ minutes: 1 });
  const { db, clock, jobs } = app.service.deps;
  const sms = { accountId: app.accountId, mode: 'live', kind: 'sms', used: 1, max: 1 } as const;
  await spendBudget(db, { ...sms, day: budgetDay(clock.now()) });
  const startAfter = app.now().add({ seconds: JOB_STARTS_S });
  await jobs.enqueue(db, RESOLVE_CHARGE, { orderId: 'none' }, { startAfter });
  // Refused before it leaves, because the address is private.
  await app.service.deps.publicHttp.get('https://127.0.0.1/', {});
  letClockAloneGoOn(app, LATE_S);
  return app;
}

/** Advances the service's clock but not the job queue's. Returns the new time. */
export function letClockAloneGoOn({ service }: App, seconds: number): Temporal.Instant {
  const { clock } = service.deps;
  const later = clock.now().add({ seconds });
  clock.now = () => later;
  return later;
}

/** A scrape that includes the database numbers, which may lag on a busy machine. */
export async function scrape(app: App): Promise<Map<string, ScrapedMetric>> {
  let metrics = new Map<string, ScrapedMetric>();
  await until('the numbers of the database are in a scrape', async () => {
    metrics = scrapedMetrics((await app.get('/metrics')).text);
    return (metrics.get('doorstep_queue_due')?.series.length ?? 0) > 0;
  });
  return metrics;
}
