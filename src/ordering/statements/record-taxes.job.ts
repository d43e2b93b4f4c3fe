import type { Worker } from '../../platform/jobs/job-queue.ts';
import { readPages } from '../../platform/lib/read-pages.ts';
import type { OrderDeps } from '../order/order-deps.ts';
import { findAnyOrder } from '../order/orders.db.ts';
import { findTaxRecords, findUnrecordedOrders, saveTaxRecord } from './tax-records.db.ts';
import { taxReversals } from './tax-reversals.ts';

/** Maximum orders recorded at once. */
const BATCH = 8;

type RecordTaxesDeps = Pick<OrderDeps, 'db' | 'log' | 'taxes'>;

/**
 * Keeps the records of the outside tax service equal to the ledger, every minute: a sale is recorded under the order's
 * id, and what a later entry gives back of it is reversed under the id and the entry's number. The service knows a
 * repeated reference, so lost answers and jobs that run twice have one effect. One order delays no other.
 */
export function recordTaxes(deps: RecordTaxesDeps): Worker<object> {
  return {
    kind: { name: 'record-taxes' },
    concurrency: 1,
    everyMinutes: '* * * * *',
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
  const calculation = (await findAnyOrder(db, orderId))?.quote.taxCalculation;
  if (!calculation || !taxes) throw new Error('The order has taxes of a service that is not set.');
  const [sale, ...later] = await findTaxRecords(db, orderId);
  if (!sale) return;
  const recordId = sale.record ?? (await taxes.record({ calculationId: calculation.id, reference: orderId }));
  if (sale.record === null) await saveTaxRecord(db, sale, recordId);
  const reversals = taxReversals(calculation, sale, later);
  for (const [nth, { record, ...key }] of later.entries()) {
    const lines = reversals[nth] ?? [];
    const reversal = { recordId, reference: `${orderId}:${key.sequence}`, lines };
    if (record === null) await saveTaxRecord(db, key, lines.length === 0 ? '' : await taxes.reverse(reversal));
  }
}
