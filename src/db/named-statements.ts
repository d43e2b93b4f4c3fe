import type pg from 'pg';
import { errorCode } from '../lib/error-code.ts';

/** Texts beyond this many are sent unnamed: lists of varying length would fill a server's memory with plans. */
const MAX_NAMED = 400;
/**
 * Kysely's `selectAll` and `returningAll`. The columns of their answer change with a migration that adds a column, and
 * PostgreSQL then refuses the prepared statement; in a transaction there is no second attempt.
 */
const ALL_COLUMNS = /(?:^select|\breturning) (?:"\w+"\.)?\*/;

/** PostgreSQL's code for a prepared statement whose answer has other columns than when it was prepared. */
const STALE_PLAN = '0A000';

type Query = (first: unknown, ...rest: unknown[]) => unknown;
type Callback = (error: unknown, result: unknown) => void;

/**
 * Makes every connection of a pool prepare a statement with parameters once, and then call it by name: PostgreSQL neither
 * parses nor plans it again. When a migration changes a table under a running node, the names are dropped.
 */
export function nameStatements(pool: pg.Pool): void {
  const names = new Map<string, string>();
  let generation = 0;
  const nameOf = (text: string): string | undefined => {
    const known = names.get(text);
    if (known !== undefined || names.size >= MAX_NAMED || ALL_COLUMNS.test(text)) return known;
    const name = `s${generation}_${names.size}`;
    names.set(text, name);
    return name;
  };
  const forgetStalePlans = (error: unknown): void => {
    if (errorCode(error) !== STALE_PLAN) return;
    generation += 1;
    names.clear();
  };
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as Query;
    client.query = ((first: unknown, values?: unknown, callback?: Callback) => {
      const name = typeof first === 'string' && Array.isArray(values) && values.length > 0 ? nameOf(first) : undefined;
      if (name === undefined) return callback ? query(first, values, callback) : query(first, values);
      const named = { name, text: first, values };
      if (callback) {
        return query(named, (error: unknown, result: unknown) => {
          forgetStalePlans(error);
          callback(error, result);
        });
      }
      return Promise.resolve(query(named)).catch((error) => {
        forgetStalePlans(error);
        throw error;
      });
    }) as typeof client.query;
  });
}
