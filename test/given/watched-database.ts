import type { Db } from '../../src/platform/db/connect.ts';

/** `before` is called with the text of each statement before it is sent. */
type BeforeStatement = (text: string, answered: readonly string[]) => Promise<void> | void;

/** The database with its answered statements in `statements`. */
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
