import type { FormatName } from './formats.ts';
import type { ImportFault, ImportResult } from './import-result.ts';

/** Faults of each kind that are kept of an import; its own answer has more. */
export const KEPT_FAULTS = 100;
const MAX_SOURCE = 500;
const MAX_MESSAGE = 500;

/** An import as it is kept; without `finishedAt` it is running, or its process died. */
export type ImportRun = {
  runNo: number;
  source: string;
  format: FormatName;
  startedAt: Temporal.Instant;
  finishedAt: Temporal.Instant | null;
  counts: ImportCounts;
  errorCount: number;
  warningCount: number;
};

export type ImportFaults = { errors: readonly ImportFault[]; warnings: readonly ImportFault[] };

/** The numbers of the report. */
export type ImportCounts = Partial<
  Pick<
    ImportResult,
    'read' | 'created' | 'updated' | 'unchanged' | 'rejected' | 'merged' | 'pruned' | 'left_out' | 'seconds'
  >
>;

/** The names of the feeds of an import as one text. */
export function sourceText(sources: readonly string[]): string {
  return [...new Set(sources)].join(', ').slice(0, MAX_SOURCE);
}

/** What is kept of a report: its numbers, and the first faults with their messages shortened. */
export function keptOf(result: ImportResult): Pick<ImportRun, 'counts' | 'errorCount' | 'warningCount'> & ImportFaults {
  const { errors, warnings, errors_omitted: moreErrors = 0, warnings_omitted: moreWarnings = 0, ...counts } = result;
  const shortened = (faults: readonly ImportFault[]) =>
    faults.slice(0, KEPT_FAULTS).map((fault) => ({ ...fault, message: fault.message.slice(0, MAX_MESSAGE) }));
  return {
    counts,
    errorCount: errors.length + moreErrors,
    warningCount: warnings.length + moreWarnings,
    errors: shortened(errors),
    warnings: shortened(warnings),
  };
}
