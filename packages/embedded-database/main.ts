/* A PostgreSQL of npm in a folder: opened by one call, joined and shared by every process that opens the same folder. */

export { EmbeddedPostgresError, explainError, makeInDataDir } from './data-dir.ts';
export { type DirectoryLock, tryLock } from './directory-lock.ts';
export { hasCluster, openEmbeddedPostgres } from './embedded-postgres.ts';
