import { lettersOf } from './printable-text.ts';

/**
 * The text in rows of at most `columns`, broken between words where a row has one, else between letters. At least one
 * row; a letter that is wider than a row has a row of its own.
 */
export function wrapText(text: string, columns: number, widthOf: (letter: string) => number): string[] {
  const rows: string[] = [];
  let row = '';
  let used = 0;
  const put = (piece: string, width: number) => {
    row += piece;
    used += width;
  };
  const breakRow = () => {
    rows.push(row);
    row = '';
    used = 0;
  };
  for (const word of text.split(' ')) {
    const letters = lettersOf(word).map((letter) => ({ letter, width: widthOf(letter) }));
    const width = letters.reduce((sum, letter) => sum + letter.width, 0);
    if (row !== '' && used + 1 + width > columns) breakRow();
    if (row !== '') put(' ', 1);
    for (const one of letters) {
      if (row !== '' && used + one.width > columns) breakRow();
      put(one.letter, one.width);
    }
  }
  return [...rows, row];
}
