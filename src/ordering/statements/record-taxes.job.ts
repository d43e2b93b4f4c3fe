import type { Worker } from '../../platform/jobs/job-queue.ts';
import { readPages } from '../../platform/lib/read-pages.ts';
import type { ReversedLine } from '../../supply/pricing/tax-calculator.ts';
import { isPaidAtHandover, type Order } from '../order/order.ts';
import type { OrderDeps } from '../order/order-deps.ts';
import type { EventKey } from '../order/order-events.db.ts';
import { findAnyOrder } from '../order/orders.db.ts';
import { addShares, sharesOfOrder } from '../order/shares.ts';
import { findTaxRecords, findUnrecordedOrders, saveTaxRecord } from './tax-records.db.ts';
import { type TaxedEntry, taxReversals } from './tax-reversals.ts';

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
  if (!calculation || !taxes) throw new Error('The order has taxes of a service that is not set.');
  const [sale, ...later] = await findTaxRecords(db, orderId);
  if (!sale) return;
  const recordId = sale.record ?? (await taxes.record({ calculationId: calculation.id, reference: orderId }));
  const unsold = unsoldBefore(order);
  const whole = unsold ? { ...sale, ...sharesOfOrder({ ...order, adjustments: [] }) } : sale;
  const reversals = taxReversals(calculation, whole, unsold ? [unsold, ...later] : later);
  const reverse = ({ sequence }: EventKey, lines: readonly ReversedLine[]) =>
    lines.length === 0 ? '' : taxes.reverse({ recordId, reference: `${orderId}:${sequence}`, lines });
  const first = unsold ? (reversals.shift() ?? []) : [];
  if (sale.record === null) {
    await reverse(sale, first);
    await saveTaxRecord(db, sale, recordId);
  }
  for (const [nth, { record, ...key }] of later.entries()) {
    if (record === null) await saveTaxRecord(db, key, await reverse(key, reversals[nth] ?? []));
  }
}

/** The parts of its calculation that an order paid at its handover lacked by then, and that were never sold. */
function unsoldBefore(order: Order): TaxedEntry | undefined {
  if (!isPaidAtHandover(order) || order.adjustments.length === 0) return undefined;
  return addShares(sharesOfOrder(order), sharesOfOrder({ ...order, adjustments: [] }), -1);
}
