import { join } from 'node:path';
import sharp from 'sharp';
import { seedOf } from '../../demo/chance.ts';
import { pictureSides } from '../../demo/pictures.ts';
import { loadApart } from '../apart-packages.ts';

export const PICTURE_FOLDER = join(import.meta.dirname, '../../demo/pictures');

type IconSet = { icons: Readonly<Record<string, { body: string }>> };

/** Icons are drawn in a square of 32. */
const ICON_SIDE = 32;
const GROUNDS = ['#fde8d3', '#fbe0e4', '#e0efe6', '#dfe8fb', '#fdf1c8', '#e9f3d6', '#efe3f6', '#d8eff0'];

/** Draws pictures by name (`demo/pictures.ts`): icons on a colored ground, as WebP. */
export async function createDrawing(): Promise<(picture: string) => Promise<Buffer>> {
  const { icons: set } = await loadApart<{ icons: IconSet }>(join(import.meta.dirname, './package'));
  const icon = (name: string, side: number, x: number, y: number) => {
    const body = set.icons[name]?.body;
    if (body === undefined) throw new RangeError(`The icon set has no ${name}.`);
    return `<svg x="${x - side / 2}" y="${y - side / 2}" width="${side}" height="${side}" viewBox="0 0 ${ICON_SIDE} ${ICON_SIDE}">${body}</svg>`;
  };
  return (picture) => {
    const [first = '', second, third] = picture.split('+');
    if (second === undefined) return draw(picture, [icon(first, 230, 200, 200)]);
    if (third === undefined) return draw(picture, [icon(first, 230, 180, 185), icon(second, 130, 290, 285)]);
    return draw(picture, [icon(first, 150, 190, 250), icon(third, 150, 610, 250), icon(second, 250, 400, 215)]);
  };
}

function draw(picture: string, icons: readonly string[]): Promise<Buffer> {
  const { width, height } = pictureSides(picture);
  const ground = GROUNDS[seedOf(picture) % GROUNDS.length];
  const light = `<circle cx="${width / 2}" cy="${height / 2}" r="${height * 0.41}" fill="#fff" opacity="0.6"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="${width}" height="${height}" fill="${ground}"/>${light}${icons.join('')}</svg>`;
  return sharp(Buffer.from(svg)).webp({ quality: 70, effort: 6 }).toBuffer();
}
