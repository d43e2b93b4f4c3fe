import { errorCode, errorMessage } from 'doorstep/files';
import type { Logger } from 'pino';

/**
 * SQLSTATEs of a server that cannot work now: 08 (connection), 28 (a changed password or a role that may not connect),
 * 53 (resources), 57P01 to 57P03 (stopping, crashed, starting), 57P05 (idle session ended), 57014 (statement time-out),
 * 58030 (disk), 25006 (became a standby).
 */
const UNAVAILABLE_STATES = /^(?:08...|28...|53...|57P0[1235]|57014|58030|25006)$/;
/** Causes of an outage by the code or text of the error; the first match wins. */
const CAUSES = {
  password: /^28/,
  connections: /^(?:53300$|timeout exceeded when trying to connect)/,
  disk: /^(?:53100|58030)$/,
  resources: /^53/,
  timeout: /^(?:57014$|Query read timeout|timeout expired)/,
  connection: /^/,
};
export type UnavailableCause = keyof typeof CAUSES;
export const UNAVAILABLE_CAUSES = Object.keys(CAUSES) as UnavailableCause[];
/** Socket, DNS and certificate errors. */
const SOCKET_ERRORS =
  /^(?:ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|CERT_\w+|SELF_SIGNED_\w+|DEPTH_ZERO_\w+|UNABLE_TO_\w+|ERR_TLS_\w+)$/;
/** Error codes of a Unix socket when the server has ended or too many connections are waiting. */
const UNIX_SOCKET_ERRORS = /^(?:ENOENT|EAGAIN)$/;
/** The driver identifies these errors only by text. */
const DRIVER_MESSAGES =
  /^(?:Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client has encountered a connection error|Client was closed and is not queryable)/;

/**
 * Whether an error means that the database is unreachable or cannot work now, rather than that a statement is wrong. If
 * the connection was lost, the statement's effect is unknown.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  const code = errorCode(error) ?? '';
  return (
    UNAVAILABLE_STATES.test(code) ||
    isOfSocket(error, code) ||
    (error instanceof Error && DRIVER_MESSAGES.test(error.message))
  );
}

/** Returns why the database is unavailable; undefined for errors of another kind. */
export function unavailableCause(error: unknown): UnavailableCause | undefined {
  if (!isDatabaseUnavailable(error)) return undefined;
  const text = errorCode(error) ?? errorMessage(error);
  return UNAVAILABLE_CAUSES.find((cause) => CAUSES[cause].test(text));
}

function isOfSocket(error: unknown, code: string): boolean {
  return (
    SOCKET_ERRORS.test(code) ||
    (UNIX_SOCKET_ERRORS.test(code) && (error as NodeJS.ErrnoException).syscall === 'connect')
  );
}

/** Whether a failed statement leaves its connection unusable although open. */
export function isConnectionBroken(error: unknown): boolean {
  return errorCode(error) === '25006' || (error instanceof Error && error.message === 'Query read timeout');
}

/** Returns the log fields of a failure: a reason for a database outage, otherwise the error with its stack. */
export function causeOf(error: unknown): { reason: string } | { err: unknown } {
  return isOutage(error) ? { reason: errorMessage(error) } : { err: error };
}

/**
 * Whether the database is down. Excludes statement timeouts: a statement may be slow every time, on a healthy database.
 */
const isOutage = (error: unknown): boolean => isDatabaseUnavailable(error) && errorCode(error) !== '57014';

/**
 * Logs consecutive failures of retried work at the first, second, fourth, eighth and so on. A database outage takes one
 * line; the count restarts when an outage begins or ends.
 */
export class RetryLog {
  private readonly log: Pick<Logger, 'warn'>;
  private readonly text: string;
  private failures = 0;
  private failuresOfKind = 0;
  private wasOutage = false;

  constructor(log: Pick<Logger, 'warn'>, text: string) {
    this.log = log;
    this.text = text;
  }

  failed(error: unknown): void {
    const isUnavailable = isOutage(error);
    this.failures += 1;
    this.failuresOfKind = isUnavailable === this.wasOutage ? this.failuresOfKind + 1 : 1;
    this.wasOutage = isUnavailable;
    if (isUnavailable ? this.failuresOfKind > 1 : !Number.isInteger(Math.log2(this.failuresOfKind))) return;
    this.log.warn({ ...causeOf(error), failures: this.failures }, this.text);
  }

  worked(): number {
    const { failures } = this;
    this.failures = 0;
    this.failuresOfKind = 0;
    return failures;
  }
}
