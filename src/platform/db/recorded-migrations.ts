import type pg from 'pg';
import { inOneTransaction, type Migration } from './migrations.ts';
import { SchemaError } from './newer-schema.ts';

const WAY_OUT =
  'Start the version that made the database. To move to this one, back it up with that version (`doorstep backup`), and load the backup with this one into an empty database (`doorstep restore`).';

/**
 * Throws SchemaError if a migration was another file when it was applied. `applied` has the hash of each applied
 * migration; those without a hash are from versions that kept none, whose schema is compared once with a new one.
 */
export async function refuseOtherMigrations(
  client: pg.ClientBase,
  schema: string,
  migrations: readonly Migration[],
  applied: ReadonlyMap<string, string | null>,
): Promise<void> {
  const known = migrations.filter(({ name }) => applied.has(name));
  const changed = known.filter(({ name, hash }) => ![null, hash].includes(applied.get(name) ?? null));
  if (changed.length > 0) {
    const names = changed.map(({ name }) => name).join(', ');
    throw new SchemaError(`The database was made with another ${names} than this version has. ${WAY_OUT}`);
  }
  // A schema that a newer version has extended can only be compared by that version.
  const isWhole = known.length === applied.size;
  if (!isWhole || known.every(({ name }) => applied.get(name) !== null)) return;
  const differences = await compareWithNew(client, schema, known);
  if (differences.length > 0) {
    const last = known.at(-1)?.name;
    throw new SchemaError(
      `The database has the migrations up to ${last}, but not the schema that they make in this version: ${shorten(differences)}. ${WAY_OUT}`,
    );
  }
  const names = known.map(({ name }) => name);
  const hashes = known.map(({ hash }) => hash);
  await client.query(
    `update migrations as m set hash = k.hash from unnest($1::text[], $2::text[]) as k (name, hash)
     where m.name = k.name and m.hash is null`,
    [names, hashes],
  );
}

const MAX_NAMED = 3;

function shorten(differences: readonly string[]): string {
  const more = differences.length > MAX_NAMED ? [`and ${differences.length - MAX_NAMED} more`] : [];
  return [...differences.slice(0, MAX_NAMED), ...more].join(', ');
}

/** Creates a new schema in a transaction that is rolled back, and returns how the database's differs. */
async function compareWithNew(
  client: pg.ClientBase,
  schema: string,
  migrations: readonly Migration[],
): Promise<string[]> {
  const scratch = client.escapeIdentifier(`${schema}_scratch`);
  const found = await describeSchema(client);
  await client.query('begin');
  try {
    await client.query(`create schema ${scratch}; set local search_path to ${scratch}`);
    for (const migration of migrations) await client.query(inOneTransaction(migration).text);
    return differencesOf(found, await describeSchema(client));
  } finally {
    await client.query('rollback');
  }
}

/** `partOf` is the table of a part; null for a table itself, a view or a function. */
type Described = { what: string; definition: string; partOf: string | null };

/** Leaves out what an operator may have added: tables, functions and indexes that refuse no row. */
function differencesOf(found: readonly Described[], made: readonly Described[]): string[] {
  const has = new Map(found.map(({ what, definition }) => [what, definition]));
  const wanted = new Set(made.map(({ what }) => what));
  const isOf = (schema: Pick<typeof wanted, 'has'>, { partOf }: Described) => schema.has(`table ${partOf}`);
  const missing = made.filter((each) => !has.has(each.what) && (each.partOf === null || isOf(has, each)));
  const other = made.filter(({ what, definition }) => has.has(what) && has.get(what) !== definition);
  const extra = found.filter((each) => isOf(wanted, each) && !wanted.has(each.what) && !each.what.startsWith('index'));
  return [
    ...missing.map(({ what }) => `${what} is missing`),
    ...other.map(({ what }) => `${what} is another`),
    ...extra.map(({ what }) => `${what} is not of this version`),
  ];
}

/** Describes the tables, columns, indexes, constraints, triggers and functions of the schema on the search path. */
async function describeSchema(client: pg.ClientBase): Promise<Described[]> {
  const { rows } = await client.query<Described>(`
    with here as (select oid from pg_namespace where nspname = current_schema()),
    ours as (select c.oid, c.relname, c.relkind from pg_class c join here on c.relnamespace = here.oid
      where c.relname not in ('migrations', 'migration_stops')),
    tables as (select * from ours where relkind in ('r', 'p'))
    select 'table ' || relname as what, '' as definition, null as "partOf" from tables
    union all
    select 'view ' || relname, pg_get_viewdef(oid, true), null from ours where relkind in ('v', 'm')
    union all
    select format('column %s.%s', t.relname, a.attname), concat_ws(' ', format_type(a.atttypid, a.atttypmod), a.attnotnull,
        a.attidentity, a.attgenerated, a.attcollation, pg_get_expr(d.adbin, d.adrelid, true)), t.relname
      from tables t join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
      left join pg_attrdef d on d.adrelid = t.oid and d.adnum = a.attnum
    union all
    select case when i.indisunique then 'unique ' else '' end || 'index ' || c.relname,
        concat(pg_get_indexdef(c.oid, 0, true), i.indisvalid), t.relname
      from pg_index i join tables t on t.oid = i.indrelid join pg_class c on c.oid = i.indexrelid
      where not exists (select from pg_constraint k where k.conindid = c.oid and k.contype in ('p', 'u', 'x'))
    union all
    select format('constraint %s of %s', k.conname, t.relname), replace(pg_get_constraintdef(k.oid, true), ' NOT VALID', ''),
        t.relname
      from pg_constraint k join tables t on t.oid = k.conrelid where k.contype <> 'n'
    union all
    select format('trigger %s of %s', g.tgname, t.relname), concat(pg_get_triggerdef(g.oid, true), g.tgenabled), t.relname
      from pg_trigger g join tables t on t.oid = g.tgrelid where not g.tgisinternal
    union all
    select format('function %s(%s)', p.proname, pg_get_function_identity_arguments(p.oid)),
        concat_ws(' ', pg_get_function_result(p.oid), p.prolang, p.provolatile, p.prosecdef, p.proconfig, p.prosrc), null
      from pg_proc p join here on p.pronamespace = here.oid
    order by 1`);
  return rows;
}
