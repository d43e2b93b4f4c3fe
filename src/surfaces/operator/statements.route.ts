import { type Static, Type } from 'typebox';
import { findAccount } from '../../access/accounts/accounts.db.ts';
import { operation, REASON } from '../../access/operations/operation.ts';
import { localDay, monthOf } from '../../ordering/statements/month.ts';
import {
  MonthParameter,
  OwnersStatementSchema,
  presentAmounts,
  presentShares,
  SharesSchema,
  SumFields,
} from '../../ordering/statements/present-statement.ts';
import {
  isClosed,
  journalText,
  readLineCursor,
  readOwnersStatement,
  statementTable,
} from '../../ordering/statements/read-statement.flow.ts';
import { listStoreTotals, type StatementWorld } from '../../ordering/statements/statements.db.ts';
import { listStoreTerms, setStoreTerms } from '../../ordering/statements/store-terms.db.ts';
import {
  DEFAULT_TERMS,
  presentTerms,
  readTerms,
  TermsChangesSchema,
  TermsSchema,
} from '../../ordering/statements/terms.ts';
import { closeMonth, type LedgerDeps } from '../../ordering/statements/write-ledger.flow.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Db, Sql } from '../../platform/db/connect.ts';
import { describedObject, optionalText, orNull } from '../../platform/http/api-components.ts';
import { cutPage } from '../../platform/http/list-page.ts';
import { invalidField } from '../../platform/http/request-schema.ts';
import { csvFile, csvFileAnswer, TextFile, textFileAnswer } from '../../platform/http/send-csv.ts';
import type { Clock } from '../../platform/lib/clock.ts';
import { batchesInTurn, scheduleBatches } from '../../platform/lib/csv.ts';
import { epochSecondsOrNull } from '../../platform/lib/time.ts';
import { EXAMPLE_STORE_ID } from '../../supply/stores/example-store.ts';
import { currencyOf } from '../../supply/stores/store.ts';
import { isStoreId } from '../../supply/stores/store-id.ts';
import { findStore } from '../../supply/stores/stores.db.ts';
import { accountNotFound } from './accounts.route.ts';
import { StoreParams, storeNotFound } from './stores.route.ts';
import { STATEMENT, STATEMENTS } from './tables.ts';

/** Operator endpoints for what stores are owed (docs/statements.md): its terms, and live orders by their five owners. */

const PAGE_SIZE = 50;
const MAX_TERMS = 100;

const after = (description: string, maxLength: number) => optionalText(maxLength, description);
const SANDBOX = optionalText(64, 'The account whose sandbox orders are shown instead of live orders.');

/** Live orders, or those of an account's sandbox. */
async function readWorld(sql: Sql, sandboxAccountId: string | undefined): Promise<StatementWorld> {
  if (sandboxAccountId === undefined) return { mode: 'live', accountId: null };
  if (!(await findAccount(sql, sandboxAccountId))) throw accountNotFound();
  return { mode: 'sandbox', accountId: sandboxAccountId };
}

const TermsAnswer = describedObject('The terms for new orders, and earlier terms.', {
  store_id: Type.String(),
  terms: Type.Array(TermsSchema, { description: 'Up to 100, newest first.' }),
});

async function showTerms(sql: Sql, storeId: string) {
  const agreed = await listStoreTerms(sql, [storeId]);
  const terms = agreed.length > 0 ? agreed.slice(0, MAX_TERMS) : [{ since: null, ...DEFAULT_TERMS }];
  return {
    store_id: storeId,
    terms: terms.map(({ since, ...one }) => ({ since: epochSecondsOrNull(since), ...presentTerms(one) })),
  };
}

export const readStoreTermsOperation = operation({
  endpoint: 'GET /stores/:store_id/terms',
  refuses: ['store_not_found'],
  summary: "Get a store's payout terms and earlier terms",
  description: 'An order keeps the terms in effect when it was placed.',
  example: { path: { store_id: EXAMPLE_STORE_ID } },
  params: StoreParams,
  answer: TermsAnswer,
  on: { operator: { command: 'stores terms <store_id>', role: 'viewer' } },
}).run(async (deps: { db: Db; clock: Clock }, { params: { store_id: storeId } }) => {
  if (!(await findStore(deps.db, storeId))) throw storeNotFound();
  return showTerms(deps.db, storeId);
});

export const setStoreTermsOperation = operation({
  endpoint: 'POST /stores/:store_id/terms',
  refuses: ['store_not_found'],
  summary: "Set a store's payout terms for new orders",
  description: 'Does the same as `doorstep stores terms`. Omitted fields stay unchanged.',
  example: {
    path: { store_id: EXAMPLE_STORE_ID },
    body: { commission: 15, per_order_cents: 30, reason: 'The contract of March.' },
  },
  params: StoreParams,
  body: Type.Object({ ...TermsChangesSchema.properties, reason: REASON }),
  answer: TermsAnswer,
  on: { operator: { command: 'stores terms <store_id>', many: true, role: 'admin' } },
}).run(async (deps: { db: Db; clock: Clock }, { save, params, body }) => {
  const { store_id: storeId } = params;
  const { reason, ...terms } = body;
  const changes = readTerms(terms);
  if (Object.keys(changes).length === 0) {
    throw invalidField('body', 'body', 'must change something');
  }
  await save(
    async (tx, at) => {
      if (!(await findStore(tx, storeId))) throw storeNotFound();
      return setStoreTerms(tx, storeId, changes, at);
    },
    (set) => ({ action: 'store.set_terms', target: storeId, details: { ...presentTerms(set), reason } }),
  );
  return showTerms(deps.db, storeId);
});

type StatementsDeps = LedgerDeps & { db: Db; clock: Clock; config: Pick<Config, 'taxIds'> };

export const listStatementsOperation = operation({
  endpoint: 'GET /statements',
  refuses: ['not_found'],
  summary: "List stores' payouts for a month",
  description: 'Lists stores with live orders in the month, 50 per page. Defaults to the current month in UTC.',
  query: Type.Object({
    month: Type.Optional(MonthParameter),
    after: after("The previous page's last `store_id`.", 64),
    sandbox_account_id: SANDBOX,
  }),
  answer: describedObject('By `store_id`, in cents.', {
    month: Type.String(),
    is_closed: Type.Boolean({ description: 'Whether the month is closed. A closed month never changes.' }),
    statements: Type.Array(
      Type.Object({
        store_id: Type.String(),
        name: Type.String(),
        currency: Type.Enum(['USD', 'CAD']),
        totals: Type.Object({ ...SumFields, shares: SharesSchema }),
      }),
    ),
    next: orNull(Type.String(), 'Send it as `after` to get the next page. Null on the last page.'),
  }),
  largePages: 'statements',
  on: { operator: { command: 'statements show', table: STATEMENTS, role: 'viewer' } },
}).run(async ({ db, clock }: StatementsDeps, { query, inTurn }) => {
  const world = await readWorld(db, query.sandbox_account_id);
  const month = query.month ?? runningMonth(clock);
  const page = { after: query.after ?? '', limit: PAGE_SIZE + 1 };
  const [stores, closed] = await inTurn(() =>
    Promise.all([listStoreTotals(db, { ...world, month }, page), isClosed(db, month)]),
  );
  const { page: shown, next } = cutPage(stores, PAGE_SIZE, ({ storeId }) => storeId);
  const statements = shown.map(({ storeId, name, country, orders, ...amounts }) => ({
    store_id: storeId,
    name,
    currency: currencyOf(country),
    totals: { orders, ...presentAmounts(amounts), ...presentShares(amounts) },
  }));
  return { month, is_closed: closed, statements, next };
});

export const readAnyStatementOperation = operation({
  endpoint: 'GET /stores/:store_id/statement',
  refuses: ['store_not_found', 'not_found'],
  summary: "Get a store's payout statement for a month, with the shares of the five owners",
  description: "Returns 1,000 lines per page, with the whole month's days and totals. Defaults to this month.",
  example: { path: { store_id: EXAMPLE_STORE_ID } },
  params: StoreParams,
  query: Type.Object({
    month: Type.Optional(MonthParameter),
    after: after("The previous page's `next`.", 200),
    sandbox_account_id: SANDBOX,
  }),
  answer: OwnersStatementSchema,
  largePages: 'statements',
  on: { operator: { command: 'statements show', table: STATEMENT, role: 'viewer' } },
}).run(async ({ db, clock, config }: StatementsDeps, { params, query, inTurn }) => {
  const cursor = readLineCursor(query.after);
  const world = await readWorld(db, query.sandbox_account_id);
  const store = await findStore(db, params.store_id);
  if (!store) throw storeNotFound();
  const of = { ...world, storeId: store.storeId, month: query.month ?? runningMonth(clock, store.timeZone) };
  const page = { after: cursor, country: store.address.country, operatorTaxIds: config.taxIds };
  return inTurn(() => readOwnersStatement(db, of, page));
});

export const closeStatementsOperation = operation({
  endpoint: 'POST /statements/close',
  refuses: ['month_not_ended', 'statement_incomplete'],
  summary: 'Close a past month for all stores',
  description:
    'Closes every earlier month, too. A closed month never changes: later entries are corrections in the open month.',
  example: { body: { month: '2020-01', reason: 'The books are checked.' } },
  body: Type.Object({ month: MonthParameter, reason: REASON }),
  answer: Type.Object({ month: Type.String(), is_closed: Type.Boolean() }, { description: 'The month is closed.' }),
  on: { operator: { command: 'statements close', role: 'admin' } },
}).run(async (deps: StatementsDeps, { save, body }) => {
  const { db, clock } = deps;
  const { month, reason } = body;
  if (!(await isClosed(db, month))) {
    await closeMonth(deps, month, clock.now(), (work) =>
      save(work, () => ({ action: 'statements.close', target: month, details: { reason } })),
    );
  }
  return { month, is_closed: true };
});

const ExportQuery = Type.Object({
  month: Type.Optional(MonthParameter),
  store_id: optionalText(64, 'Returns only this store.'),
  sandbox_account_id: SANDBOX,
});

/** The query of an export, and its store; throws if the named store or account is unknown. */
async function readExport({ db, clock }: StatementsDeps, query: Static<typeof ExportQuery>) {
  const { store_id: storeId } = query;
  const world = await readWorld(db, query.sandbox_account_id);
  const store = storeId !== undefined && isStoreId(storeId) ? await findStore(db, storeId) : undefined;
  if (storeId !== undefined && !store) throw storeNotFound();
  const month = query.month ?? runningMonth(clock, store?.timeZone);
  return { of: { ...world, storeId: store?.storeId, month }, store };
}

export const exportJournalOperation = operation({
  endpoint: 'GET /statements.journal',
  refuses: ['store_not_found', 'not_found'],
  summary: "Export a month's payout statements as a journal for hledger",
  description:
    "Each entry moves an order's charges less refunds to their owners. `hledger check` compares the balances of orders with their logs, and those of stores with their totals.",
  query: ExportQuery,
  answer: textFileAnswer('The journal.'),
  largePages: 'statements',
  on: { operator: { command: 'statements export', role: 'viewer' } },
}).run(async (deps: StatementsDeps, { query, inTurn }) => {
  const { of } = await readExport(deps, query);
  return new TextFile(`statements-${of.month}.journal`, batchesInTurn(journalText(deps.db, of), inTurn));
});

export const downloadStatementsOperation = operation({
  endpoint: 'GET /statements.csv',
  refuses: ['store_not_found', 'not_found'],
  summary: "Export a month's payout statements as CSV",
  description: "Exports the lines of live orders, with amounts in dollars and the five owners' shares.",
  query: ExportQuery,
  answer: csvFileAnswer('The lines, below a header line.'),
  largePages: 'statements',
  on: { operator: { command: 'statements show', role: 'viewer' } },
}).run(async (deps: StatementsDeps, { query, inTurn }) => {
  const { of, store } = await readExport(deps, query);
  const shown = { country: store?.address.country, operatorTaxIds: deps.config.taxIds };
  const table = await inTurn(() => statementTable(deps.db, of, { view: 'owners', ...shown }));
  return csvFile(`statements-${of.month}.csv`, scheduleBatches(table, inTurn));
});

export const runningMonth = (clock: Clock, timeZone = 'UTC') => monthOf(localDay(clock.now(), timeZone));
