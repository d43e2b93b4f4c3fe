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

test('each is a small WebP of its sides, beside the license of the icons', async () => {
  const files = readdirSync(PICTURE_FOLDER);
  const names = files.filter((name) => name.endsWith('.webp')).map((name) => name.replace('.webp', ''));
  assert.deepEqual(names.sort(), [...PICTURES].sort());
  for (const name of names) {
    const bytes = readFileSync(`${PICTURE_FOLDER}/${name}.webp`);
    const { format, width, height } = await sharp(bytes).metadata();
    assert.deepEqual([format, { width, height }], ['webp', pictureSides(name)], name);
    assert.ok(bytes.length < 10_000, name);
  }
  assert.match(readFileSync(`${PICTURE_FOLDER}/LICENSE.txt`, 'utf8'), /MIT License\n\nCopyright \(c\) Microsoft/);
});
