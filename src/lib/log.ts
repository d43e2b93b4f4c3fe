import { type Logger, pino } from 'pino';
import pretty from 'pino-pretty';

/** Writes logs to standard error, because standard output belongs to a command's answer; formatted for people at a terminal. */
export function createLog(level: string): Logger {
  const options = {
    level,
    base: null,
    redact: { paths: ['*.card_number', '*.cvc', '*.payment_method', 'req.headers["id-token"]'], remove: true },
  };
  const stream = process.stderr.isTTY
    ? pretty({ destination: 2, sync: true, singleLine: true, translateTime: 'SYS:HH:MM:ss' })
    : pino.destination({ fd: 2, sync: false });
  return pino(options, stream);
}
