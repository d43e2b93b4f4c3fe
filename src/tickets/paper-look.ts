import type { TextStyle } from './ticket-line.ts';

/** Columns of a font A line on 80 mm paper, and its printable dots. */
export const PAPER_COLUMNS = 48;
export const PAPER_DOTS = 576;

/** How a style looks on paper. */
export type PaperLook = {
  /** The size as the count of `^` in ReceiptLine: none is 1 x 1, 2 is 1 x 2, 3 is 2 x 2, 7 is 6 x 6. */
  carets: number;
  /** Columns that a letter of one column takes at this size. */
  width: number;
  isInverted: boolean;
  isEmphasized: boolean;
  isCentred: boolean;
  /** Paper dots of one dot of a drawn letter. */
  dotScale: number;
};

const PLAIN: PaperLook = {
  ...{ carets: 0, width: 1, isInverted: false, isEmphasized: false, isCentred: false },
  dotScale: 2,
};

export const PAPER_LOOKS: Readonly<Record<TextStyle, PaperLook>> = {
  number: { ...PLAIN, carets: 7, width: 6, isEmphasized: true, isCentred: true, dotScale: 6 },
  banner: { ...PLAIN, carets: 3, width: 2, isInverted: true, isEmphasized: true, isCentred: true, dotScale: 3 },
  title: { ...PLAIN, carets: 3, width: 2, isCentred: true, dotScale: 3 },
  item: { ...PLAIN, carets: 2, isEmphasized: true },
  alert: { ...PLAIN, carets: 2, isInverted: true, isEmphasized: true },
  total: { ...PLAIN, carets: 2, isEmphasized: true },
  strong: { ...PLAIN, isEmphasized: true },
  plain: PLAIN,
  centre: { ...PLAIN, isCentred: true },
};
