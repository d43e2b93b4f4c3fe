import { OutsideError } from '../../platform/lib/outside-error.ts';

/** Address of a store's printer, as set by the operator. */
export type PrinterTarget = { host: string; port: number };

export interface Printer {
  /**
   * Prints a rendered ticket. Resolves once the printer has answered the request at the ticket's end, or has closed the
   * connection after it. Otherwise, and on abort, rejects with PrinterError.
   */
  print(target: PrinterTarget, bytes: Uint8Array, signal: AbortSignal): Promise<void>;
}

/** The printer did not accept a ticket. Always retryable, because paper is refilled and cables are plugged in again. */
export class PrinterError extends OutsideError {
  /** Whether part of the ticket may already be printed; then the next attempt must be marked as a copy. */
  readonly mayBePrinted: boolean;

  constructor(message: string, { mayBePrinted, cause }: { mayBePrinted: boolean; cause?: unknown }) {
    super('printer', message, { retryable: true, cause });
    this.name = 'PrinterError';
    this.mayBePrinted = mayBePrinted;
  }
}
