import type { Migration } from './migrations.ts';

/**
 * Why this version cannot use a database or backup: other files made it. Undefined if it can. `applied` has the hash of
 * each migration.
 */
export function otherMigrations(
  migrations: readonly Migration[],
  applied: ReadonlyMap<string, string>,
): string | undefined {
  const changed = migrations
    .filter(({ name, hash }, nth) => (nth === 0 || applied.has(name)) && applied.get(name) !== hash)
    .map(({ name }) => name);
  if (applied.size === 0 || changed.length === 0) return undefined;
  return `The database was created before November 28, 2026 or by another build: its ${changed.join(', ')} differs from this version's. It can't be upgraded or restored. Use the build that created it, or start with an empty database.`;
}
