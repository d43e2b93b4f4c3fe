import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import { pizzeria } from '../../../test/feed-lines.ts';
import { givenConsole } from '../../../test/given/merchant.ts';
import { givenStores } from '../../../test/given/stores.ts';
import { givenApp } from '../../../test/harness.ts';
import { entriesOf, type Life, lives } from '../../../test/lives/ledger-lives.ts';
import { insertEntries, type WrittenEntry } from './ledger.db.ts';
import { listTaxSums } from './statements.db.ts';
import { taxReport } from './tax-report.ts';

const app = await givenApp();
after(() => app.close());

const PLACES = [
  { country: 'US', state: 'WA', code: 'WA' },
  { country: 'US', state: 'Washington', code: 'WA' },
  { country: 'CA', state: 'Québec', code: 'QC' },
  { country: 'US', state: 'TX', code: 'TX' },
] as const;
const MONTHS = ['2026-09', '2026-10', '2026-11'];
const NOWHERE = { country: 'US', state: 'Elsewhere' };
const LIVES = 400;

type Booked = WrittenEntry & { code: string; country: string; remitter: string };

/** Books a life in the ledger of a store. */
async function book(life: Life, nth: number, storeIds: readonly string[]): Promise<Booked[]> {
  const { db } = app.service.deps;
  const at = nth % PLACES.length;
  const { code, country, state } = PLACES[at] ?? PLACES[0];
  const remitter = life.terms.tax;
  const key = { orderId: `o${nth}`, storeId: storeIds[at] ?? '', accountId: app.accountId, mode: 'live' as const };
  await sql`insert into ledger_orders (order_id, store_id, account_id, mode, order_number, state)
    values (${key.orderId}, ${key.storeId}, ${key.accountId}, 'live', ${key.orderId},
      ${JSON.stringify({ terms: { tax: remitter }, place: { country, state } })}::jsonb)`.execute(db);
  const booked = entriesOf(life).flatMap((entry, sequence): Booked[] => {
    if (!entry) return [];
    const month = MONTHS[(nth + sequence) % MONTHS.length] ?? '';
    const day = { month, date: `${month}-05`, at: app.now(), isCorrection: false };
    return [{ ...entry, ...key, ...day, sequence, code, country, remitter }];
  });
  await insertEntries(
    db,
    booked.map(({ code: _, country: __, remitter: ___, ...entry }): WrittenEntry => entry),
  );
  return booked;
}

const sumBy = <Row>(rows: readonly Row[], keyOf: (row: Row) => string, cents: (row: Row) => number) => {
  const sums: Record<string, number> = {};
  for (const row of rows) sums[keyOf(row)] = (sums[keyOf(row)] ?? 0) + cents(row);
  return Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum !== 0));
};

test(`${LIVES} random lives of orders: for every month, state and remitter the report equals the ledger's taxes, to the cent`, async () => {
  const { db } = app.service.deps;
  const address = { street_addr: '1 Main St', city: 'Somewhere', zipcode: '98101' };
  const storeIds = await givenStores(
    app,
    PLACES.map(({ country, state }, nth) =>
      pizzeria({ external_id: `taxed-${nth}`, address: { ...address, country, state } }),
    ),
  );
  const booked: Booked[] = [];
  for (const [nth, life] of fc.sample(lives, LIVES).entries()) booked.push(...(await book(life, nth, storeIds)));
  // A store that moves later leaves its orders' taxes where they were.
  const ofMonth = (month: string) => listTaxSums(db, { mode: 'live', accountId: null, month }, 10_000);
  const before = taxReport(await ofMonth('2026-09'));
  for (const month of MONTHS) {
    const ledger = booked.filter((entry) => entry.month === month);
    const { taxes, totals } = taxReport(await ofMonth(month));
    const places = sumBy(
      ledger,
      ({ country, code, remitter }) => `${country} ${code} ${remitter}`,
      (e) => e.taxesCents,
    );
    assert.ok(Object.keys(places).length === 6, month);
    assert.deepEqual(
      sumBy(
        taxes,
        ({ country, state, remitter }) => `${country} ${state} ${remitter}`,
        ({ tax }) => tax,
      ),
      places,
    );
    assert.deepEqual(
      sumBy(
        totals,
        ({ currency, remitter }) => `${currency} ${remitter}`,
        ({ tax }) => tax,
      ),
      sumBy(
        ledger,
        (e) => `${e.country === 'CA' ? 'CAD' : 'USD'} ${e.remitter}`,
        (e) => e.taxesCents,
      ),
    );
    const lines = ledger.flatMap((entry) => entry.taxLines.map((line) => ({ ...line, ...entry, cents: line.cents })));
    const byClass = (row: { country: string; name: string }, state: string, taxClass: string, remitter: string) =>
      [row.country, state, row.name, taxClass, remitter].join(' ');
    assert.deepEqual(
      sumBy(
        taxes,
        (row) => byClass(row, row.state, row.tax_class, row.remitter),
        ({ tax }) => tax,
      ),
      sumBy(
        lines,
        (line) => byClass(line, line.code, line.taxClass, line.remitter),
        ({ cents }) => cents,
      ),
    );
    assert.deepEqual(
      sumBy(
        taxes,
        (row) => byClass(row, row.state, row.tax_class, row.remitter),
        ({ base }) => base,
      ),
      sumBy(
        lines,
        (line) => byClass(line, line.code, line.taxClass, line.remitter),
        ({ baseCents }) => baseCents,
      ),
    );
  }
  await sql`update stores set profile = jsonb_set(profile, '{address}', profile->'address' || ${JSON.stringify(NOWHERE)}::jsonb)`.execute(
    db,
  );
  assert.deepEqual(taxReport(await ofMonth('2026-09')), before);

  const operator = await givenConsole(app, null);
  const [report, statements] = [
    (await operator.get('/operator/taxes', { month: '2026-11' })).body,
    (await operator.get('/operator/statements', { month: '2026-11' })).body.statements,
  ];
  const total = (rows: readonly { tax: number }[]) => rows.reduce((sum, { tax }) => sum + tax, 0);
  const ofStatements = statements.map((one: { totals: { taxes: number } }) => ({ tax: one.totals.taxes }));
  assert.deepEqual([total(report.taxes), total(report.totals)], [total(ofStatements), total(ofStatements)]);
  assert.equal(report.is_closed, false);
  const csv = (await operator.get('/operator/taxes.csv', { month: '2026-11' })).text.trimEnd().split('\r\n');
  assert.equal(csv[0], '\uFEFFcountry,state,name,tax_class,remitter,currency,base,tax');
  assert.equal(csv.length, report.taxes.length + 1);
});
