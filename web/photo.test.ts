import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sourcesOf } from './photo.ts';

test('the service’s photos load in the shown size, other pictures unchanged', () => {
  const folder = `https://eat.example/photos/${'a'.repeat(27)}`;
  assert.deepEqual(sourcesOf(`${folder}/large.webp`, '100vw'), {
    src: `${folder}/large.webp`,
    srcset: `${folder}/small.webp 320w, ${folder}/medium.webp 800w, ${folder}/large.webp 1600w`,
    sizes: '100vw',
  });
  for (const src of ['', `${folder}/small.webp`, `${folder}/large.webp?v=2`, 'https://cdn.example/photos/1/large.webp'])
    assert.deepEqual(sourcesOf(src, '100vw'), { src });
});
