import { memoized } from 'doorstep/collections';
import { inSpan } from '../lib/tracing.ts';

const LITERALS = /'(?:[^']|'')*'/g;
const OPERATION = /^\s*(?:with\s+)?([a-z]+)/i;
const CHANGE = /\b(insert\s+into|update|delete\s+from)\s+"?([a-z_]+)"?/i;
const READ = /\bfrom\s+"?([a-z_]+)"?/i;

type Summary = { operation: string; table: string | undefined };

/** Maximum cached statement summaries; a service has about a hundred statements. */
const MAX_TEXTS = 500;

/** Summarizes a statement for spans: its operation and table, without literals, so that there are few summaries. */
export const summarizeStatement = memoized(summarize, MAX_TEXTS);

function summarize(text: string): Summary {
  const plain = text.replaceAll(LITERALS, '');
  const [, verb, changed] = CHANGE.exec(plain) ?? [];
  if (verb && changed) return { operation: verb.split(/\s/)[0]?.toLowerCase() ?? verb, table: changed.toLowerCase() };
  const [, first = ''] = OPERATION.exec(plain) ?? [];
  const isRead = /^\s*(?:select|with)\b/i.test(plain);
  return { operation: isRead ? 'select' : first.toLowerCase(), table: isRead ? READ.exec(plain)?.[1] : undefined };
}

/** Runs a statement in a span, if the current work is traced. */
export function traceStatement(text: string, run: () => unknown): unknown {
  const { operation, table } = summarizeStatement(text);
  const attributes = { 'db.system.name': 'postgresql', 'db.operation.name': operation, 'db.collection.name': table };
  const name = table === undefined ? operation : `${operation} ${table}`;
  return inSpan({ name, kind: 'client', attributes }, run as () => Promise<unknown>);
}
