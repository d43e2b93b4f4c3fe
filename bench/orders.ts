import { parseArgs } from 'node:util';
import { startOrderClient } from './orders/client.ts';
import { measureCosts } from './orders/measure-costs.ts';
import { measureDistance } from './orders/measure-distance.ts';
import { measureForgetting } from './orders/measure-forgetting.ts';
import { measureGuests } from './orders/measure-guests.ts';
import { measureLiveOrders } from './orders/measure-live-orders.ts';
import { measureRatios } from './orders/measure-ratios.ts';
import { checkBooks, givenShops } from './orders/order-shop.ts';
import { createReport } from './report.ts';
import { type BenchDatabase, givenDatabase } from './setup.ts';

/**
 * Placing orders over HTTP: against one-row commits, with PostgreSQL far away, by guests, while old orders are forgotten,
 * and live orders with all that follows. Default settings: requests are logged and rate limits counted. `npm run bench -- orders [--quick] [--only
 * guests|ratios|costs|distance|forgetting|live]`
 */
const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false }, only: { type: 'string' } } });
const { quick, only } = values;
const turnMs = quick ? 1000 : 3000;

const report = createReport('orders');
const client = await startOrderClient();
const PARTS: Readonly<Record<string, (database: BenchDatabase, keys: readonly string[]) => Promise<void>>> = {
  guests: (database, keys) => measureGuests(database, client, keys, turnMs, report),
  ratios: (database, keys) => measureRatios(database, client, keys, { turns: 3, turnMs }, report),
  costs: (database, keys) => measureCosts(database, client, keys, turnMs, report),
  distance: (database, keys) => measureDistance(database, client, keys, quick ? 100 : 300, report),
  forgetting: (database, keys) => measureForgetting(database, client, keys, { turns: quick ? 1 : 5, turnMs }, report),
  live: (database) => measureLiveOrders(database, client, quick ? 200 : 2000, report),
};
for (const [part, measure] of Object.entries(PARTS)) {
  if (only !== undefined && only !== part) continue;
  // A fresh database for each part.
  const database = await givenDatabase();
  await measure(database, await givenShops(database.db));
  if (part !== 'live') await checkBooks(database.db);
  await database.close();
}
await client.close();
if (!report.finish({ quick })) process.exitCode = 1;
