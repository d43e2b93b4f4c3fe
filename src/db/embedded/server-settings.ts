/**
 * The only access is a Unix socket in the cluster's folder (mode 700): users who may enter the folder can read the database
 * files anyway, and nobody else can place a socket there. So there is no password to steal.
 */
export const ACCESS_FILE = 'pg_hba.conf';
export const HOST_BASED_ACCESS = 'local all all trust\n';

/** Part of the socket's name; the server listens on no port. */
export const SOCKET_PORT = 5432;

export const SETTINGS_FILE = 'doorstep.conf';

/** Appended to `postgresql.conf`, where an operator's own lines below it win over ours. */
export const INCLUDE_SETTINGS = `\ninclude_if_exists = '${SETTINGS_FILE}' # written at every start; put your own settings below\n`;

/**
 * Written anew at every start, so that an existing cluster follows the version of the program.
 * A short WAL keeps crash recovery within five seconds: a slow machine replays 1 GB in 3 s. A shorter one makes an import
 * log more full pages: 11 KB a store with 256 MB, 9.5 with 512 MB, 6.5 with 1 GB.
 * Statements and details stay out of the server's log: they hold text of customers.
 */
export const SETTINGS = `
max_connections = 200
shared_buffers = 256MB
effective_cache_size = 1GB
work_mem = 8MB
maintenance_work_mem = 64MB
max_parallel_workers_per_gather = 0
jit = off
random_page_cost = 1.1

max_wal_size = 512MB
min_wal_size = 80MB
checkpoint_timeout = 2min
checkpoint_completion_target = 0.9

timezone = 'UTC'
log_timezone = 'UTC'
log_min_messages = log
log_min_error_statement = panic
log_error_verbosity = terse
log_checkpoints = off
log_line_prefix = '%m [%p] '
`;

/** Arguments of `postgres` that no configuration file may change: durability, access, the cluster's name. */
export function safetyArguments(clusterName: string): string[] {
  const settings = [
    'listen_addresses=',
    `port=${SOCKET_PORT}`,
    // Relative to the cluster's folder: a socket's path has room for some hundred bytes.
    'unix_socket_directories=.',
    'unix_socket_permissions=0700',
    'fsync=on',
    'full_page_writes=on',
    'synchronous_commit=on',
    'logging_collector=off',
    `cluster_name=${clusterName}`,
    'update_process_title=on',
  ];
  return settings.flatMap((setting) => ['-c', setting]);
}
