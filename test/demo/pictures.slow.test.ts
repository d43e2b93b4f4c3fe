import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import sharp from 'sharp';
import { PICTURES } from '../../demo/pictures.ts';
import { createDrawing, PICTURE_FOLDER } from './pictures.ts';

/** Colors of a reduced picture; processors round them differently. */
const MAX_DIFFERENCE = 6;
const colorsOf = (bytes: Buffer) => sharp(bytes).resize(20, 20, { fit: 'fill' }).raw().toBuffer();

test('the demo’s pictures match the icons’ drawings: npm run demo-files writes them', async () => {
  const draw = await createDrawing();
  for (const picture of PICTURES) {
    const kept = await colorsOf(readFileSync(`${PICTURE_FOLDER}/${picture}.webp`));
    const drawn = await colorsOf(await draw(picture));
    const differences = kept.map((color, index) => Math.abs(color - (drawn[index] ?? 0)));
    assert.ok(Math.max(...differences) <= MAX_DIFFERENCE, picture);
  }
});
