import assert from 'node:assert/strict';
import type { Surroundings } from '../simulated-node.ts';
import { leftOf, type TaxBooks } from '../simulated-taxes.ts';
import { type FinalOrder, isSold } from './final-orders.ts';

type Entry = { order_id: string; kind: string; taxes_cents: number };

/**
 * A live order is charged the taxes that the tax service computed. The service has one record of each that was charged,
 * and nothing of any other order. What reversals left of it is the least that the ledger has had: none is taken back or
 * exceeds the record. An estimate of goods by weight has its part of what they are at their heaviest.
 */
export async function checkTaxes({ taxes, database }: Surroundings, orders: readonly FinalOrder[]): Promise<void> {
  const entries = await database.ask<Entry>(
    'select order_id, kind, taxes_cents::int from ledger_entries order by order_id, sequence',
  );
  const known = new Set(orders.map(({ order_id }) => order_id));
  for (const reference of taxes.records.keys())
    assert.ok(known.has(reference), `a tax record has no order: ${reference}`);
  for (const order of orders) {
    let sum = 0;
    const own = entries.filter(({ order_id }) => order_id === order.order_id);
    const sold = own.slice(own.findIndex(({ kind }) => kind === 'sale'));
    const sums = sold.map(({ taxes_cents }) => (sum += taxes_cents));
    checkOrder(taxes, order, Math.max(0, Math.min(...sums)));
  }
}

function checkOrder(taxes: TaxBooks, order: FinalOrder, ledgerCents: number): void {
  const about = `order ${order.order_id} (${order.status})`;
  const record = taxes.records.get(order.order_id);
  const { taxCalculation, salesTaxCents, addedFee } = order.quote;
  const calculation = taxes.calculations.get(taxCalculation?.id ?? '');
  assert.equal(calculation !== undefined, order.mode === 'live', `the calculation of ${about}`);
  const computed = calculation?.lines.flatMap(({ cents }) => cents).reduce((sum, cents) => sum + cents, 0);
  const quoted = salesTaxCents + addedFee.salesTaxCents;
  const isEstimate = order.quote.items.some(({ weight }) => weight !== undefined);
  if (calculation)
    assert.equal(isEstimate ? Math.max(quoted, computed ?? 0) : quoted, computed, `the taxes of ${about}`);
  const isRecorded = order.mode === 'live' && isSold(order) && order.charge_user;
  assert.equal(record?.calculation.id, isRecorded ? taxCalculation?.id : undefined, `the tax record of ${about}`);
  if (!record) return;
  const left = record.calculation.lines.map(({ subject }) => leftOf(taxes, record, subject));
  const leftCents = left.reduce((sum, { taxCents }) => sum + taxCents, 0);
  assert.equal(leftCents, ledgerCents, `the tax left of ${about}`);
  const baseCents = left.reduce((sum, line) => sum + line.baseCents, 0);
  if (order.status === 'canceled') assert.equal(baseCents, 0, `the tax left of ${about}`);
}
