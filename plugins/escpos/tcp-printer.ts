import { connect, type Socket } from 'node:net';
import { errorCode, errorMessage } from 'doorstep/files';
import { type Printer, PrinterError } from 'doorstep/plugin';

/* Raw TCP printers: sends a ticket, and queries the printer before and after where it reports its status. */

export type TcpPrinterOptions = {
  connectTimeoutMs?: number;
  /** Time limit of a printer's status report. */
  statusTimeoutMs?: number;
  /** Time limit of printing: the longest ticket, after tickets of other senders. */
  printTimeoutMs?: number;
};

/** Length of the responses to DLE EOT 1, 2 and 4, one byte each. */
const STATUS_BYTES = 3;

/**
 * Prints on a raw TCP printer, usually on port 9100. Printers with status reports are queried before the ticket and
 * confirm its end. Others have it once they close the connection after the last byte.
 */
export function createTcpPrinter(options: TcpPrinterOptions = {}): Printer {
  const { connectTimeoutMs = 5_000, statusTimeoutMs = 1_000, printTimeoutMs = 60_000 } = options;
  return {
    async print({ target, bytes }, signal) {
      const line = openPrinterConnection(target, signal);
      let mayBePrinted = false;
      try {
        await waitForConnection(line, connectTimeoutMs);
        const status = await queryStatus(line, statusTimeoutMs);
        const trouble = status && troubleOf(status);
        if (trouble) throw new PrinterError(trouble, { mayBePrinted });
        mayBePrinted = true;
        line.forget();
        if (status) await printAndAwaitStatus(line, bytes, { statusTimeoutMs, printTimeoutMs });
        else await printAndClose(line, bytes, printTimeoutMs);
      } catch (error) {
        throw printerErrorOf(error, mayBePrinted);
      } finally {
        line.close();
      }
    },
  };
}

async function waitForConnection(line: PrinterConnection, timeoutMs: number): Promise<void> {
  const end = await line.wait((_, isConnected) => isConnected, timeoutMs);
  if (end !== 'answered') throw new PrinterError('The printer does not answer.', { mayBePrinted: false });
}

/** Returns the printer's status; undefined if it has none. */
async function queryStatus(line: PrinterConnection, timeoutMs: number): Promise<number[] | undefined> {
  line.forget();
  line.send(STATUS_REQUEST);
  const end = await line.wait((received) => statusBytesOf(received).length >= STATUS_BYTES, timeoutMs);
  if (end === 'answered') return statusBytesOf(line.received());
  if (end === 'late') return undefined;
  throw new PrinterError('The printer ended the connection.', { mayBePrinted: false });
}

/**
 * Sends the ticket, which ends with a request that is answered after the last printed row. A printer that ignores the
 * request has the ticket if it stays silent until the time-out and then reports no error.
 */
async function printAndAwaitStatus(
  line: PrinterConnection,
  bytes: Uint8Array,
  { statusTimeoutMs, printTimeoutMs }: { statusTimeoutMs: number; printTimeoutMs: number },
): Promise<void> {
  line.send(bytes);
  const end = await line.wait(hasReadAll, printTimeoutMs);
  if (end === 'answered') return;
  const status = end === 'late' ? await queryStatus(line, statusTimeoutMs) : undefined;
  const trouble = status && troubleOf(status);
  if (status && !trouble && line.isSent()) return;
  throw new PrinterError(trouble ?? 'The printer did not finish the ticket.', { mayBePrinted: true });
}

async function printAndClose(line: PrinterConnection, bytes: Uint8Array, timeoutMs: number): Promise<void> {
  line.finish(bytes);
  const end = await line.wait(hasReadAll, timeoutMs);
  if (end === 'answered' || (end === 'ended' && line.isSent())) return;
  throw new PrinterError('The printer did not take the whole ticket.', { mayBePrinted: true });
}

function printerErrorOf(error: unknown, mayBePrinted: boolean): PrinterError {
  // Any error after the ticket's first byte leaves open whether it was printed.
  if (error instanceof PrinterError && error.mayBePrinted === mayBePrinted) return error;
  if (error instanceof PrinterError) return new PrinterError(error.message, { mayBePrinted, cause: error });
  const reason = errorCode(error) ?? errorMessage(error);
  const message = mayBePrinted ? 'The connection to the printer broke' : 'The printer cannot be reached';
  return new PrinterError(`${message}: ${reason}.`, { mayBePrinted, cause: error });
}

/** How a wait ended: by the expected bytes, a closed connection, or the time-out. */
type WaitEnd = 'answered' | 'ended' | 'late';

/** A connection to a printer. Every wait rejects if it breaks. */
type PrinterConnection = {
  send(bytes: Uint8Array): void;
  /** Sends the last bytes; the printer may still answer. */
  finish(bytes: Uint8Array): void;
  /** Waits until `isExpected` holds for the bytes received since the last `forget`. */
  wait(isExpected: (received: Uint8Array, isConnected: boolean) => boolean, timeoutMs: number): Promise<WaitEnd>;
  received(): Uint8Array;
  forget(): void;
  /** Whether the operating system has taken all of our bytes. */
  isSent(): boolean;
  close(): void;
};

/** Maximum received bytes. Printers send a few status bytes, so a peer that sends more is not a printer. */
const MAX_STATUS_BYTES = 4096;

/** Starts connecting to HOST:PORT. An aborted signal closes the connection. */
function openPrinterConnection(target: string, signal: AbortSignal): PrinterConnection {
  const [, host = '', port = ''] = /^\[?(.*?)\]?:(\d+)$/.exec(target) ?? [];
  const socket: Socket = connect({ host, port: Number(port), signal, noDelay: true, allowHalfOpen: true });
  let received: Uint8Array = new Uint8Array();
  let hasEnded = false;
  let failure: Error | undefined;
  let look = () => {};
  const seen = (change: () => void) => () => {
    change();
    look();
  };
  socket.on('error', (error) => seen(() => (failure ??= error))());
  socket.on(
    'end',
    seen(() => (hasEnded = true)),
  );
  socket.on(
    'close',
    seen(() => (hasEnded = true)),
  );
  socket.on('connect', () => look());
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    if (received.length > MAX_STATUS_BYTES) socket.destroy(new Error('more bytes than a printer sends'));
    look();
  });
  return {
    send: (bytes) => void socket.write(bytes),
    finish: (bytes) => void socket.end(bytes),
    wait: (isExpected, timeoutMs) =>
      new Promise((resolve, reject) => {
        const late = AbortSignal.timeout(timeoutMs);
        look = () => {
          if (failure) reject(failure);
          else if (isExpected(received, !socket.connecting)) resolve('answered');
          else if (hasEnded) resolve('ended');
          else if (late.aborted) resolve('late');
        };
        late.addEventListener('abort', () => look());
        look();
      }),
    received: () => received,
    forget: () => {
      received = new Uint8Array();
    },
    isSent: () => socket.writableLength === 0,
    close: () => void socket.destroy(),
  };
}

const DLE = 0x10;
const EOT = 0x04;

/** Requests the printer's status, offline cause and paper status: DLE EOT 1, 2 and 4. */
const STATUS_REQUEST = Uint8Array.of(DLE, EOT, 1, DLE, EOT, 2, DLE, EOT, 4);

/** Bits that are the same in every DLE EOT answer. */
const FIXED_MASK = 0x93;
const FIXED_BITS = 0x12;

/** First byte of an unrequested report. */
const REPORT_BITS = 0x10;
const REPORT_BYTES = 4;
/** Bits that are 0 in a response to GS r. */
const PAPER_MASK = 0x90;

const OFFLINE = 0x08;
const COVER_OPEN = 0x04;
const STOPPED_BY_PAPER = 0x20;
const ERROR = 0x40;
const PAPER_OUT = 0x60;

/** Returns the responses to STATUS_REQUEST in a printer's bytes, in order. */
function statusBytesOf(received: Uint8Array): number[] {
  return withoutReports(received).filter((byte) => (byte & FIXED_MASK) === FIXED_BITS);
}

/** Whether the bytes include the answer to GS r, which a printer sends after it has processed everything before it. */
function hasReadAll(received: Uint8Array): boolean {
  return withoutReports(received).some((byte) => (byte & PAPER_MASK) === 0);
}

/** Removes unrequested reports: printers may be configured to send status changes, in packets of four bytes. */
function withoutReports(received: Uint8Array): number[] {
  const answers: number[] = [];
  for (let at = 0; at < received.length; at += 1) {
    const byte = received[at] ?? 0;
    if ((byte & FIXED_MASK) === REPORT_BITS) at += REPORT_BYTES - 1;
    else answers.push(byte);
  }
  return answers;
}

/** Returns why the printer cannot print, for the store; undefined if it can. */
function troubleOf([state = 0, cause = 0, paper = 0]: readonly number[]): string | undefined {
  if (paper & PAPER_OUT || cause & STOPPED_BY_PAPER) return 'The printer is out of paper.';
  if (cause & COVER_OPEN) return "The printer's cover is open.";
  if (cause & ERROR) return 'The printer reports an error.';
  return state & OFFLINE ? 'The printer is offline.' : undefined;
}
