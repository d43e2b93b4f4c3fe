import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';

/** Fills a table by COPY. */
export async function copyRows(client: pg.Client, table: string, rows: Iterable<unknown[]>): Promise<void> {
  const out = client.query(copyFrom(`copy ${table} from stdin`));
  for (const row of rows) if (!out.write(`${row.map(textOf).join('\t')}\n`)) await once(out, 'drain');
  out.end();
  await finished(out);
}

function textOf(value: unknown): string {
  if (value === null) return '\\N';
  return String(value).replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n');
}
