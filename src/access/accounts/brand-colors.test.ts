import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs, some } from '../../../test/runs.ts';
import { brandColors, contrastOf, readableOn, textColorOn } from './brand-colors.ts';

/** WCAG contrast computed from technique G17 with exact fractions, independent of the source's formula. */
function contrastByTable(one: string, other: string): number {
  const table = Float64Array.from({ length: 256 }, (_, value) => {
    const share = value / 255;
    return share <= 0.03928 ? share / 12.92 : Math.exp(2.4 * Math.log((share + 0.055) / 1.055));
  });
  const luminance = (color: string) => {
    const value = Number.parseInt(color.slice(1), 16);
    const [red = 0, green = 0, blue = 0] = [value >> 16, (value >> 8) & 255, value & 255].map((at) => table[at]);
    return (2126 * red + 7152 * green + 722 * blue) / 10_000;
  };
  const [high = 0, low = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

const hex = (value: number) => `#${value.toString(16).padStart(6, '0')}`;
const colors = fc.integer({ min: 0, max: 0xffffff }).map(hex);
/** The background colors of web/tokens.css and messages/mail-frame.html. */
const LIGHT_GROUNDS = ['#ffffff', '#f6f6f4'];
const DARK_GROUNDS = ['#1c1f1c', '#121412'];
const [LIGHT_TEXT, DARK_TEXT] = ['#1b1c1a', '#f1f2ef'];

test('the contrast of two colors follows WCAG', () => {
  assert.deepEqual(
    [contrastOf('#000000', '#ffffff'), contrastOf('#123456', '#123456'), contrastOf('#767676', '#ffffff').toFixed(2)],
    [21, 1, '4.54'],
  );
  fc.assert(
    fc.property(colors, colors, (one, other) => {
      assert.ok(Math.abs(contrastOf(one, other) - contrastByTable(one, other)) < 1e-9);
      assert.equal(contrastOf(one, other), contrastOf(other, one));
    }),
  );
});

/** Every 15th value of each channel: 5,832 colors, including the corners. */
const LATTICE = Array.from({ length: 18 ** 3 }, (_, at) =>
  hex(((at % 18) << 16) * 15 + ((Math.floor(at / 18) % 18) << 8) * 15 + Math.floor(at / 324) * 15),
);

function assertReadable(color: string): void {
  const { button, onButton, light, dark } = brandColors(color);
  assert.equal(button, color);
  assert.ok(['#000000', '#ffffff'].includes(onButton));
  const pairs = [
    [onButton, button],
    ...[light, dark].map(({ accent, onAccent }) => [onAccent, accent]),
    ...LIGHT_GROUNDS.map((ground) => [light.accent, ground]),
    ...DARK_GROUNDS.map((ground) => [dark.accent, ground]),
    [LIGHT_TEXT, light.tint],
    [DARK_TEXT, dark.tint],
  ];
  for (const [text = '', ground = ''] of pairs) {
    assert.ok(contrastByTable(text, ground) >= 4.5, `${color}: ${text} on ${ground}`);
  }
}

test('every text in or on any brand’s color is readable, in light and dark', () => {
  for (const color of some(LATTICE)) assertReadable(color);
  fc.assert(fc.property(colors, assertReadable), { numRuns: runs(3000) });
});

test('a readable color stays unchanged; another changes no more than needed', () => {
  fc.assert(
    fc.property(colors, (color) => {
      const { light, dark } = brandColors(color);
      const reads = (one: string, grounds: readonly string[]) => grounds.every((g) => contrastByTable(one, g) >= 4.5);
      assert.equal(light.accent === color, reads(color, LIGHT_GROUNDS));
      assert.equal(dark.accent === color, reads(color, DARK_GROUNDS));
      assert.equal(readableOn(light.accent, LIGHT_GROUNDS, 'black'), light.accent);
      assert.equal(readableOn(dark.accent, DARK_GROUNDS, 'white'), dark.accent);
      if (light.accent !== color) assert.ok(Math.min(...LIGHT_GROUNDS.map((g) => contrastOf(light.accent, g))) < 4.7);
      if (dark.accent !== color) assert.ok(Math.min(...DARK_GROUNDS.map((g) => contrastOf(dark.accent, g))) < 4.7);
    }),
    { numRuns: runs(2000) },
  );
});

test('text on a color is black or white, whichever is read better', () => {
  assert.deepEqual(['#ffff00', '#000080', '#ffffff', '#000000'].map(textColorOn), [
    '#000000',
    '#ffffff',
    '#000000',
    '#ffffff',
  ]);
});
