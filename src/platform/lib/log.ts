import { write, writeSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { errorCode } from 'doorstep/files';
import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino';
import { prettyFactory } from 'pino-pretty';

/** Buffered characters that trigger an immediate write. */
const MAX_WAITING_CHARACTERS = 8 * 1024;
/** Maximum buffered characters before lines are dropped: the reader of standard error is too slow. */
const MAX_BUFFERED_CHARACTERS = 1024 * 1024;
/** Milliseconds between writes of buffered lines: a write wakes another thread, which costs more than a line. */
const MAX_LINE_DELAY_MS = 20;
const STANDARD_ERROR = 2;
const LINE_END = 0x0a;
const RETRY_MS = 20;
/** Retries of a write to a full pipe at the end of the process. */
const MAX_SYNC_RETRIES = 50;

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

const writeTo = promisify(write);

/**
 * Writes lines to a file descriptor in batches. Lines that cannot be written are dropped and counted: a failing log must
 * not stop the service.
 */
export class LineWriter {
  /** Lines that could not be written: a full disk, a closed pipe, a reader that is too slow. */
  lost = 0;
  private readonly fd: number;
  private timer: NodeJS.Timeout | undefined;
  private lines: string[] = [];
  private characters = 0;
  private isWriting = false;
  /** The last write ended within a line. */
  private isTorn = false;

  constructor(fd: number) {
    this.fd = fd;
    process.on('exit', () => this.flushSync());
  }

  write(line: string): void {
    if (this.characters > MAX_BUFFERED_CHARACTERS) {
      this.lost += 1;
      return;
    }
    this.lines.push(line);
    this.characters += line.length;
    if (this.characters >= MAX_WAITING_CHARACTERS) void this.flush();
    else this.timer ??= setTimeout(() => void this.flush(), MAX_LINE_DELAY_MS).unref();
  }

  flushSync(): void {
    let rest = this.takeBatch();
    for (let retries = 0; rest.length > 0; ) {
      try {
        rest = this.restAfter(rest, writeSync(this.fd, rest));
      } catch (error) {
        retries += 1;
        if (errorCode(error) !== 'EAGAIN' || retries > MAX_SYNC_RETRIES) rest = this.lose(rest);
        else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
      }
    }
  }

  private async flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.isWriting) return;
    this.isWriting = true;
    let rest = this.takeBatch();
    while (rest.length > 0) {
      try {
        rest = this.restAfter(rest, (await writeTo(this.fd, rest)).bytesWritten);
      } catch (error) {
        if (errorCode(error) === 'EAGAIN') await pause(RETRY_MS);
        else rest = this.lose(rest);
      }
    }
    this.isWriting = false;
    if (this.lines.length > 0) void this.flush();
  }

  /** Takes the buffered lines; after a torn line, starts a new one. */
  private takeBatch(): Buffer {
    const { lines } = this;
    [this.lines, this.characters] = [[], 0];
    return Buffer.from((this.isTorn && lines.length > 0 ? '\n' : '') + lines.join(''));
  }

  private restAfter(batch: Buffer, written: number): Buffer {
    if (written > 0) this.isTorn = batch[written - 1] !== LINE_END;
    return batch.subarray(written);
  }

  /** Drops the rest. A leading line end belongs to a line that is already counted or written. */
  private lose(rest: Buffer): Buffer {
    this.lost += rest.filter((byte, n) => byte === LINE_END && n > 0).length;
    return rest.subarray(rest.length);
  }
}

const standardErrorLines = new LineWriter(STANDARD_ERROR);

/** Lost log lines of this thread. */
export const lostLogLines = (): number => standardErrorLines.lost;

function standardError(): DestinationStream {
  if (!process.stderr.isTTY) return standardErrorLines;
  const format = prettyFactory({ singleLine: true, translateTime: 'SYS:HH:MM:ss' });
  return {
    write(line) {
      standardErrorLines.write(format(line));
      standardErrorLines.flushSync();
    },
  };
}
