import type { Worker } from '../../platform/jobs/job-queue.ts';
import { readPages } from '../../platform/lib/read-pages.ts';
import type { OrderDeps } from '../order/order-deps.ts';
import { findAnyOrder } from '../order/orders.db.ts';
import { findTaxRecords, findUnrecordedOrders, saveTaxRecord } from './tax-records.db.ts';
import { taxReversals } from './tax-reversals.ts';

const BATCH = 8;

type RecordTaxesDeps = Pick<OrderDeps, 'db' | 'log' | 'taxes'>;

/**
 * Keeps the records in the external tax service equal to the ledger, every minute: a calculation is recorded under the
 * order's id, and reductions by its sale or a later entry are reversed under the id and the entry's number. Repeating a
 * reference has no effect there, so lost responses and repeated jobs are safe. One order delays no other.
 */
export function recordTaxes(deps: RecordTaxesDeps): Worker<object> {
  return {
    kind: { name: 'record-taxes' },
    concurrency: 1,
    everyMinutes: 1,
    run: async () => {
      const { db, log } = deps;
      const read = (after = '') => findUnrecordedOrders(db, after, BATCH);
      for await (const page of readPages<string>(BATCH, read)) {
        const warn = (orderId: string) => (err: unknown) => log.warn({ err, orderId }, 'taxes not recorded yet');
        await Promise.all(page.map((orderId) => recordOrder(deps, orderId).catch(warn(orderId))));
      }
    },
  };
}

async function recordOrder({ db, taxes }: RecordTaxesDeps, orderId: string): Promise<void> {
  const order = await findAnyOrder(db, orderId);
  const calculation = order?.quote.taxCalculation;
  if (!calculation || !taxes) throw new Error("The order's taxes come from a service that isn't configured.");
  const entries = await findTaxRecords(db, orderId);
  const reversals = taxReversals(calculation, entries);
  const saved = entries[0]?.record;
  if (saved === undefined) return;
  const recordId = saved ?? (await taxes.record({ calculationId: calculation.id, reference: orderId }));
  for (const [nth, { record, ...key }] of entries.entries()) {
    if (record !== null) continue;
    const lines = reversals[nth] ?? [];
    const reference = `${orderId}:${key.sequence}`;
    const reversal = lines.length === 0 ? '' : await taxes.reverse({ recordId, reference, lines });
    await saveTaxRecord(db, key, nth === 0 ? recordId : reversal);
  }
}
