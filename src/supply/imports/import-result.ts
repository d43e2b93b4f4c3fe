import type { LineFault } from '../stores/feed-fields.ts';

/** An import's report: counts and errors while it runs, as printed, and as stored. */

/** An error or warning with its line. `file` is set if several files were read, or for a categories file. */
export type ImportFault = { file?: string; line: number; path: string; message: string };

export type StoreOutcome = 'created' | 'updated' | 'unchanged';

/** The result of an import, as `doorstep import --json` prints it (docs/feeds.md). Each line has exactly one outcome. */
export type ImportResult = {
  read: number;
  created: number;
  updated: number;
  unchanged: number;
  rejected: number;
  /** Number of merged duplicates; absent except for places or if there were any. */
  merged?: number;
  /** Records that are not stores, by reason; only for places, and included in `read`. */
  left_out?: Record<string, number>;
  /** Number of stores removed from search; only with `--prune`. */
  pruned?: number;
  seconds: number;
  errors: ImportFault[];
  warnings: ImportFault[];
  /** Number of errors beyond those listed; absent if all are listed. */
  errors_omitted?: number;
  warnings_omitted?: number;
};

/** Maximum errors, and warnings, that are kept and printed; counts stay exact. */
export const MAX_LISTED_FAULTS = 10_000;

/** The line that errors are reported for. */
export type LinePlace = { file: string | null; line: number };

/** Counts an import as it runs. Memory is bounded by MAX_LISTED_FAULTS, not by the feed. */
export type ImportTally = ReturnType<typeof createTally>;

/** With `leavesOut`, the result always has `left_out` and `merged`, even if zero. */
export function createTally({ leavesOut = false } = {}) {
  const counts = { read: 0, created: 0, updated: 0, unchanged: 0, rejected: 0 };
  const leftOut = new Map<string, number>();
  const [errors, warnings] = [createFaultList(), createFaultList()];
  let merges = 0;
  let prunedStores: number | null = null;
  return {
    get read() {
      return counts.read;
    },
    count(outcome: StoreOutcome): void {
      counts.read += 1;
      counts[outcome] += 1;
    },
    /** Counts a valid record that is not a store. */
    leaveOut(reason: string): void {
      counts.read += 1;
      leftOut.set(reason, (leftOut.get(reason) ?? 0) + 1);
    },
    merged(decisions: number): void {
      merges += decisions;
    },
    /** Counts a rejected line with its errors. */
    reject(place: LinePlace, faults: readonly LineFault[]): void {
      counts.read += 1;
      counts.rejected += 1;
      errors.add(place, faults);
    },
    /** Adds errors of a line that is rejected elsewhere, or of a whole file. */
    blame: errors.add,
    warn: warnings.add,
    /** Counts unlisted warnings. */
    omitWarnings(more: number): void {
      warnings.omitted += more;
    },
    pruned(stores: number): void {
      prunedStores = (prunedStores ?? 0) + stores;
    },
    result: (seconds: number): ImportResult => ({
      ...counts,
      ...(merges > 0 || leavesOut ? { merged: merges } : {}),
      ...(leavesOut ? { left_out: Object.fromEntries([...leftOut].sort()) } : {}),
      ...(prunedStores === null ? {} : { pruned: prunedStores }),
      seconds,
      errors: errors.listed,
      warnings: warnings.listed,
      ...(errors.omitted > 0 ? { errors_omitted: errors.omitted } : {}),
      ...(warnings.omitted > 0 ? { warnings_omitted: warnings.omitted } : {}),
    }),
  };
}

function createFaultList() {
  const listed: ImportFault[] = [];
  const list = {
    listed,
    omitted: 0,
    add({ file, line }: LinePlace, faults: readonly LineFault[]): void {
      for (const { path, message } of faults) {
        if (listed.length < MAX_LISTED_FAULTS) listed.push({ ...(file === null ? {} : { file }), line, path, message });
        else list.omitted += 1;
      }
    },
  };
  return list;
}

/** Maximum stored errors per kind and import; the command reports more. */
const MAX_STORED_FAULTS = 100;
const MAX_SOURCE = 500;
const MAX_MESSAGE = 500;

/** A stored import. Without `finishedAt` it is running, or its process died. */
export type ImportRun = {
  runNo: number;
  source: string;
  format: string;
  startedAt: Temporal.Instant;
  finishedAt: Temporal.Instant | null;
  counts: ImportCounts;
  errorCount: number;
  warningCount: number;
};

export type ImportFaults = { errors: readonly ImportFault[]; warnings: readonly ImportFault[] };

/** The counts of a report. */
export type ImportCounts = Partial<
  Pick<
    ImportResult,
    'read' | 'created' | 'updated' | 'unchanged' | 'rejected' | 'merged' | 'pruned' | 'left_out' | 'seconds'
  >
>;

/** The names of an import's feeds as one text. */
export const sourceText = (sources: readonly string[]): string => [...new Set(sources)].join(', ').slice(0, MAX_SOURCE);

/** The stored part of a report: its numbers, and the first errors with shortened messages. */
export function summarizeImport(
  result: ImportResult,
): Pick<ImportRun, 'counts' | 'errorCount' | 'warningCount'> & ImportFaults {
  const { errors, warnings, errors_omitted: moreErrors = 0, warnings_omitted: moreWarnings = 0, ...counts } = result;
  const shortened = (faults: readonly ImportFault[]) =>
    faults.slice(0, MAX_STORED_FAULTS).map((fault) => ({ ...fault, message: fault.message.slice(0, MAX_MESSAGE) }));
  return {
    counts,
    errorCount: errors.length + moreErrors,
    warningCount: warnings.length + moreWarnings,
    errors: shortened(errors),
    warnings: shortened(warnings),
  };
}
