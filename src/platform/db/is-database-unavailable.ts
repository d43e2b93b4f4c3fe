import type { Logger } from 'pino';
import { errorCode, errorMessage } from '../lib/error-code.ts';

/**
 * SQLSTATEs of a server that cannot work now: 08 (connection), 53 (resources), 57P01 to 57P03 (stopping, crashed,
 * starting), 57P05 (idle session ended), 57014 (statement time-out), 58030 (disk), 25006 (became a standby).
 */
const STATES = /^(?:08...|53...|57P0[1235]|57014|58030|25006)$/;
/** Errors of sockets and of the look-up of the server's name. */
const SOCKETS = /^(?:ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/;
/** Errors of a connection to a Unix socket: a server that has ended took its socket away, or too many wait to connect. */
const UNIX_SOCKETS = /^(?:ENOENT|EAGAIN)$/;
/** The driver names these errors by their texts alone. */
const TEXTS =
  /^(?:Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client has encountered a connection error|Client was closed and is not queryable)/;

/**
 * Whether an error says that the database cannot be reached or cannot work now, rather than that a statement is wrong. The
 * effect of a statement that failed so is unknown where its connection was lost.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  const code = errorCode(error) ?? '';
  return STATES.test(code) || isOfSocket(error, code) || (error instanceof Error && TEXTS.test(error.message));
}

function isOfSocket(error: unknown, code: string): boolean {
  return SOCKETS.test(code) || (UNIX_SOCKETS.test(code) && (error as NodeJS.ErrnoException).syscall === 'connect');
}

/** Whether the connection of a failed statement is of no use any more although the connection is still open. */
export function isUnusableAfter(error: unknown): boolean {
  return errorCode(error) === '25006' || (error instanceof Error && error.message === 'Query read timeout');
}

/** The fields of a log line that name a failure: an outage of the database has a reason, without a stack. */
export function causeOf(error: unknown): { reason: string } | { err: unknown } {
  return isDatabaseUnavailable(error) ? { reason: errorMessage(error) } : { err: error };
}

/**
 * Logs a failure of work that is tried again: the first in a row, then the second, the fourth, the eighth. An outage of the
 * database is one line, without a stack.
 */
export function warnOfRetry(log: Logger, text: string, error: unknown, failures: number): void {
  const isAway = isDatabaseUnavailable(error);
  if (isAway ? failures > 1 : !Number.isInteger(Math.log2(failures))) return;
  log.warn({ ...causeOf(error), failures }, text);
}
