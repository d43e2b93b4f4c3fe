import { join } from 'node:path';
import sharp from 'sharp';
import { seedOf } from '../../demo/chance.ts';
import { DISHES, type Dish } from '../../demo/dishes.ts';
import { pictureSides } from '../../demo/pictures.ts';
import { loadApart } from '../apart-packages.ts';
import { drawDish, drawTable } from './draw-dish.ts';

export const PICTURE_FOLDER = join(import.meta.dirname, '../../demo/pictures');

type IconSet = { icons: Readonly<Record<string, { body: string }>> };

const QUALITY = 50;
/** Pixels for a unit of the drawings. */
const SCALE = 0.8;
/** Icons are drawn in a square of 32. */
const ICON_SIDE = 32;
const GROUNDS = ['#fde8d3', '#fbe0e4', '#e0efe6', '#dfe8fb', '#fdf1c8', '#e9f3d6', '#efe3f6', '#d8eff0'];

const KITCHEN = new Map(DISHES.map((dish) => [dish.name, dish]));

/** Draws pictures by name (`demo/pictures.ts`) as WebP: dishes on a table, icons on a colored ground. */
export async function createDrawing(): Promise<(picture: string) => Promise<Buffer>> {
  const { icons: set } = await loadApart<{ icons: IconSet }>(join(import.meta.dirname, './package'));
  const icon = (name: string, side: number, x: number, y: number) => {
    const body = set.icons[name]?.body;
    if (body === undefined) throw new RangeError(`The icon set has no ${name}.`);
    return `<svg x="${x - side / 2}" y="${y - side / 2}" width="${side}" height="${side}" viewBox="0 0 ${ICON_SIDE} ${ICON_SIDE}">${body}</svg>`;
  };
  return (picture) => {
    const [first = '', second, third] = picture.split('+');
    const dishes = [first, third, second].map((name) => KITCHEN.get(name ?? '')).filter((dish) => dish !== undefined);
    if (dishes.length > 0) return draw(picture, dishes.map(placeDish), drawTable);
    const [name = '', look] = first.split('~');
    if (look) return draw(picture, [icon(name, 170, 135, 165), icon(name, 170, 265, 240)]);
    const [beside, isSecond] = second?.split('~') ?? [];
    if (beside === undefined) return draw(picture, [icon(first, 230, 200, 200)]);
    if (isSecond) return draw(picture, [icon(beside, 130, 115, 120), icon(first, 230, 225, 220)]);
    if (third === undefined) return draw(picture, [icon(first, 230, 180, 185), icon(beside, 130, 290, 285)]);
    return draw(picture, [icon(first, 150, 190, 250), icon(third, 150, 610, 250), icon(beside, 250, 400, 215)]);
  };
}

/** A dish alone, or the first, last and middle one of a store. */
function placeDish(dish: Dish, nth: number, { length }: readonly Dish[]): string {
  const [side, x, y] =
    length === 1
      ? [400, 0, 0]
      : ([
          [340, -40, 80],
          [340, 500, 80],
          [460, 170, 0],
        ][nth] ?? []);
  return `<svg x="${x}" y="${y}" width="${side}" height="${side}" viewBox="0 0 400 400">${drawDish(dish)}</svg>`;
}

const drawGround: typeof drawTable = (picture, width, height) =>
  `<rect width="${width}" height="${height}" fill="${GROUNDS[seedOf(picture) % GROUNDS.length]}"/><circle cx="${width / 2}" cy="${height / 2}" r="${height * 0.41}" fill="#fff" opacity="0.6"/>`;

function draw(picture: string, drawn: readonly string[], drawBelow = drawGround): Promise<Buffer> {
  const { width, height } = pictureSides(picture);
  const [wide, high] = [width / SCALE, height / SCALE];
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${wide} ${high}">${drawBelow(picture, wide, high)}${drawn.join('')}</svg>`;
  return sharp(Buffer.from(svg)).webp({ quality: QUALITY, effort: 6 }).toBuffer();
}
