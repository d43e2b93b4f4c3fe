import assert from 'node:assert/strict';
import { matchProducts } from '../../src/catalog/search/match-products.ts';
import { prepareQuery } from '../../src/catalog/search/prepare-query.ts';
import { createProductIndexes } from '../../src/catalog/search/product-indexes.cache.ts';
import type { ProductTerms } from '../../src/catalog/search/product-terms.index.ts';
import { createIndexWriter } from '../../src/catalog/search/stored/store-indexes.cache.ts';
import type { Db } from '../../src/db/connect.ts';
import { createLog } from '../../src/lib/log.ts';
import { EventLoopScheduler } from '../../src/load/event-loop-scheduler.ts';
import { until } from '../until.ts';

/** Called with the text of each statement before it is sent, and the statements that were answered. */
type BeforeStatement = (text: string, answered: readonly string[]) => Promise<void> | void;
export type GivenIndexNode = { before?: BeforeStatement; format?: string | null; delayMs?: number };

/** The database with a look at its statements; `statements` has those that were answered. */
export function watched(db: Db, before: BeforeStatement = () => {}): { db: Db; statements: string[] } {
  const statements: string[] = [];
  const seen = new Proxy(db, {
    get(target, name) {
      const member = Reflect.get(target, name, target) as unknown;
      if (typeof member !== 'function') return member;
      if (name !== 'executeQuery') return member.bind(target);
      return async (query: { sql: string }) => {
        await before(query.sql, statements);
        const answer = await member.call(target, query);
        statements.push(query.sql);
        return answer;
      };
    },
  });
  return { db: seen, statements };
}

/** The product indexes of a node that starts and stores what it builds. */
export function givenIndexNode(db: Db, { before, format = 'one', delayMs = 0 }: GivenIndexNode = {}) {
  const { db: seen, statements } = watched(db, before);
  const formatOf = async () => format;
  const faults: unknown[] = [];
  let writer: ReturnType<typeof createIndexWriter> | undefined;
  const writerOf = (terms: ProductTerms) => {
    writer = createIndexWriter({ db: seen, terms, format: formatOf, log: createLog('silent'), delayMs });
    return writer;
  };
  const stored = { format: formatOf, writerOf, onUnreadable: (error: unknown) => void faults.push(error) };
  const indexes = createProductIndexes({ scheduler: new EventLoopScheduler(), db: seen, stored });
  return {
    indexes,
    statements,
    /** Why stored indexes could not be read. */
    faults,
    stored: () => until('all indexes are stored', () => writer?.waiting === 0).then(() => indexes.close()),
    waiting: () => writer?.waiting,
    rowReads: () => statements.filter((text) => text.includes('as product_nos')).length,
    async pricesOf(storeId: string, text = 'tea'): Promise<number[]> {
      const index = (await indexes.of([storeId], 'anyone')).get(storeId);
      assert.ok(index);
      return matchProducts(index, prepareQuery(text, indexes.terms), null).map(({ priceCents }) => priceCents);
    },
  };
}
