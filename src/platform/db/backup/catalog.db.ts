import type pg from 'pg';

/** Tables that the migration runner writes; a backup lists its migrations in the manifest instead. */
const MIGRATION_TABLES = ['migrations', 'migration_stops'];

export type TableColumns = { table: string; columns: string[]; bytes: number };

/** Lists the tables of a schema, with their stored columns; `bytes` is the approximate size on disk. */
export async function listTables(client: pg.ClientBase, schema: string): Promise<TableColumns[]> {
  const { rows } = await client.query<TableColumns>(
    `select c.relname as table, pg_table_size(c.oid)::float8 as bytes,
       coalesce((select array_agg(a.attname::text order by a.attnum) from pg_attribute a
         where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''), '{}') as columns
     from pg_class c
     where c.relnamespace = to_regnamespace(quote_ident($1)) and c.relkind in ('r', 'p') and c.relpersistence = 'p'
       and not c.relispartition and c.relname <> all($2)
     order by c.relname`,
    [schema, MIGRATION_TABLES],
  );
  return rows;
}

/** Whether the schema has a table, a view or a sequence. */
export async function hasRelations(client: pg.ClientBase, schema: string): Promise<boolean> {
  const { rows } = await client.query(
    'select 1 from pg_class where relnamespace = to_regnamespace(quote_ident($1)) limit 1',
    [schema],
  );
  return rows.length > 0;
}

/** Lists the sequences of identity columns; `last` is the last number used, 0 if none. */
export async function listSequences(client: pg.ClientBase, schema: string) {
  const { rows } = await client.query<{ table: string; column: string; last: number }>(
    `select t.relname as table, a.attname as column, coalesce(s.last_value, 0)::float8 as last
     from pg_depend d
     join pg_class q on q.oid = d.objid and q.relkind = 'S'
     join pg_class t on t.oid = d.refobjid
     join pg_attribute a on a.attrelid = t.oid and a.attnum = d.refobjsubid
     join pg_namespace n on n.oid = q.relnamespace
     join pg_sequences s on s.schemaname = n.nspname and s.sequencename = q.relname
     where d.classid = 'pg_class'::regclass and d.deptype in ('a', 'i') and n.nspname = $1
     order by 1, 2`,
    [schema],
  );
  return rows;
}

/** Lists foreign keys and indexes without a constraint, which are dropped while rows load; `create` restores each. */
export async function listLoadObstacles(client: pg.ClientBase, schema: string) {
  const { rows } = await client.query<{ drop: string; create: string }>(
    `select drop, "create" from (
       select 1 as step, format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
         format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as "create"
       from pg_constraint where contype = 'f' and connamespace = to_regnamespace(quote_ident($1))
       union all
       select 2, format('drop index %s', i.indexrelid::regclass), pg_get_indexdef(i.indexrelid)
       from pg_index i join pg_class c on c.oid = i.indexrelid
       where c.relnamespace = to_regnamespace(quote_ident($1))
         and not exists (select from pg_constraint where conindid = i.indexrelid and contype <> 'f')
     ) as obstacles order by step, drop`,
    [schema],
  );
  return rows;
}
