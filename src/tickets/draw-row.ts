import { GLYPH_COLUMN_DOTS, GLYPH_ROWS, type Glyph, type Glyphs } from './hex-glyphs.ts';
import type { Dots } from './monochrome-png.ts';
import { PAPER_DOTS, type PaperLook } from './paper-look.ts';
import { MISSING } from './printable-text.ts';
import type { Row } from './ticket-rows.ts';
import { visualOrder } from './visual-order.ts';

const MARK = /^\p{M}$/u;
/** Stands for a letter that the font has not, in a font that has no question mark. */
const BOX: Glyph = { columns: 1, rows: Array.from({ length: GLYPH_ROWS }, (_, row) => (row % 15 === 0 ? 0xff : 0x81)) };

/** Columns of a drawn letter; its marks stand over it. */
export function drawnColumns(letter: string, glyphs: Glyphs): number {
  return [...letter].reduce((sum, one) => sum + (MARK.test(one) ? 0 : glyphOf(one, glyphs).columns), 0);
}

/** A row as dots over the whole width of the paper. */
export function drawRow({ indent, text }: Row, look: PaperLook, glyphs: Glyphs): Dots {
  const { dotScale, isCentred, isInverted } = look;
  const letters = [...visualOrder(text)];
  const columns = letters.reduce((sum, letter) => sum + drawnColumns(letter, glyphs), 0);
  const dots: Dots = {
    ...{ width: PAPER_DOTS, height: GLYPH_ROWS * dotScale },
    black: new Uint8Array(PAPER_DOTS * GLYPH_ROWS * dotScale),
  };
  const columnDots = GLYPH_COLUMN_DOTS * dotScale;
  const free = PAPER_DOTS - columns * columnDots;
  let x = isCentred ? Math.max(Math.floor(free / 2), 0) : indent * columnDots;
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

/** Dots beyond the paper's edge are left out. */
function fill(dots: Dots, area: { x: number; y: number; width: number; height: number }, value: number): void {
  const right = Math.min(area.x + area.width, dots.width);
  for (let y = area.y; y < area.y + area.height; y += 1) {
    dots.black.fill(value, y * dots.width + Math.min(area.x, right), y * dots.width + right);
  }
}
