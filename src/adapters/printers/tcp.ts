import { errorCode, errorMessage } from '../../lib/error-code.ts';
import { type Printer, PrinterError } from '../../tickets/printer.ts';
import { openLine, type PrinterLine } from './printer-line.ts';
import { hasReadAll, STATUS_REQUEST, statusBytesOf, troubleOf } from './printer-status.ts';

export type TcpPrinterOptions = {
  connectTimeoutMs?: number;
  /** A printer that can tell its state does so within this time. */
  statusTimeoutMs?: number;
  /** For the paper of the longest ticket, and for the tickets of other senders before it. */
  printTimeoutMs?: number;
};

/** DLE EOT 1, 2 and 4 bring a byte each. */
const STATUS_BYTES = 3;

/**
 * A printer that takes raw bytes over TCP, usually on port 9100. A printer that tells its state is asked before the
 * ticket, and has the ticket when it answers the request at the ticket's end. Any other printer has the ticket when it
 * has closed the connection after the last byte.
 */
export function createTcpPrinter(options: TcpPrinterOptions = {}): Printer {
  const { connectTimeoutMs = 5_000, statusTimeoutMs = 1_000, printTimeoutMs = 60_000 } = options;
  return {
    async print(target, bytes, signal) {
      const line = openLine(target, signal);
      let mayBePrinted = false;
      try {
        await connected(line, connectTimeoutMs);
        const status = await askStatus(line, statusTimeoutMs);
        const trouble = status && troubleOf(status);
        if (trouble) throw new PrinterError(trouble, { mayBePrinted });
        mayBePrinted = true;
        line.forget();
        if (status) await printAndHear(line, bytes, { statusTimeoutMs, printTimeoutMs });
        else await printAndClose(line, bytes, printTimeoutMs);
      } catch (error) {
        throw printerErrorOf(error, mayBePrinted);
      } finally {
        line.close();
      }
    },
  };
}

async function connected(line: PrinterLine, timeoutMs: number): Promise<void> {
  const end = await line.wait((_, isConnected) => isConnected, timeoutMs);
  if (end !== 'heard') throw new PrinterError('The printer does not answer.', { mayBePrinted: false });
}

/** The printer's state; undefined for a printer that does not tell it. */
async function askStatus(line: PrinterLine, timeoutMs: number): Promise<number[] | undefined> {
  line.forget();
  line.send(STATUS_REQUEST);
  const end = await line.wait((received) => statusBytesOf(received).length >= STATUS_BYTES, timeoutMs);
  if (end === 'heard') return statusBytesOf(line.received());
  if (end === 'late') return undefined;
  throw new PrinterError('The printer ended the connection.', { mayBePrinted: false });
}

/**
 * The ticket ends in a request whose answer follows the last row of the print. A printer that does not know the request
 * has the ticket when it has been silent for the whole time and then reports no trouble.
 */
async function printAndHear(
  line: PrinterLine,
  bytes: Uint8Array,
  { statusTimeoutMs, printTimeoutMs }: { statusTimeoutMs: number; printTimeoutMs: number },
): Promise<void> {
  line.send(bytes);
  const end = await line.wait(hasReadAll, printTimeoutMs);
  if (end === 'heard') return;
  const status = end === 'late' ? await askStatus(line, statusTimeoutMs) : undefined;
  const trouble = status && troubleOf(status);
  if (status && !trouble && line.isSent()) return;
  throw new PrinterError(trouble ?? 'The printer did not finish the ticket.', { mayBePrinted: true });
}

async function printAndClose(line: PrinterLine, bytes: Uint8Array, timeoutMs: number): Promise<void> {
  line.finish(bytes);
  const end = await line.wait(hasReadAll, timeoutMs);
  if (end === 'heard' || (end === 'ended' && line.isSent())) return;
  throw new PrinterError('The printer did not take the whole ticket.', { mayBePrinted: true });
}

function printerErrorOf(error: unknown, mayBePrinted: boolean): PrinterError {
  // An error after the ticket's first byte leaves the ticket in doubt, also an error of the state's request.
  if (error instanceof PrinterError && error.mayBePrinted === mayBePrinted) return error;
  if (error instanceof PrinterError) return new PrinterError(error.message, { mayBePrinted, cause: error });
  const reason = errorCode(error) ?? errorMessage(error);
  const message = mayBePrinted ? 'The connection to the printer broke' : 'The printer cannot be reached';
  return new PrinterError(`${message}: ${reason}.`, { mayBePrinted, cause: error });
}
