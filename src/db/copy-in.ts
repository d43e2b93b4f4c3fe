import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CompiledQuery } from 'kysely';
import type pg from 'pg';
import * as copyStreams from 'pg-copy-streams';
import type { Sql } from './connect.ts';

type Query = (first: unknown, ...rest: unknown[]) => unknown;

/** Runs `copy … from stdin` with these bytes. A row that the server refuses fails the statement, and nothing is copied. */
export async function copyRows(sql: Sql, statement: string, bytes: Buffer): Promise<void> {
  await sql.executeQuery(CompiledQuery.raw(statement, [bytes]));
}

/** Makes every connection of a pool send the parameter of a `copy … from stdin`, which has no parameters, as its bytes. */
export function takeCopies(pool: pg.Pool): void {
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as Query;
    client.query = ((first: unknown, values?: unknown, ...rest: unknown[]) => {
      const [bytes] = Array.isArray(values) ? values : [];
      if (typeof first !== 'string' || !first.startsWith('copy ') || !Buffer.isBuffer(bytes)) {
        return query(first, values, ...rest);
      }
      return sendCopy(query, first, bytes);
    }) as typeof client.query;
  });
}

async function sendCopy(query: Query, statement: string, bytes: Buffer) {
  const copy = copyStreams.from(statement);
  query(copy);
  await pipeline(Readable.from([bytes], { objectMode: false }), copy);
  return { command: 'COPY', rowCount: copy.rowCount, rows: [] };
}
