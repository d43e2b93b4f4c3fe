import { mock } from 'node:test';
import { sql } from 'kysely';
import pg from 'pg';
import type { App } from '../harness.ts';
import { countRows } from '../hostile/given-shop.ts';

/** Whether the process dies before it stores the response of a request with an `Idempotency-Key`. */
let dies = false;
const inTransaction = new WeakSet<pg.Client>();
const { query } = pg.Client.prototype;
mock.method(pg.Client.prototype, 'query', function lose(this: pg.Client, ...given: unknown[]) {
  const [first] = given as [string | { text?: string }];
  const text = typeof first === 'string' ? first : (first?.text ?? '');
  if (/^(begin|start transaction)/i.test(text)) inTransaction.add(this);
  if (/^(commit|rollback)$/i.test(text)) inTransaction.delete(this);
  if (dies && !inTransaction.has(this) && /^update "?idempotency_keys/i.test(text))
    return Promise.reject(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
  return (query as (...all: unknown[]) => unknown).apply(this, given);
});

/**
 * Sends a request whose process dies once it is carried out, and repeats it. `written` names the tables where the
 * repetition has written a row; it is absent if the first request was refused.
 */
export async function repeatLost<Answer extends { status: number }>(
  app: Pick<App, 'service'>,
  send: () => Promise<Answer>,
): Promise<Answer & { written?: string[] }> {
  dies = true;
  const first = await send().finally(() => {
    dies = false;
  });
  if (first.status !== 503) return first;
  await sql`update idempotency_keys set started_at = started_at - interval '1 minute' where state = 'running'`.execute(
    app.service.deps.db,
  );
  const before = await countRows(app);
  const again = await send();
  const after = await countRows(app);
  const written = Object.keys(after).filter((table) => after[table] !== before[table]);
  return { ...again, written };
}
