import { commands } from 'receiptline';
import { oneLine } from '../../platform/lib/plain-text.ts';

/** A printer's code pages (docs/tickets.md#code-pages). */
export const PRINTER_ENCODINGS = ['multilingual', 'shiftjis', 'gb18030', 'ksc5601', 'big5', 'tis620'] as const;

export type PrinterEncoding = (typeof PRINTER_ENCODINGS)[number];

/** Printed in place of each letter that the printer lacks. */
export const MISSING = '?';

const INVISIBLE = /\p{Cf}|\p{Variation_Selector}/gu;
const ASCII = /^[ -~]*$/;
/**
 * Maximum bytes of a letter. Printers know the two-byte part of GB 18030, which is GBK; longer codes print as unrelated
 * characters.
 */
const MAX_BYTES = 2;

/** Normalizes text for paper to one line in NFC without invisible or control characters. */
export const paperText = (text: string): string => oneLine(text.toWellFormed().replace(INVISIBLE, '')).normalize('NFC');

/** Whether the printer's code pages include every letter of the text. */
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

/** Splits text into grapheme clusters, so that a letter and its marks count as one. */
export function lettersOf(text: string): string[] {
  return [...new Intl.Segmenter('en').segment(text)].map(({ segment }) => segment);
}

/** Plain replacements for punctuation and ligatures that some code pages lack. Accents are removed separately. */
const PLAIN_MARKS: Readonly<Record<string, string>> = {
  '‘': "'",
  '’': "'",
  '“': '"',
  '”': '"',
  '«': '"',
  '»': '"',
  '–': '-',
  '—': '-',
  '…': '...',
  '×': 'x',
  œ: 'oe',
  Œ: 'OE',
  '¿': '',
  '¡': '',
};

/** Returns a letter in the form that the printer can print, with its plain form or `?` as fallback. */
function printableLetter(letter: string, encoding: PrinterEncoding): string {
  if (canPrint(letter, encoding)) return letter;
  const plain = PLAIN_MARKS[letter] ?? letter.normalize('NFD').replace(/\p{M}/gu, '');
  return ASCII.test(plain) ? plain : MISSING;
}

/** Returns the text with letters that the printer lacks replaced by plain ones or `?`. */
export function printableText(text: string, encoding: PrinterEncoding): string {
  if (ASCII.test(text)) return text;
  return lettersOf(text)
    .map((letter) => printableLetter(letter, encoding))
    .join('');
}

const EMOJI = /\p{Extended_Pictographic}|\p{Regional_Indicator}|\p{Emoji_Modifier}/u;

/** Leaves out emoji that the printer lacks if there are letters too; a label without text says nothing. */
export function withoutEmoji(text: string, encoding: PrinterEncoding): string {
  if (!EMOJI.test(text)) return text;
  const kept = lettersOf(text).filter((letter) => !EMOJI.test(letter) || canPrint(letter, encoding));
  const words = kept.join('').replace(/ {2,}/g, ' ').trim();
  return /[\p{L}\p{N}]/u.test(words) && !words.endsWith(':') ? words : text;
}

/** Whether every letter of the text, or its plain form, can be printed. */
export function canSpell(text: string, encoding: PrinterEncoding): boolean {
  return (
    ASCII.test(text) ||
    lettersOf(text).every((letter) => letter === MISSING || printableLetter(letter, encoding) !== MISSING)
  );
}

/** Returns the width of a letter in columns; two for Chinese, Japanese and Korean letters. */
export function columnsOf(letter: string, encoding: PrinterEncoding): number {
  return ASCII.test(letter) ? letter.length : commands.escpos.measureText(letter, encoding);
}

/** Columns of a font A line on 80 mm paper, and its printable dots. */
export const PAPER_COLUMNS = 48;
export const PAPER_DOTS = 576;

/** Appearance of a style on paper. */
export type PaperLook = {
  /** The size as the number of `^` in ReceiptLine: none is 1 x 1, 2 is 1 x 2, 3 is 2 x 2, 7 is 6 x 6. */
  carets: number;
  /** Columns per single-width letter. */
  width: number;
  isInverted: boolean;
  isEmphasized: boolean;
  isCentered: boolean;
  /** Dots on paper per dot of a drawn letter. */
  dotScale: number;
};

const PLAIN: PaperLook = {
  carets: 0,
  width: 1,
  isInverted: false,
  isEmphasized: false,
  isCentered: false,
  dotScale: 2,
};

/** Emphasis and size of a text. Each style looks different on paper and on a page. */
export type TextStyle = 'number' | 'banner' | 'title' | 'item' | 'alert' | 'total' | 'strong' | 'plain' | 'center';

export const PAPER_LOOKS: Readonly<Record<TextStyle, PaperLook>> = {
  number: { ...PLAIN, carets: 7, width: 6, isEmphasized: true, isCentered: true, dotScale: 6 },
  banner: { ...PLAIN, carets: 3, width: 2, isInverted: true, isEmphasized: true, isCentered: true, dotScale: 3 },
  title: { ...PLAIN, carets: 3, width: 2, isCentered: true, dotScale: 3 },
  item: { ...PLAIN, carets: 2, isEmphasized: true },
  alert: { ...PLAIN, carets: 2, isInverted: true, isEmphasized: true },
  total: { ...PLAIN, carets: 2, isEmphasized: true },
  strong: { ...PLAIN, isEmphasized: true },
  plain: PLAIN,
  center: { ...PLAIN, isCentered: true },
};
