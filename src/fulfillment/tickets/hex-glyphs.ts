/** A letter as dots: 16 rows of 8 dots per column; the highest bit of a row is its left dot. */
export type Glyph = { columns: number; rows: readonly number[] };

/** The dots of a code point; undefined if the font lacks it. */
export type Glyphs = (codePoint: number) => Glyph | undefined;

export const GLYPH_ROWS = 16;
export const GLYPH_COLUMN_DOTS = 8;

const LINE = /^([0-9A-F]{4,6}):([0-9A-F]{32}|[0-9A-F]{64})$/i;

/**
 * Parses a font in the .hex format of GNU Unifont: lines `CODEPOINT:DOTS` in hexadecimal digits, 8 or 16 dots wide.
 * Throws RangeError if no line has this form.
 */
export function parseHexGlyphs(text: string): Glyphs {
  const dots = new Map<number, string>();
  for (const line of text.split(/\r?\n/)) {
    const [, code, digits] = LINE.exec(line) ?? [];
    if (code !== undefined && digits !== undefined) dots.set(Number.parseInt(code, 16), digits);
  }
  if (dots.size === 0) throw new RangeError('The file lacks a line CODEPOINT:DOTS with 32 or 64 hexadecimal digits.');
  return (codePoint) => {
    const digits = dots.get(codePoint);
    return digits === undefined ? undefined : glyphOf(digits);
  };
}

function glyphOf(digits: string): Glyph {
  const size = digits.length / GLYPH_ROWS;
  const rows = Array.from({ length: GLYPH_ROWS }, (_, row) =>
    Number.parseInt(digits.slice(row * size, (row + 1) * size), 16),
  );
  return { columns: size / 2, rows };
}
