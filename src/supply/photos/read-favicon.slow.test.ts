import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { readFavicon } from './read-favicon.flow.ts';

const givenImage = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 4, background: '#0b6b4a' } });
const whole = await givenImage(16, 16).png().toBuffer();

test('a whole PNG of 16 by 16 pixels is kept as it is', async () => {
  assert.deepEqual(await readFavicon(whole), { value: { bytes: whole, type: 'image/png' } });
});

test('another size, format or length is rejected with the reason', async () => {
  const faultOf = async (bytes: Buffer) => JSON.stringify(await readFavicon(bytes));
  assert.match(await faultOf(await givenImage(16, 17).png().toBuffer()), /must have 16×16 pixels, not 16×17/);
  for (const other of [await givenImage(16, 16).webp().toBuffer(), Buffer.from('<svg/>'), Buffer.from('GIF89a')]) {
    assert.match(await faultOf(other), /must be a PNG"/);
  }
  assert.match(await faultOf(Buffer.alloc(0)), /must not be empty/);
  assert.match(await faultOf(Buffer.concat([whole, Buffer.alloc(65_536)])), /must have at most 64 KiB/);
});

test('a PNG that is cut off or changed is refused', async () => {
  const changed = Buffer.from(whole);
  const pixels = changed.indexOf('IDAT') + 8;
  changed[pixels] = (changed[pixels] ?? 0) ^ 1;
  for (const damaged of [whole.subarray(0, 20), whole.subarray(0, 60), changed]) {
    assert.deepEqual(await readFavicon(damaged), { fault: 'must be a PNG that is not damaged' });
  }
});
