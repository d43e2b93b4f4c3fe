import { OutsideError } from '../../platform/lib/outside-error.ts';
import type { Glyphs } from './hex-glyphs.ts';

/** Where a store's printer listens, as the operator has set it. */
export type PrinterTarget = { host: string; port: number };

/** A ticket printer. */
export interface Printer {
  /**
   * Prints a rendered ticket. Resolves once the printer has answered the request at the ticket's end, or closed the
   * connection after it. Rejects with PrinterError otherwise, and on abort.
   */
  print(target: PrinterTarget, bytes: Uint8Array, signal: AbortSignal): Promise<void>;
}

/** The printers of stores, and the letters that are drawn for printers without them. */
export type Printing = { printer: Printer; glyphs: Glyphs | undefined };

/** The printer did not accept a ticket. Always retryable, since paper is refilled and cables are plugged in. */
export class PrinterError extends OutsideError {
  /** Whether part of the ticket may be printed already, in which case the next attempt must be marked as a copy. */
  readonly mayBePrinted: boolean;

  constructor(message: string, { mayBePrinted, cause }: { mayBePrinted: boolean; cause?: unknown }) {
    super('printer', message, { retryable: true, cause });
    this.name = 'PrinterError';
    this.mayBePrinted = mayBePrinted;
  }
}
