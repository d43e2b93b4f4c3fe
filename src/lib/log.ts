import { type Logger, pino } from 'pino';
import pretty from 'pino-pretty';

/** Logs go to standard error: standard output belongs to what a command answers. At a terminal they are for people. */
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
