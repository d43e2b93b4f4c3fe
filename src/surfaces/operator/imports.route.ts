import { Type } from 'typebox';
import type { Db } from '../../platform/db/connect.ts';
import { component, describedObject, orNull } from '../../platform/http/api-components.ts';
import { cutPage } from '../../platform/http/list-page.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import type { ImportRun } from '../../supply/imports/import-result.ts';
import { findRun, listRuns } from '../../supply/imports/import-runs.db.ts';
import { moment, showRow } from './field-schemas.ts';
import { procedure } from './procedure.ts';
import { IMPORTS } from './tables.ts';

const PAGE_SIZE = 50;
const RUN_NO = { minimum: 1, maximum: Number.MAX_SAFE_INTEGER };

const ImportRunSchema = Type.Object({
  run_no: Type.Integer(),
  source: Type.String({ description: 'The names of the feeds.' }),
  format: Type.String(),
  started_at: Type.Integer({ description: 'Epoch seconds.' }),
  finished_at: moment('Null while it runs, and for an import whose process died.'),
  counts: Type.Record(Type.String(), Type.Unknown(), {
    description: 'The numbers of the report: read, created and so on.',
  }),
  error_count: Type.Integer(),
  warning_count: Type.Integer(),
});
const FaultSchema = component('KeptImportFault', 'A fault or warning of an import, with its line.', {
  file: Type.Optional(Type.String()),
  line: Type.Integer(),
  path: Type.String(),
  message: Type.String(),
});

export const listImportsProcedure = procedure({
  endpoint: 'GET /operator/imports',
  command: 'imports list',
  table: IMPORTS,
  role: 'viewer',
  summary: 'Imports of feeds, newest first',
  description: 'Each run of `doorstep import` is a line, with what the run created, changed and refused.',
  query: Type.Object({
    before: Type.Optional(Type.Integer({ ...RUN_NO, description: 'The `next` of the page before.' })),
  }),
  answer: describedObject('50 a page; the newest 1,000 imports are kept.', {
    imports: Type.Array(ImportRunSchema),
    next: orNull(Type.Integer(), 'The `before` of the next page.'),
  }),
  async run({ db }: { db: Db }, { query }) {
    const rows = await listRuns(db, { before: query.before, limit: PAGE_SIZE + 1 });
    const { page, next } = cutPage(rows, PAGE_SIZE, ({ runNo }) => runNo);
    return { imports: page.map(presentRun), next };
  },
});

export const readImportProcedure = procedure({
  endpoint: 'GET /operator/imports/:run_no',
  role: 'viewer',
  refuses: ['not_found'],
  summary: 'An import with its first errors and warnings',
  description: 'The counts of a run of `doorstep import`, and its faults with the lines of the files.',
  params: Type.Object({ run_no: Type.Integer({ ...RUN_NO, description: 'An import.' }) }),
  answer: describedObject('At most 100 of each.', {
    ...ImportRunSchema.properties,
    errors: Type.Array(FaultSchema),
    warnings: Type.Array(FaultSchema),
  }),
  async run({ db }: { db: Db }, { params }) {
    const found = await findRun(db, params.run_no);
    if (!found) throw new Refusal('not_found', 'There is no such import.');
    return { ...presentRun(found), errors: [...found.errors], warnings: [...found.warnings] };
  },
});

const presentRun = (run: ImportRun) => ({ ...showRow(run), counts: { ...run.counts } });
