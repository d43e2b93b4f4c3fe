import { crc32, deflateSync } from 'node:zlib';
import { GLYPH_COLUMN_DOTS, GLYPH_ROWS, type Glyph, type Glyphs } from './hex-glyphs.ts';
import { lettersOf, MISSING, PAPER_DOTS, type PaperLook } from './paper.ts';

/** Draws text that a printer has no letters for as a PNG: Arabic letters joined, bidirectional text in visual order. */

/** The forms of an Arabic letter, which joins its neighbors. */
type Forms = { isolated: string; final: string; initial?: string | undefined; medial?: string | undefined };

const MARK = /^\p{M}$/u;

/** Unicode's Arabic presentation forms, blocks A and B, by the letter or ligature that they decompose to. */
const FORMS: ReadonlyMap<string, Forms> = new Map([...letterForms(0xfb50, 0xfbff), ...letterForms(0xfe80, 0xfefc)]);

/**
 * Groups consecutive code points into letters, each with isolated and final forms, and dual-joining letters with
 * initial and medial ones.
 */
function letterForms(first: number, last: number): [string, Forms][] {
  const found = new Map<string, string[]>();
  for (let code = first; code <= last; code += 1) {
    const form = String.fromCodePoint(code);
    const letter = form.normalize('NFKC');
    found.set(letter, [...(found.get(letter) ?? []), form]);
  }
  return [...found].flatMap(([letter, [isolated, final, initial, medial]]): [string, Forms][] =>
    isolated === undefined || final === undefined ? [] : [[letter, { isolated, final, initial, medial }]],
  );
}

/** Replaces Arabic letters by the forms they take alongside each other; other text stays as it is. */
export function joinArabic(text: string): string {
  const letters = withLigatures([...text]);
  const neighbor = (at: number, step: 1 | -1): Forms | undefined => {
    let next = at + step;
    while (MARK.test(letters[next] ?? '')) next += step;
    return FORMS.get(letters[next] ?? '');
  };
  return letters
    .map((letter, at) => {
      const forms = FORMS.get(letter);
      if (!forms) return letter;
      const isJoinedBefore = neighbor(at, -1)?.initial !== undefined;
      const isJoinedAfter = forms.initial !== undefined && neighbor(at, 1) !== undefined;
      if (isJoinedBefore) return (isJoinedAfter ? forms.medial : forms.final) ?? letter;
      return (isJoinedAfter ? forms.initial : forms.isolated) ?? letter;
    })
    .join('');
}

/** Joins adjacent lam and alef to one letter. */
function withLigatures(letters: readonly string[]): string[] {
  const joined: string[] = [];
  for (const letter of letters) {
    const pair = `${joined.at(-1) ?? ''}${letter}`;
    if (pair.length === 2 && FORMS.has(pair)) joined.pop();
    joined.push(pair.length === 2 && FORMS.has(pair) ? pair : letter);
  }
  return joined;
}

const LETTER = '\\p{Script=Hebrew}\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Thaana}\\p{Script=Nko}';
const RIGHT_TO_LEFT = new RegExp(`[${LETTER}]`, 'u');
/** Matches from the first right-to-left letter to the last one before any other letter, with a bracket after it. */
const RUN = new RegExp(`[${LETTER}](?:(?:[${LETTER}]|\\P{L})*[${LETTER}\\p{M}])?[)\\]]?`, 'gu');
const NUMBER = /\p{Nd}+(?:[.,:]\p{Nd}+)*/gu;
const MIRRORED: Readonly<Record<string, string>> = { '(': ')', ')': '(', '[': ']', ']': '[', '<': '>', '>': '<' };

/**
 * Reorders a row of a left-to-right ticket as it appears on paper: Hebrew and Arabic words run right to left, numbers
 * within them left to right (Unicode Standard Annex 9, without its embeddings).
 */
export function visualOrder(text: string): string {
  if (!RIGHT_TO_LEFT.test(text)) return text;
  return joinArabic(text).replace(RUN, (found) => {
    // A bracket after the last word belongs to the words if its pair does.
    const isOutside = /[)\]]$/.test(found) && count(found, /[([]/g) < count(found, /[)\]]/g);
    const run = isOutside ? found.slice(0, -1) : found;
    return reverseRun(run) + found.slice(run.length);
  });
}

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

function reverseRun(run: string): string {
  return lettersOf(run)
    .reverse()
    .map((letter) => MIRRORED[letter] ?? letter)
    .join('')
    .replace(NUMBER, (number) => [...number].reverse().join(''));
}

/** Drawn for a letter that the font lacks, if it also lacks a question mark. */
const BOX: Glyph = { columns: 1, rows: Array.from({ length: GLYPH_ROWS }, (_, row) => (row % 15 === 0 ? 0xff : 0x81)) };

/** Returns the columns of a drawn letter, without its marks, which are drawn above it. */
export function drawnColumns(letter: string, glyphs: Glyphs): number {
  return [...letter].reduce((sum, one) => sum + (MARK.test(one) ? 0 : glyphOf(one, glyphs).columns), 0);
}

/** A row on paper: `indent` columns of space, then the text. */
export type Row = { indent: number; text: string };

/** Draws a row over the whole width of the paper. */
export function drawRow({ indent, text }: Row, look: PaperLook, glyphs: Glyphs): Dots {
  const { dotScale, isCentered, isInverted } = look;
  const letters = [...visualOrder(text)];
  const columns = letters.reduce((sum, letter) => sum + drawnColumns(letter, glyphs), 0);
  const dots: Dots = {
    width: PAPER_DOTS,
    height: GLYPH_ROWS * dotScale,
    black: new Uint8Array(PAPER_DOTS * GLYPH_ROWS * dotScale),
  };
  const columnDots = GLYPH_COLUMN_DOTS * dotScale;
  const free = PAPER_DOTS - columns * columnDots;
  let x = isCentered ? Math.max(Math.floor(free / 2), 0) : indent * columnDots;
  if (isInverted) fill(dots, { x, y: 0, width: columns * columnDots, height: dots.height }, 1);
  let markedAt = x;
  for (const letter of letters) {
    const glyph = glyphOf(letter, glyphs);
    const isMark = MARK.test(letter);
    drawGlyph(dots, glyph, { x: isMark ? markedAt : x, dotScale, value: isInverted ? 0 : 1 });
    if (isMark) continue;
    markedAt = x;
    x += glyph.columns * columnDots;
  }
  return dots;
}

function glyphOf(letter: string, glyphs: Glyphs): Glyph {
  return glyphs(letter.codePointAt(0) ?? 0) ?? glyphs(MISSING.charCodeAt(0)) ?? BOX;
}

function drawGlyph(dots: Dots, { columns, rows }: Glyph, at: { x: number; dotScale: number; value: number }): void {
  const width = columns * GLYPH_COLUMN_DOTS;
  const { dotScale } = at;
  for (const [row, bits] of rows.entries()) {
    for (let column = 0; column < width; column += 1) {
      if ((bits >> (width - 1 - column)) % 2 === 0) continue;
      const x = at.x + column * dotScale;
      fill(dots, { x, y: row * dotScale, width: dotScale, height: dotScale }, at.value);
    }
  }
}

/** Clips dots beyond the paper's edge. */
function fill(dots: Dots, area: { x: number; y: number; width: number; height: number }, value: number): void {
  const right = Math.min(area.x + area.width, dots.width);
  for (let y = area.y; y < area.y + area.height; y += 1) {
    dots.black.fill(value, y * dots.width + Math.min(area.x, right), y * dots.width + right);
  }
}

/** A monochrome bitmap, row by row, one byte per dot; 1 is black. */
type Dots = { width: number; height: number; black: Uint8Array };

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const BITS = 8;

/** Encodes the bitmap as a PNG with one bit per dot (ISO/IEC 15948). */
export function monochromePng({ width, height, black }: Dots): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(1, 8);
  // A row begins with its filter type, 0 for none; a set bit is white.
  const rowBytes = 1 + Math.ceil(width / BITS);
  const rows = Buffer.alloc(rowBytes * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      if (black[y * width + x] === 1) continue;
      const at = y * rowBytes + 1 + Math.floor(x / BITS);
      rows[at] = (rows[at] ?? 0) | (128 >> (x % BITS));
    }
  }
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [size, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  size.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([size, body, check]);
}
