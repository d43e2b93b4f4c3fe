import type { ShownRefund } from '../messages/refund-lines.ts';
import type { Glyphs } from './hex-glyphs.ts';
import type { PrinterEncoding } from './printable-text.ts';

/** `kitchen` is what the kitchen makes, `receipt` goes with the order, `canceled` tells the kitchen to stop. */
export type TicketDocument = 'kitchen' | 'receipt' | 'canceled';

export type TicketContent = {
  /** 0 for the print that the order itself causes, n for the nth print on demand. */
  copy: number;
  /** Whether an earlier try ended without an answer of the printer: its ticket may lie in the kitchen. */
  mayBeRepeated: boolean;
  /** The account's name, as its customers see it. */
  brandName: string;
  /** A time on another day than this is shown with its day. */
  now: Temporal.Instant;
  /** The refunds of the order, by what they were for; a refund that is not named has a line all the same. */
  refunds?: readonly ShownRefund[];
};

export type PrintOptions = TicketContent & {
  encoding: PrinterEncoding;
  /** Letters that are printed as images where the printer's code pages lack them. */
  glyphs?: Glyphs | undefined;
};
