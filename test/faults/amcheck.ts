import assert from 'node:assert/strict';
import { ADMIN } from '../../packages/embedded-database/cluster.ts';
import { ask } from './embedded-postgres-harness.ts';

/**
 * Checks every heap and index of a database with PostgreSQL's own `amcheck`, and that each row is in its indexes. The
 * extension is rolled back. Says so and checks nothing where the server doesn't ship it.
 */
export async function assertDatabaseIsSound(connectionString: string): Promise<void> {
  const url = new URL(connectionString);
  // Only a superuser may install it. Our embedded server has one; elsewhere the given role has to be one.
  if (url.searchParams.has('host')) url.username = ADMIN;
  const [server] = await ask(
    url.href,
    `select exists (select from pg_available_extensions where name = 'amcheck' and default_version >= '1.5') as has_it,
      (select rolsuper from pg_roles where rolname = current_user) as may_install`,
  );
  if (!server?.has_it || !server.may_install) {
    process.stderr.write('amcheck 1.5 is not available to this role: heaps and indexes stay unchecked.\n');
    return;
  }
  const damaged = await ask(
    url.href,
    `begin;
    create extension if not exists amcheck;
    select bt_index_check(i.indexrelid, heapallindexed => true, checkunique => true) from (${indexesOf('btree')}) as i;
    select gin_index_check(i.indexrelid) from (${indexesOf('gin')}) as i;
    select c.oid::regclass::text as relation, f.* from pg_class as c, verify_heapam(c.oid, check_toast => true) as f
      where c.relkind in ('r', 'm') and c.relpersistence <> 't'`,
  );
  assert.deepEqual(damaged, []);
}

/** Valid indexes by their access method. Those of temporary tables belong to other sessions. */
const indexesOf = (method: 'btree' | 'gin') =>
  `select x.indexrelid from pg_index as x join pg_class as c on c.oid = x.indexrelid join pg_am as a on a.oid = c.relam
    where a.amname = '${method}' and x.indisready and x.indisvalid and c.relpersistence <> 't'`;
