import type { Migration } from './migrations.ts';
import { SchemaError } from './newer-schema.ts';

const WAY_OUT =
  'Start the version that created the database. To upgrade to this version, back it up with the old version (`doorstep backup`), and restore the backup into an empty database with this one (`doorstep restore`).';

/** Throws SchemaError if a migration was another file when it was applied. `applied` has each migration's hash. */
export function refuseOtherMigrations(migrations: readonly Migration[], applied: ReadonlyMap<string, string>): void {
  const changed = migrations.filter(({ name, hash }) => applied.has(name) && applied.get(name) !== hash);
  if (changed.length === 0) return;
  const names = changed.map(({ name }) => name).join(', ');
  throw new SchemaError(`The database was made with another ${names} than this version has. ${WAY_OUT}`);
}
