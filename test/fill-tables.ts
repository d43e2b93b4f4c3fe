import assert from 'node:assert/strict';
import type pg from 'pg';

type Column = { name: string; type: string; isRequired: boolean; default: string | null };
type Table = { name: string; columns: Column[]; checks: string[]; parents: Parent[] };
type Parent = { columns: string[]; table: string; keys: string[] };

/** Values by column type; `n` makes rows distinct. */
const VALUE_OF: Readonly<Record<string, (name: string, n: number) => unknown>> = {
  text: (name, n) => `${name} ${n} \\ ' é\t\n“☃”`,
  integer: (_, n) => n,
  bigint: (_, n) => n,
  'double precision': (_, n) => n + 0.1,
  boolean: (_, n) => n % 2 === 0,
  bytea: (_, n) => Buffer.from([0, 255, 92, n]),
  jsonb: (_, n) => JSON.stringify({ made: { up: [n, null, '\\"é'] } }),
  date: (_, n) => `2026-02-${String(n).padStart(2, '0')}`,
  'timestamp with time zone': (_, n) => `2026-03-08 07:59:59.12345${n}+00`,
  'text[]': (name, n) => [`${name},{"${n}`, ''],
};

/**
 * Inserts rows into every table of the schema, from its catalog: one with all columns, one with only required ones.
 * Foreign keys refer to the first rows. `skip` names tables that are filled elsewhere.
 */
export async function fillTables(client: pg.ClientBase, schema: string, first: number, skip: readonly string[] = []) {
  const tables = (await readTables(client, schema)).filter(({ name }) => !skip.includes(name));
  for (const table of tables) {
    await insert(client, table, table.columns, first);
    const required = ({ name, isRequired, default: value }: Column) =>
      (isRequired && value === null) || checksOf(table, name).some((check) => mapColumns(table, check) > 1);
    await insert(client, table, table.columns.filter(required), first + 1);
  }
  return tables.map(({ name }) => name);
}

async function insert(client: pg.ClientBase, table: Table, columns: readonly Column[], n: number): Promise<void> {
  const row = new Map<string, unknown>();
  for (const column of columns) row.set(column.name, makeValue(table, column, n));
  for (const parent of table.parents) {
    if (!parent.columns.some((column) => row.has(column))) continue;
    const { rows } = await client.query(`select ${parent.keys.join(', ')} from ${parent.table} order by 1 limit 1`);
    parent.columns.forEach((column, at) => {
      // The first row of a self-referencing table contains nothing to refer to.
      row.set(column, rows[0]?.[parent.keys[at] ?? ''] ?? null);
    });
  }
  const names = [...row.keys()].map((name) => client.escapeIdentifier(name));
  const holes = names.map((_, at) => `$${at + 1}`);
  const statement = `insert into ${table.name} (${names.join(', ')}) overriding system value values (${holes.join(', ')}) on conflict do nothing`;
  await client.query(statement, [...row.values()]);
}

const mentions = (check: string, column: string) => new RegExp(`\\b${column}\\b`).test(check);
const checksOf = ({ checks }: Table, column: string) => checks.filter((check) => mentions(check, column));
/** A multi-column check may require a column that is otherwise nullable. */
const mapColumns = ({ columns }: Table, check: string) => columns.filter(({ name }) => mentions(check, name)).length;

function makeValue(table: Table, { name, type }: Column, n: number): unknown {
  const own = checksOf(table, name);
  const listed = own.map((check) => new RegExp(`\\(${name} = ANY \\(ARRAY\\['([^']*)'`).exec(check)?.[1]);
  const value = listed.find((each) => each !== undefined);
  if (value !== undefined) return value;
  if (own.some((check) => check.includes("'^#[0-9a-f]{6}$'"))) return '#123abc';
  if (own.some((check) => check.includes('|printer(:'))) return 'printer:bar';
  if (own.some((check) => check.includes(`${name} >= 5`))) return 5;
  // Checks compare amounts with each other: equal amounts satisfy all of them except those that allow one row.
  if (own.length > 0 && (type === 'integer' || type === 'bigint')) return 1;
  if (own.length > 0 && type === 'boolean') return true;
  const make = VALUE_OF[type];
  assert.ok(make, `no value is known for ${table.name}.${name} of type ${type}`);
  return make(name, n);
}

/** Tables in dependency order. */
async function readTables(client: pg.ClientBase, schema: string): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select c.relname as name,
       (select json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, null),
          'isRequired', a.attnotnull, 'default', coalesce(pg_get_expr(d.adbin, d.adrelid), nullif(a.attidentity::text, '')))
          order by a.attnum)
        from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
       array(select pg_get_constraintdef(oid) from pg_constraint where conrelid = c.oid and contype = 'c') as checks,
       coalesce((select json_agg(json_build_object('table', f.confrelid::regclass::text,
          'columns', (select json_agg(attname order by ord) from unnest(f.conkey) with ordinality k(num, ord)
             join pg_attribute a on a.attrelid = f.conrelid and a.attnum = k.num),
          'keys', (select json_agg(attname order by ord) from unnest(f.confkey) with ordinality k(num, ord)
             join pg_attribute a on a.attrelid = f.confrelid and a.attnum = k.num)))
        from pg_constraint f where f.conrelid = c.oid and f.contype = 'f'), '[]') as parents
     from pg_class c where c.relnamespace = to_regnamespace(quote_ident($1)) and c.relkind = 'r'
       and c.relname <> all('{migrations,migration_stops}')`,
    [schema],
  );
  const sorted: Table[] = [];
  const visit = (table: Table) => {
    if (sorted.includes(table)) return;
    for (const { table: parent } of table.parents) {
      const found = rows.find(({ name }) => name === parent);
      if (found && found !== table) visit(found);
    }
    sorted.push(table);
  };
  for (const table of rows) visit(table);
  return sorted;
}

/**
 * Every row of every table as sorted text, equal for two schemas with the same rows. `search_checks` is left out: each
 * running node replaces its rows.
 */
export async function contentsOf(client: pg.ClientBase, schema: string): Promise<Record<string, string[]>> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = to_regnamespace(quote_ident($1)) and relkind = 'r'
       and relname <> all('{migrations,migration_stops,search_checks}') order by 1`,
    [schema],
  );
  const contents: Record<string, string[]> = {};
  for (const { name } of rows) {
    const from = `${client.escapeIdentifier(schema)}.${client.escapeIdentifier(name)}`;
    const found = await client.query<{ row: string }>(`select t::text as row from ${from} t order by 1`);
    contents[name] = found.rows.map(({ row }) => row);
  }
  return contents;
}
