import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino';
import pretty from 'pino-pretty';

/** Buffered characters that trigger an immediate write. */
const MAX_WAITING_CHARACTERS = 8 * 1024;
/** Milliseconds between writes of buffered lines: a write wakes another thread, which costs more than a line. */
const MAX_LINE_DELAY_MS = 20;

/**
 * Logs to standard error, because standard output is for a command's result; formatted on a terminal. `destination`
 * gets unformatted lines.
 */
export function createLog(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    serializers: { err: withoutRows },
    redact: {
      paths: ['*.card_number', '*.cvc', '*.payment_method', 'req.headers["id-token"]', 'req.headers.authorization'],
      remove: true,
    },
  };
  return pino(options, destination ?? standardError());
}

/** Keeps only message, code and stack, because PostgreSQL's error details repeat row values. */
function withoutRows(error: Error): object {
  const { detail: _detail, where: _where, internalQuery: _query, ...logged } = stdSerializers.err(error);
  return logged;
}

function standardError(): DestinationStream {
  return process.stderr.isTTY
    ? pretty({ destination: 2, sync: true, singleLine: true, translateTime: 'SYS:HH:MM:ss' })
    : pino.destination({ fd: 2, sync: false, minLength: MAX_WAITING_CHARACTERS, periodicFlush: MAX_LINE_DELAY_MS });
}
