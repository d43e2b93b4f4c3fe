import type pg from 'pg';

/** This version cannot work on the database's schema. The message is for the terminal. */
export class SchemaError extends Error {}

/** A newer version has migrated the database to a schema that this version cannot use. */
export class NewerSchemaError extends SchemaError {
  constructor(migrations: readonly string[]) {
    super(
      `A newer Doorstep version has migrated the database to a schema that this version does not support (${migrations.join(', ')}). Start the newer version.`,
    );
    this.name = 'NewerSchemaError';
  }
}

/**
 * Returns an error if the schema has, or is about to get, a migration that is not `known` and stops nodes without it.
 * All other unknown migrations only add to the schema.
 */
export async function findNewerSchema(client: Pick<pg.ClientBase, 'query'>, known: ReadonlySet<string>) {
  const { rows } = await client.query<{ name: string }>('select name from migration_stops order by name');
  const unknown = rows.map(({ name }) => name).filter((name) => !known.has(name));
  return unknown.length > 0 ? new NewerSchemaError(unknown) : undefined;
}
