import { join } from 'node:path';

/** Where an upgrade of DATA_DIR to another major version of PostgreSQL works. `complete` exists from the moment at which the new cluster has everything. */
export function upgradePaths(dataDir: string) {
  const root = join(dataDir, 'upgrade');
  return {
    root,
    backup: join(root, 'backup'),
    newPostgres: join(root, 'postgres'),
    complete: join(root, 'complete'),
    postgres: join(dataDir, 'postgres'),
    oldPostgres: (major: string) => join(dataDir, `postgres-${major}`),
  };
}
