import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino';
import pretty from 'pino-pretty';

/** More characters than this are written at once. */
const MAX_WAITING_CHARACTERS = 8 * 1024;

/**
 * Writes logs to standard error, because standard output belongs to a command's answer; formatted for people at a terminal.
 * Another `destination` gets the lines that a file would get.
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

/** PostgreSQL repeats values of rows in the details of an error: its message, its code and its stack are logged. */
function withoutRows(error: Error): object {
  const { detail: _detail, where: _where, internalQuery: _query, ...logged } = stdSerializers.err(error);
  return logged;
}

function standardError(): DestinationStream {
  return process.stderr.isTTY
    ? pretty({ destination: 2, sync: true, singleLine: true, translateTime: 'SYS:HH:MM:ss' })
    : joinLines(pino.destination({ fd: 2, sync: false, minLength: MAX_WAITING_CHARACTERS }));
}

/** A line waits so long for other lines before all of them are written. */
export const LINES_WAIT_MS = 20;

/** Keeps lines until it is told to write them; `flushSync` returns once they are written. */
type BufferedDestination = { write(line: string): unknown; flush(): void; flushSync(): void };

/**
 * Writes the lines of a moment together: the write of one line takes a turn of another thread, which costs more than the
 * line. The wait keeps no process running; a process that ends writes its lines itself.
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
