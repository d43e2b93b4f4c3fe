import type pg from 'pg';

/**
 * Drops a database, and ends the sessions that are left in it. The server ends its own workers and waits for them;
 * `with (force)` would refuse where a worker, which belongs to the superuser, vacuums the database at that moment.
 */
export async function dropDatabase(client: pg.ClientBase, name: string): Promise<void> {
  await client.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and usename = current_user',
    [name],
  );
  await client.query(`drop database if exists ${client.escapeIdentifier(name)}`);
}
