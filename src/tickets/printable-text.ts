import { commands } from 'receiptline';
import { oneLine } from '../messages/plain-text.ts';

/** The code pages of a printer (docs/tickets.md#code-pages). */
export const PRINTER_ENCODINGS = ['multilingual', 'shiftjis', 'gb18030', 'ksc5601', 'big5', 'tis620'] as const;

export type PrinterEncoding = (typeof PRINTER_ENCODINGS)[number];

/** Stands for each letter that the printer cannot print. */
export const MISSING = '?';

const INVISIBLE = /\p{Cf}|\p{Variation_Selector}/gu;
const ASCII = /^[ -~]*$/;
/** Printers know the two-byte part of GB 18030, which is GBK; longer codes print as unrelated characters. */
const MAX_BYTES = 2;

/** Text for paper: one line, composed letters, nothing invisible, no control character. */
export function paperText(text: string): string {
  return oneLine(text.toWellFormed().replace(INVISIBLE, '')).normalize('NFC');
}

/** Whether the printer's code pages have every letter of the text. */
export function canPrint(text: string, encoding: PrinterEncoding): boolean {
  return ASCII.test(text) || [...text].every((letter) => canPrintLetter(letter, encoding));
}

function canPrintLetter(letter: string, encoding: PrinterEncoding): boolean {
  if (ASCII.test(letter)) return true;
  const { escpos } = commands;
  const bytes = escpos.text(letter, encoding);
  if (bytes.endsWith(MISSING) || letter === '\uFFFD') return false;
  return (
    encoding === 'multilingual' || encoding === 'tis620' || bytes.length - escpos.text('', encoding).length <= MAX_BYTES
  );
}

/** The letters of a text as a reader counts them: a letter with its marks is one. */
export function lettersOf(text: string): string[] {
  return [...new Intl.Segmenter('en').segment(text)].map(({ segment }) => segment);
}

/** The text with `?` for each letter that the printer cannot print. */
export function printableText(text: string, encoding: PrinterEncoding): string {
  if (ASCII.test(text)) return text;
  return lettersOf(text)
    .map((letter) => (canPrint(letter, encoding) ? letter : MISSING))
    .join('');
}

/** Columns that a letter takes on paper: two for Chinese, Japanese and Korean letters. */
export function columnsOf(letter: string, encoding: PrinterEncoding): number {
  return ASCII.test(letter) ? letter.length : commands.escpos.measureText(letter, encoding);
}
