import { type DestinationStream, type Logger, pino } from 'pino';
import pretty from 'pino-pretty';

/**
 * Writes logs to standard error, because standard output belongs to a command's answer; formatted for people at a terminal.
 * Another `destination` gets the lines that a file would get.
 */
export function createLog(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    redact: { paths: ['*.card_number', '*.cvc', '*.payment_method', 'req.headers["id-token"]'], remove: true },
  };
  return pino(options, destination ?? standardError());
}

function standardError(): DestinationStream {
  return process.stderr.isTTY
    ? pretty({ destination: 2, sync: true, singleLine: true, translateTime: 'SYS:HH:MM:ss' })
    : pino.destination({ fd: 2, sync: false });
}
