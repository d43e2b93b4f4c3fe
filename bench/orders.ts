import { parseArgs } from 'node:util';
import { turnsOf } from './compare.ts';
import { startOrderClient } from './orders/client.ts';
import { measureDistance } from './orders/measure-distance.ts';
import { measureForgetting } from './orders/measure-forgetting.ts';
import { measureRatios } from './orders/measure-ratios.ts';
import { checkBooks, givenShops } from './orders/order-shop.ts';
import { createReport } from './report.ts';
import { givenDatabase } from './setup.ts';

/**
 * Placing orders over HTTP with default settings (requests are logged and rate limits counted): by turns with one-row
 * commits, with PostgreSQL far away, and while old orders are forgotten. `npm run bench -- orders [--quick]`
 */
const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const turns = turnsOf(values.quick);
const report = createReport('orders');
const client = await startOrderClient();
for (const measure of [measureRatios, measureDistance, measureForgetting]) {
  // A fresh database for each.
  const database = await givenDatabase();
  await measure(database, client, await givenShops(database.db), turns, report);
  await checkBooks(database.db);
  await database.close();
}
await client.close();
report.finish('orders of one pizza with a saved card');
