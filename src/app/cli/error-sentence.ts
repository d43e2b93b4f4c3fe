import { CommanderError } from 'commander';
import { EmbeddedPostgresError } from 'doorstep/embedded-database';
import { errorMessage } from 'doorstep/files';
import { ConfigError } from '../../platform/config/config.ts';
import { BackupError } from '../../platform/db/backup/manifest.ts';
import { InsecureAuthenticationError } from '../../platform/db/connection-options.ts';
import { MigrationError } from '../../platform/db/migrate.ts';
import { SchemaError } from '../../platform/db/newer-schema.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { OutsideError } from '../../platform/lib/outside-error.ts';
import { CommandFailure } from './failure.ts';

const USER_FACING_ERRORS = [
  CommandFailure,
  ConfigError,
  SchemaError,
  MigrationError,
  InsecureAuthenticationError,
  BackupError,
  Refusal,
  OutsideError,
];

/** Where the sentences of the embedded database leave its folder and server to the program. */
const REMEDIES = {
  folder: ' The folder is the setting DATA_DIR.',
  server: ' The server is the setting DATABASE_URL.',
  version: ' The commands are `doorstep backup` and `doorstep restore`, the folder is the setting DATA_DIR.',
};

/** Whether the command would fail again with the same settings, so that a supervisor should not restart it. */
export function isSettingsError(error: unknown): boolean {
  const isSettingWrong = error instanceof EmbeddedPostgresError && error.isSettingWrong;
  return isSettingWrong || error instanceof ConfigError || error instanceof SchemaError;
}

const DATABASE_ERRORS: readonly [RegExp, string][] = [
  [
    /^(ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|connect (?:ENOENT|EAGAIN)|57P0[123])$/,
    'does not answer',
  ],
  [/^(ENOTFOUND|EAI_AGAIN)$/, 'has an unknown host name'],
  [
    /^28000 .*no encryption$/,
    'accepts only TLS from this machine; add sslmode=verify-full, and sslrootcert=FILE for a private authority, to the URL',
  ],
  [/^(28000 .*|28P01)$/, 'rejected the user or password'],
  [
    /^(SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_\w+)$/,
    'has a certificate of an authority that Node does not know; add sslmode=verify-full&sslrootcert=FILE with its certificate to the URL',
  ],
  [/^CERT_HAS_EXPIRED$/, 'has an expired certificate; renew it on the server'],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, "has a certificate for another host; use the certificate's name in the URL"],
  [/^The server does not support SSL connections$/, 'offers no TLS; turn it on there, or remove sslmode from the URL'],
  [/^3D000$/, "doesn't have the database named in the URL"],
  [
    /^42501$/,
    "denied this user a privilege; run `doorstep migrate` with the owner's DATABASE_URL, who must be allowed to create schemas",
  ],
  [/^53300$/, 'has no free connections'],
];

/** One sentence about an error for the terminal; undefined for an unknown error. */
export function errorSentence(error: unknown): string | undefined {
  if (error instanceof CommanderError) return error.message.replace(/^error: /, '').replaceAll('\n', ' ');
  if (error instanceof EmbeddedPostgresError) return error.message + (error.remedy ? REMEDIES[error.remedy] : '');
  if (USER_FACING_ERRORS.some((kind) => error instanceof kind)) return (error as Error).message;
  const { code, syscall } = (error ?? {}) as { code?: unknown; syscall?: unknown };
  const name = errorName(String(code ?? ''), String(syscall), errorMessage(error));
  const known = DATABASE_ERRORS.find(([pattern]) => pattern.test(name));
  const database = process.env.DATABASE_URL?.trim() ? 'The database of DATABASE_URL' : 'The embedded database';
  return known && `${database} ${known[1]}${code === undefined ? '' : ` (${code})`}.`;
}

/** The text that patterns match: an error's code, with its context where just the code is ambiguous. */
function errorName(code: string, syscall: string, message: string): string {
  if (code === '28000') return `${code} ${message}`;
  // From a connection, these errors are about the server's Unix socket; otherwise, about a file of the command.
  if (code === 'ENOENT' || code === 'EAGAIN') return `${syscall} ${code}`;
  return code || message;
}
