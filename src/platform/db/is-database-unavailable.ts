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
  return isOutage(error) ? { reason: errorMessage(error) } : { err: error };
}

/** A statement that took longer than its limit may do so each time, on a database that is well. */
function isOutage(error: unknown): boolean {
  return isDatabaseUnavailable(error) && errorCode(error) !== '57014';
}

/**
 * Logs the failures in a row of work that is tried again: the first, then the second, the fourth, the eighth. An outage of
 * the database is one line. Where an outage follows other failures, or they follow it, the count begins again.
 */
export class RetryLog {
  private readonly log: Logger;
  private readonly text: string;
  private failures = 0;
  private failuresOfKind = 0;
  private wasOutage = false;

  constructor(log: Logger, text: string) {
    this.log = log;
    this.text = text;
  }

  failed(error: unknown): void {
    const isAway = isOutage(error);
    this.failures += 1;
    this.failuresOfKind = isAway === this.wasOutage ? this.failuresOfKind + 1 : 1;
    this.wasOutage = isAway;
    if (isAway ? this.failuresOfKind > 1 : !Number.isInteger(Math.log2(this.failuresOfKind))) return;
    this.log.warn({ ...causeOf(error), failures: this.failures }, this.text);
  }

  /** Ends the row; returns how many failures it had. */
  worked(): number {
    const { failures } = this;
    this.failures = 0;
    this.failuresOfKind = 0;
    return failures;
  }
}
