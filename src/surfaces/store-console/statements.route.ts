import { Type } from 'typebox';
import { operation } from '../../access/operations/operation.ts';
import { type Merchant, refuseLink } from '../../access/sessions/merchant.ts';
import { localDay, monthOf } from '../../ordering/statements/month.ts';
import { DriversSheetSchema, MonthParameter, StatementSchema } from '../../ordering/statements/present-statement.ts';
import {
  driversTable,
  readDriversSheet,
  readLineCursor,
  readStatement,
  statementTable,
} from '../../ordering/statements/read-statement.flow.ts';
import type { StatementQuery } from '../../ordering/statements/statements.db.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Context } from '../../platform/db/context.ts';
import { optionalText } from '../../platform/http/api-components.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { csvFile, csvFileAnswer } from '../../platform/http/send-csv.ts';
import { scheduleBatches } from '../../platform/lib/csv.ts';
import type { Country } from '../../supply/stores/store.ts';
import { findStore } from '../../supply/stores/stores.db.ts';

/** Store API endpoints for payout statements, for the store's owner (docs/statements.md). */

type StatementDeps = Context & { config: Pick<Config, 'showStoresAddedFees' | 'taxIds'> };

const OWNERS = {
  query: Type.Object({ month: Type.Optional(MonthParameter) }),
  largePages: 'reports',
  on: { store: { ownerOnly: true, admit: refuseLink, refuses: ['store_not_found', 'live_only'] } },
} as const;

export const STATEMENT_OPERATIONS = [
  operation({
    ...OWNERS,
    name: 'readStatement',
    endpoint: 'GET /statements',
    summary: "Get the store's payout statement for a month",
    description:
      "Returns the amounts owed to the store line by line, 1,000 per page, each with the whole month's days and totals. Defaults to the current month. A live store key or console session returns live orders. A sandbox one returns its account's sandbox orders.",
    query: Type.Object({ ...OWNERS.query.properties, after: optionalText(200, "The previous page's `next`.") }),
    answer: StatementSchema,
  }).run(async (deps: StatementDeps, { by, inTurn, query }) => {
    const { showStoresAddedFees: showsAdded, taxIds: operatorTaxIds } = deps.config;
    const after = readLineCursor(query.after);
    const { of, country } = await readStoreStatement(deps, by.merchant, query.month);
    return inTurn(() => readStatement(deps.db, of, { after, country, showsAdded, operatorTaxIds }));
  }),
  operation({
    ...OWNERS,
    name: 'downloadStatement',
    endpoint: 'GET /statements.csv',
    summary: "Export the store's payout statement for a month as CSV",
    description: 'All lines, with amounts in dollars. Defaults to the current month.',
    answer: csvFileAnswer('The lines, below a header line.'),
  }).run(async (deps: StatementDeps, { by, inTurn, query: { month } }) => {
    const { of, country } = await readStoreStatement(deps, by.merchant, month);
    const view = deps.config.showStoresAddedFees ? 'store_with_added' : 'store';
    const options = { view, country, operatorTaxIds: deps.config.taxIds } as const;
    const table = await inTurn(() => statementTable(deps.db, of, options));
    return csvFile(`statement-${of.month}.csv`, scheduleBatches(table, inTurn));
  }),
  operation({
    ...OWNERS,
    name: 'readDriversSheet',
    endpoint: 'GET /statements/drivers',
    summary: "List deliveries and tips of the store's own drivers in a month",
    description: 'By driver and local day, without outside couriers. Defaults to the current month.',
    answer: DriversSheetSchema,
  }).run(async (deps: StatementDeps, { by, inTurn, query: { month } }) => {
    const { of, country } = await readStoreStatement(deps, by.merchant, month);
    return inTurn(() => readDriversSheet(deps.db, of, country));
  }),
  operation({
    ...OWNERS,
    name: 'downloadDriversSheet',
    endpoint: 'GET /statements/drivers.csv',
    summary: "Export deliveries and tips of the store's own drivers in a month as CSV",
    description: 'One record per driver and local day, with amounts in dollars. Defaults to the current month.',
    answer: csvFileAnswer('The days, below a header line.'),
  }).run(async (deps: StatementDeps, { by, inTurn, query: { month } }) => {
    const { of, country } = await readStoreStatement(deps, by.merchant, month);
    return csvFile(`drivers-${of.month}.csv`, scheduleBatches(driversTable(deps.db, of, country), inTurn));
  }),
];

/** The statement that a request asks for. */
async function readStoreStatement(
  { db, clock }: Omit<StatementDeps, 'config'>,
  { storeId, mode, accountId }: Merchant,
  month: string | undefined,
): Promise<{ of: StatementQuery; country: Country }> {
  const store = await findStore(db, storeId);
  if (!store) throw new Refusal('store_not_found', 'There is no such store.');
  const shownMonth = month ?? monthOf(localDay(clock.now(), store.timeZone));
  return { of: { storeId, mode, accountId, month: shownMonth }, country: store.address.country };
}
