import { sql } from 'kysely';
import { retentionsOf } from '../../src/app/wiring/retentions.ts';
import { ORDERS_TO_FORGET } from '../../src/ordering/order/forgotten-orders.db.ts';
import type { Db } from '../../src/platform/db/connect.ts';
import { expireRows } from '../../src/platform/jobs/delete-expired.db.ts';
import { systemClock } from '../../src/platform/lib/clock.ts';
import type { Turns } from '../compare.ts';
import { quantile } from '../continent/load.ts';
import type { Report } from '../report.ts';
import { type BenchDatabase, startBenchService } from '../setup.ts';
import { type OrderClient, warmUp } from './client.ts';
import { cardholdersOf, DEFAULTS } from './order-shop.ts';

const CLIENTS = 8;
/** Orders that one transaction of the job forgets. */
const BATCH = 100;
const DAYS = 730;

/**
 * Placing orders while the job forgets old ones as fast as it can, by turns with placing them alone: in practice it
 * runs for a part of an hour.
 */
export async function measureForgetting(
  database: BenchDatabase,
  client: OrderClient,
  keys: readonly string[],
  { turns, turnMs }: Turns,
  report: Report,
): Promise<void> {
  const { db } = database;
  const settings = { ...DEFAULTS, SANDBOX_PACE: 'manual', PERSONAL_DATA_DAYS: '0' };
  const service = await startBenchService(database, settings);
  const shoppers = await cardholdersOf(service.url, keys);
  await warmUp(client, { url: service.url, shoppers });
  const place = async () =>
    (await client.place({ url: service.url, shoppers, connections: CLIENTS, ms: turnMs })).latenciesMs;
  const alone: number[] = [];
  const beside: number[] = [];
  let forgotten = 0;
  for (let turn = 0; turn < turns; turn += 1) {
    await endOrders(db);
    alone.push(...(await place()));
    const job = startForgetting(db);
    beside.push(...(await place()));
    forgotten += await job.stop();
  }
  await service.close();
  report.add({
    what: 'an order while old ones are forgotten, p95',
    value: quantile(beside, 0.95),
    unit: 'ms',
    peer: { name: 'without forgetting', value: quantile(alone, 0.95) },
    details: `${Math.round((forgotten * 1000) / (turns * turnMs))} orders forgotten a second`,
  });
}

/** Ends every order long ago, with personal data. */
async function endOrders(db: Db): Promise<void> {
  await sql`update orders set status = 'completed', completed_at = now() - interval '1000 days', is_forgotten = false`.execute(
    db,
  );
  await sql`analyze orders`.execute(db);
}

function startForgetting(db: Db) {
  const [forgetting] = retentionsOf({ recordsKeepDays: 30, personalDataDays: DAYS }).filter(
    ({ age }) => age === ORDERS_TO_FORGET.age,
  );
  if (!forgetting) throw new Error('Nothing forgets orders.');
  let isEnding = false;
  const work = (async () => {
    let orders = 0;
    while (!isEnding) orders += await expireRows(db, forgetting, { now: systemClock.now(), limit: BATCH });
    return orders;
  })();
  return {
    stop: () => {
      isEnding = true;
      return work;
    },
  };
}
