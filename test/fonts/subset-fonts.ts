import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FONT_FILES } from '../../src/access/accounts/brand-look.ts';
import { installApart, loadApart } from '../apart-packages.ts';

const FOLDER = join(import.meta.dirname, './package');

/** ASCII, the letters of Latin-1, and what English, French and Spanish print alongside them. */
const ranges = [
  [0x20, 0x7e],
  [0xa0, 0xff],
] as const;
const LETTERS = ranges.flatMap(([first, last]) =>
  Array.from({ length: last - first + 1 }, (_, at) => String.fromCharCode(first + at)),
);
const TEXT = `${LETTERS.join('')}ŒœŸ‘’“”‚„–—…•·€×−′″‹›\u202f\u2009\u2011™★`;

type Packages = { subsetFont(font: Buffer, text: string, options: { targetFormat: 'woff2' }): Promise<Buffer> };

/** Brand fonts by path: the packages' files, with only our languages' letters. */
export async function subsetFonts(): Promise<ReadonlyMap<string, Buffer>> {
  const { subsetFont } = await loadApart<Packages>(FOLDER);
  const packages = join(installApart(FOLDER), 'node_modules/@fontsource');
  const fonts = new Map<string, Buffer>();
  for (const file of FONT_FILES) {
    const [, name, weight] = /^(.+)-(\d+)$/.exec(file) ?? [];
    const font = readFileSync(join(packages, `${name}/files/${name}-latin-${weight}-normal.woff2`));
    fonts.set(`web/fonts/${file}.woff2`, await subsetFont(font, TEXT, { targetFormat: 'woff2' }));
  }
  return fonts;
}
