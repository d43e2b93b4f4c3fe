import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decodeEscpos, type PrintedImage } from '../../../test/fakes/escpos-decoder.ts';
import { FIRST_PRINT, givenTicketOrder } from '../../../test/given/ticket.ts';
import { runs } from '../../../test/runs.ts';
import { joinArabic, visualOrder } from './draw-row.ts';
import { parseHexGlyphs } from './hex-glyphs.ts';
import { renderTicket } from './render-ticket.ts';

/** A font where each glyph's first rows encode its own code point: eight dots wide, or sixteen from U+3000 on. */
const CODED = Array.from({ length: 0xffff - 0x20 }, (_, at) => {
  const code = (at + 0x20).toString(16).padStart(4, '0').toUpperCase();
  const isWide = at + 0x20 >= 0x3000;
  return `${code}:${isWide ? `${code}${'0000'.repeat(15)}` : `${code}${'00'.repeat(14)}`}`;
}).join('\n');
const glyphs = parseHexGlyphs(CODED);

/** Decodes the letters of the coded font from a printed row. */
function lettersIn({ rows, height, width }: PrintedImage, isInverted = false): string {
  const scale = height / 16;
  const ink = isInverted ? ' ' : '#';
  const bits = (row: number, at: number, count: number) =>
    Array.from({ length: count }, (_, dot) => (rows[row * scale]?.[(at + dot) * scale] === ink ? '1' : '0')).join('');
  let text = '';
  for (let at = 0; at < width / scale; ) {
    const wide = Number.parseInt(bits(0, at, 16), 2);
    const narrow = Number.parseInt(bits(0, at, 8) + bits(1, at, 8), 2);
    const isWide = wide >= 0x3000 && bits(1, at, 16) === '0'.repeat(16);
    text += isWide ? String.fromCharCode(wide) : narrow === 0 ? ' ' : String.fromCharCode(narrow);
    at += isWide ? 16 : 8;
  }
  return text.trimEnd();
}

const imagesOf = (texts: Parameters<typeof givenTicketOrder>[0]) =>
  decodeEscpos(renderTicket('kitchen', givenTicketOrder(texts), { ...FIRST_PRINT, glyphs }));

test('with a font, a line with letters that the printer lacks is printed as an image, every letter of it', () => {
  const { images, rows } = imagesOf({ item: 'Phở 字' });
  assert.deepEqual(
    images.map((image) => lettersIn(image)),
    ['2 x Phở 字'],
  );
  assert.ok(rows.every(({ text }) => !text.includes('?')));
  assert.ok(
    images.every(({ width, height }) => width === 576 && height === 32),
    'over the whole paper, at twice the size of the font',
  );
});

test('a note with such letters stays white on black, and a long one is wrapped', () => {
  const { images } = imagesOf({ notes: '字' });
  const note = images.find((image) => lettersIn(image, true).includes('NOTE')) ?? assert.fail();
  assert.match(lettersIn(note, true), /NOTE: 字/);
  const long = imagesOf({ item: '字'.repeat(100) }).images.map((image) => lettersIn(image));
  assert.equal(long.join('').match(/字/g)?.length, 100);
  assert.ok(long.length > 5);
});

test('printable lines are printed as text next to the images', () => {
  const { rows } = imagesOf({ item: '字', option: 'Olives' });
  assert.ok(rows.some(({ text }) => text.includes('+ Toppings: Olives')));
});

test('Hebrew and Arabic words stand right to left, numbers and Latin words in them left to right', () => {
  assert.equal(visualOrder('2 x שלום'), '2 x םולש');
  assert.equal(visualOrder('NOTE: אב 12.50 גד'), 'NOTE: דג 12.50 בא');
  assert.equal(visualOrder('אב (גד) pizza הו'), '(דג) בא pizza וה');
  assert.equal(visualOrder('2 x (שלום) Pho'), '2 x (םולש) Pho');
  assert.equal(visualOrder('Pizza'), 'Pizza');
});

test('Arabic letters are joined: initial, medial, final and isolated; lam and alef are one letter', () => {
  assert.equal(joinArabic('ببب'), '\uFE91\uFE92\uFE90');
  assert.equal(joinArabic('ب'), '\uFE8F');
  assert.equal(joinArabic('دب'), '\uFEA9\uFE8F', 'dal joins no letter after it');
  assert.equal(joinArabic('سلام'), '\uFEB3\uFEFC\uFEE1');
  assert.equal(joinArabic('بَب'), '\uFE91\u064E\uFE90', 'a vowel sign parts no letters');
  assert.equal(joinArabic('پیتزا'), '\uFB58\uFBFF\uFE98\uFEB0\uFE8D', 'letters of Persian too');
});

test('a file that is not a supported font is refused', () => {
  assert.throws(() => parseHexGlyphs('STARTFONT 2.1\nENDFONT'), RangeError);
  assert.equal(parseHexGlyphs('0041:0000\n0042:00000000000000000000000000000000\n')(0x41), undefined);
});

test('whatever the texts are, a ticket with a font prints, with one cut', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 80 }), (text) => {
      const { cuts, images } = imagesOf({ item: text, notes: text, customer: text });
      assert.equal(cuts.length, 1);
      assert.ok(images.every(({ width }) => width === 576));
    }),
    { numRuns: runs(60) },
  );
});
