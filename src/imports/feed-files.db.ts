import { sql as raw } from 'kysely';
import type { Sql } from '../db/connect.ts';

/**
 * Notes that a feed comes from this file (null: from no file that can be told from others), and answers whether it came
 * from this file before, and from no other. A feed that has stores before its first note may have come from any file.
 */
export async function noteFeedFile(sql: Sql, source: string, file: string | null): Promise<boolean> {
  const { rows } = await raw<{ isOwn: boolean }>`
    insert into feed_files as known (source, file)
    select ${source}, case when exists (select from stores where source = ${source}) then null else ${file}::text end
    on conflict (source) do update set file = case when known.file = ${file}::text then known.file end
    returning xmax::text <> '0' and file is not null as is_own`.execute(sql);
  return rows[0]?.isOwn === true;
}
