import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino';
import pretty from 'pino-pretty';

/** Beyond this many characters, lines are written at once. */
const MAX_WAITING_CHARACTERS = 8 * 1024;

/**
 * Logs to standard error, because standard output is for a command's answer; formatted on a terminal. A given
 * `destination` gets the unformatted lines.
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

/** PostgreSQL's error details repeat row values: only message, code and stack are logged. */
function withoutRows(error: Error): object {
  const { detail: _detail, where: _where, internalQuery: _query, ...logged } = stdSerializers.err(error);
  return logged;
}

function standardError(): DestinationStream {
  return process.stderr.isTTY
    ? pretty({ destination: 2, sync: true, singleLine: true, translateTime: 'SYS:HH:MM:ss' })
    : joinLines(pino.destination({ fd: 2, sync: false, minLength: MAX_WAITING_CHARACTERS }));
}

/** How long a line waits for others to be written together. */
export const LINES_WAIT_MS = 20;

/** Buffers lines until flushed; `flushSync` returns once they are written. */
type BufferedDestination = { write(line: string): unknown; flush(): void; flushSync(): void };

/**
 * Writes lines in batches: writing one wakes another thread, which costs more than the line. The delay keeps no process
 * running; a process that ends flushes its lines.
 */
export function joinLines(destination: BufferedDestination): Omit<BufferedDestination, 'flush'> {
  let isDue = false;
  const flush = (): void => {
    isDue = false;
    destination.flush();
  };
  return {
    write(line) {
      destination.write(line);
      if (isDue) return;
      isDue = true;
      setTimeout(flush, LINES_WAIT_MS).unref();
    },
    flushSync: () => destination.flushSync(),
  };
}
