import { Type } from 'typebox';
import { operation } from '../../access/operations/operation.ts';
import type { Db } from '../../platform/db/connect.ts';
import { component, describedObject, orNull } from '../../platform/http/api-components.ts';
import { cutPage } from '../../platform/http/list-page.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import type { ImportRun } from '../../supply/imports/import-result.ts';
import { findRun, listRuns } from '../../supply/imports/import-runs.db.ts';
import { moment, showRow } from './field-schemas.ts';
import { IMPORTS } from './tables.ts';

const PAGE_SIZE = 50;
const RUN_NO = { minimum: 1, maximum: Number.MAX_SAFE_INTEGER };

const ImportRunSchema = Type.Object({
  run_no: Type.Integer(),
  source: Type.String({ description: "The feeds' names." }),
  format: Type.String(),
  started_at: Type.Integer({ description: 'Epoch seconds.' }),
  finished_at: moment("Null while it's running, and if its process ended unexpectedly."),
  counts: Type.Record(Type.String(), Type.Unknown(), { description: "The report's numbers: read, created and so on." }),
  error_count: Type.Integer(),
  warning_count: Type.Integer(),
});
const FaultSchema = component('KeptImportFault', 'An error or warning of an import, with its line.', {
  file: Type.Optional(Type.String()),
  line: Type.Integer(),
  path: Type.String(),
  message: Type.String(),
});

export const listImportsOperation = operation({
  endpoint: 'GET /imports',
  summary: 'List feed imports, newest first',
  description: 'Lists each run of `doorstep import`, with the numbers of created, changed and refused entries.',
  query: Type.Object({
    before: Type.Optional(Type.Integer({ ...RUN_NO, description: "The previous page's `next`." })),
  }),
  answer: describedObject('50 a page; the newest 1,000 imports are kept.', {
    imports: Type.Array(ImportRunSchema),
    next: orNull(Type.Integer(), 'Send it as `before` to get the next page.'),
  }),
  on: { operator: { command: 'imports list', table: IMPORTS, role: 'viewer' } },
}).run(async ({ db }: { db: Db }, { query }) => {
  const rows = await listRuns(db, { before: query.before, limit: PAGE_SIZE + 1 });
  const { page, next } = cutPage(rows, PAGE_SIZE, ({ runNo }) => runNo);
  return { imports: page.map(presentRun), next };
});

export const readImportOperation = operation({
  endpoint: 'GET /imports/:run_no',
  refuses: ['not_found'],
  summary: 'Get an import with its first errors and warnings',
  description: 'Returns the counts of a `doorstep import` run, and its errors with their line numbers.',
  params: Type.Object({ run_no: Type.Integer({ ...RUN_NO, description: 'An import.' }) }),
  answer: describedObject('Up to 100 of each.', {
    ...ImportRunSchema.properties,
    errors: Type.Array(FaultSchema),
    warnings: Type.Array(FaultSchema),
  }),
  on: { operator: { role: 'viewer' } },
}).run(async ({ db }: { db: Db }, { params }) => {
  const found = await findRun(db, params.run_no);
  if (!found) throw new Refusal('not_found', 'There is no such import.');
  return { ...presentRun(found), errors: [...found.errors], warnings: [...found.warnings] };
});

const presentRun = (run: ImportRun) => ({ ...showRow(run), counts: { ...run.counts } });
