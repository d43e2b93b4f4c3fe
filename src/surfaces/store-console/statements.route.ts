import { type Static, Type } from 'typebox';
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
import type { Db } from '../../platform/db/connect.ts';
import { optionalText } from '../../platform/http/api-components.ts';
import type { Http } from '../../platform/http/http.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { csvAnswer, sendCsv } from '../../platform/http/send-csv.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { scheduleBatches } from '../../platform/lib/csv.ts';
import type { Country } from '../../supply/stores/store.ts';
import { findStore } from '../../supply/stores/stores.db.ts';
import { limitReports } from './sales.route.ts';

/** Store API endpoints for payout statements, for the store's owner (docs/statements.md). */

const Month = Type.Object({ month: Type.Optional(MonthParameter) });
const Page = Type.Object({
  month: Type.Optional(MonthParameter),
  after: optionalText(200, "The previous page's `next`."),
});

const statementSchema = {
  operationId: 'readStatement',
  summary: "Get the store's payout statement for a month",
  description:
    "Returns the amounts owed to the store line by line, 1,000 per page, each with the whole month's days and totals. Defaults to the current month. A live store key or console session returns live orders. A sandbox one returns its account's sandbox orders.",
  querystring: Page,
  response: { 200: StatementSchema },
};
const csvSchema = {
  operationId: 'downloadStatement',
  summary: "Export the store's payout statement for a month as CSV",
  description: 'All lines, with amounts in dollars. Defaults to the current month.',
  querystring: Month,
  response: { 200: csvAnswer('The lines, below a header line.') },
};

const driversSchema = {
  operationId: 'readDriversSheet',
  summary: "List deliveries and tips of the store's own drivers in a month",
  description: 'By driver and local day, without outside couriers. Defaults to the current month.',
  querystring: Month,
  response: { 200: DriversSheetSchema },
};
const driversCsvSchema = {
  operationId: 'downloadDriversSheet',
  summary: "Export deliveries and tips of the store's own drivers in a month as CSV",
  description: 'One record per driver and local day, with amounts in dollars. Defaults to the current month.',
  querystring: Month,
  response: { 200: csvAnswer('The days, below a header line.') },
};

const config = { audience: 'store', ownerOnly: true, refuses: ['store_not_found', 'live_only'] } as const;

type StatementDeps = { db: Db; clock: Clock; config: Pick<Config, 'showStoresAddedFees' | 'taxIds'> };

/** GET /store/statements and /store/statements/drivers, each also as CSV. */
export function storeStatementsRoutes(http: Http, deps: StatementDeps): void {
  const turnOf = limitReports();
  const { showStoresAddedFees: showsAdded, taxIds: operatorTaxIds } = deps.config;
  http.get('/store/statements', { schema: statementSchema, config }, async (request) => {
    const after = readLineCursor(request.query.after);
    const { of, country } = await readStoreStatement(deps, request.merchant, request.query);
    return turnOf(request)(() => readStatement(deps.db, of, { after, country, showsAdded, operatorTaxIds }));
  });
  http.get('/store/statements.csv', { schema: csvSchema, config }, async (request, reply) => {
    const { of, country } = await readStoreStatement(deps, request.merchant, request.query);
    const inTurn = turnOf(request);
    const view = showsAdded ? 'store_with_added' : 'store';
    const table = await inTurn(() => statementTable(deps.db, of, { view, country, operatorTaxIds }));
    return sendCsv(reply, `statement-${of.month}.csv`, scheduleBatches(table, inTurn));
  });
  http.get('/store/statements/drivers', { schema: driversSchema, config }, async (request) => {
    const { of, country } = await readStoreStatement(deps, request.merchant, request.query);
    return turnOf(request)(() => readDriversSheet(deps.db, of, country));
  });
  http.get('/store/statements/drivers.csv', { schema: driversCsvSchema, config }, async (request, reply) => {
    const { of, country } = await readStoreStatement(deps, request.merchant, request.query);
    const table = scheduleBatches(driversTable(deps.db, of, country), turnOf(request));
    return sendCsv(reply, `drivers-${of.month}.csv`, table);
  });
}

/** The statement that a request asks for. A one-order link sees none. */
async function readStoreStatement(
  { db, clock }: Omit<StatementDeps, 'config'>,
  merchant: Merchant,
  { month }: Static<typeof Month>,
): Promise<{ of: StatementQuery; country: Country }> {
  refuseLink(merchant);
  const { storeId, mode, accountId } = merchant;
  const store = await findStore(db, storeId);
  if (!store) throw new Refusal('store_not_found', 'There is no such store.');
  const shownMonth = month ?? monthOf(localDay(clock.now(), store.timeZone));
  return { of: { storeId, mode, accountId, month: shownMonth }, country: store.address.country };
}
