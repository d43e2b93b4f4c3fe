import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import sharp from 'sharp';
import { PICTURE_FOLDER } from '../test/demo/pictures.ts';
import { demoCatalog } from './catalog.ts';
import type { FeedCategory, FeedProduct } from './feed-line.ts';
import { PICTURES, pictureSides, withPictures } from './pictures.ts';

const productsOf = (categories: readonly FeedCategory[]): FeedProduct[] =>
  categories.flatMap((category) => [...(category.products ?? []), ...productsOf(category.categories ?? [])]);

test('every store and at least four in five products of each have a picture, and every picture is shown', () => {
  const shown = new Set<string>();
  for (const store of demoCatalog()) {
    const { photos, categories } = withPictures(store, (picture) => {
      shown.add(picture);
      return `https://pictures.example/${picture}`;
    });
    assert.equal(photos.store.length, 1, store.external_id);
    const products = productsOf(categories);
    const pictured = products.filter(({ image, thumbnail_image: thumbnail }) => image && thumbnail);
    assert.ok(
      pictured.length >= products.length * 0.8,
      `${store.external_id}: ${pictured.length} of ${products.length}`,
    );
  }
  assert.deepEqual([...PICTURES].sort(), [...shown].sort());
});

/** Mean difference of two pictures' colors, of 255, below which they look alike. */
const ALIKE = 5;

test('at least 60 dishes have a picture of their own, and no two neighbors of a menu are alike', async () => {
  const dishes = new Set<string>();
  const neighbors = new Map<string, readonly [string, string]>();
  for (const store of demoCatalog()) {
    const { categories } = withPictures(store, (picture) => picture);
    const shown = productsOf(categories).map(({ image }) => image ?? '');
    for (const picture of shown) if (picture.startsWith('dish-')) dishes.add(picture);
    for (const [nth, picture] of shown.slice(1).entries()) {
      const before = shown[nth] ?? '';
      if (before !== '' && picture !== '') neighbors.set([before, picture].sort().join(), [before, picture]);
    }
  }
  const names = [...new Set([...neighbors.values()].flat())];
  const reduced = async (name: string) => {
    const colors = await sharp(readFileSync(`${PICTURE_FOLDER}/${name}.webp`))
      .resize(16, 16)
      .raw()
      .toBuffer();
    return [name, colors] as const;
  };
  const colors = new Map(await Promise.all(names.map(reduced)));
  const alike = [...neighbors.values()].filter(([one, other]) => {
    const [these, those] = [colors.get(one) ?? [], colors.get(other) ?? []];
    const sum = [...these].reduce((total, color, at) => total + Math.abs(color - (those[at] ?? 0)), 0);
    return sum < ALIKE * these.length;
  });
  assert.deepEqual(alike, []);
  const different = new Set([...dishes].map((name) => String(colors.get(name)?.join())));
  assert.ok(different.size >= 60, `${different.size}`);
});

test('each is a small WebP of its sides, next to the icons’ license', async () => {
  const files = readdirSync(PICTURE_FOLDER);
  const names = files.filter((name) => name.endsWith('.webp')).map((name) => name.replace('.webp', ''));
  assert.deepEqual(names.sort(), [...PICTURES].sort());
  for (const name of names) {
    const bytes = readFileSync(`${PICTURE_FOLDER}/${name}.webp`);
    const { format, width, height } = await sharp(bytes).metadata();
    assert.deepEqual([format, { width, height }], ['webp', pictureSides(name)], name);
    assert.ok(bytes.length < (width > height ? 15_000 : 10_000), name);
  }
  assert.match(readFileSync(`${PICTURE_FOLDER}/LICENSE.txt`, 'utf8'), /MIT License\n\nCopyright \(c\) Microsoft/);
});
