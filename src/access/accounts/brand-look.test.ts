import assert from 'node:assert/strict';
import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../../test/runs.ts';
import { contrastOf } from './brand-colors.ts';
import {
  CORNERS,
  FONT_FILES,
  FONTS,
  type Look,
  lookName,
  lookProperties,
  lookStyle,
  parseLookName,
} from './brand-look.ts';

const WEB = join(import.meta.dirname, '../../../web');

const looks: fc.Arbitrary<Look> = fc.record(
  {
    color: fc.option(fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)),
    corners: fc.constantFrom(...CORNERS),
    font: fc.constantFrom(...FONTS),
  },
  { noNullPrototype: true },
);

test('a look is its name, and no other name is one', () => {
  fc.assert(
    fc.property(looks, (look) => {
      const name = lookName(look);
      if (name === undefined) assert.deepEqual(look, { color: null, corners: 'soft', font: 'system' });
      else assert.deepEqual(parseLookName(name), look);
    }),
    { numRuns: runs(500) },
  );
  for (const name of [
    '',
    'plain',
    'fff',
    '7A1FA2',
    '7a1fa2-soft',
    '7a1fa2-modern-round',
    'plain-x',
    '7a1fa2-round-round',
  ])
    assert.equal(parseLookName(name), undefined, name);
});

test('a style sheet of a look has its fonts and nothing that ends a rule', () => {
  fc.assert(
    fc.property(looks, (look) => {
      const style = lookStyle(look, (file) => `../assets/${file}.woff2`);
      assert.equal(style.split('{').length, style.split('}').length);
      const faces = [...style.matchAll(/assets\/([a-z-]+\d+)\.woff2/g)].map(([, file]) => file ?? '');
      assert.ok(faces.every((file) => FONT_FILES.includes(file)));
      assert.equal(faces.length > 0, look.font !== 'system');
    }),
    { numRuns: runs(200) },
  );
});

test('a pair of fonts has up to 40 KB', () => {
  for (const font of FONTS) {
    const style = lookStyle({ color: null, corners: 'soft', font }, (file) => file);
    const files = [...style.matchAll(/url\((.+?)\)/g)].map(([, file]) => join(WEB, `fonts/${file}.woff2`));
    const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
    assert.ok(bytes <= 40_000, `${font}: ${bytes} bytes`);
  }
});

/** The custom properties of web/tokens.css, in light, and overridden by dark ones. */
const [, light = '', dark = ''] = readFileSync(join(WEB, 'tokens.css'), 'utf8').split(':root {');
const propertiesIn = (rule: string): Record<string, string> =>
  Object.fromEntries([...rule.matchAll(/(--[a-z-]+): ([^;]+);/g)].map(([, name, value]) => [name, value]));
const schemes = [propertiesIn(light), { ...propertiesIn(light), ...propertiesIn(dark) }];

test('text tokens have readable contrast on their backgrounds in light, dark and every brand', () => {
  const grounds = ['--ground', '--card', '--sunken'];
  const onTints = ['accent', 'good', 'warn', 'bad', 'info'].flatMap((role) => [
    [`--${role}`, '--card'],
    [`--${role}`, '--ground'],
    [role === 'accent' ? '--text' : `--${role}`, role === 'accent' ? '--tint' : `--${role}-tint`],
  ]);
  const pairs = [
    ...grounds.flatMap((ground) => [
      ['--text', ground],
      ['--soft', ground],
    ]),
    ...onTints,
    ['--on-accent', '--accent'],
    ['--on-mark', '--mark'],
  ];
  fc.assert(
    fc.property(looks, fc.boolean(), (look, isDark) => {
      const brand = lookProperties(look);
      const colors = { ...schemes[Number(isDark)], ...brand.light, ...(isDark && brand.dark) };
      const value = (name = '') => colors[name]?.replace(/^#(.)(.)(.)$/, '#$1$1$2$2$3$3') ?? '';
      for (const [text, ground] of pairs) {
        const ratio = contrastOf(value(text), value(ground));
        assert.ok(ratio >= 4.5, `${text} ${value(text)} on ${ground} ${value(ground)}: ${ratio}`);
      }
      if (look.color !== null) assert.ok(contrastOf(value('--on-button'), value('--button')) >= 4.5);
      assert.ok(
        contrastOf(value('--edge'), value('--card')) >= 3 && contrastOf(value('--edge'), value('--ground')) >= 3,
      );
    }),
    { numRuns: runs(500) },
  );
});

/** Readers without custom properties: mail, the card page, and the color of a browser's frame. */
const COPIES = ['notify/messages/mail-frame.mjml', 'ordering/payments/payment.page.ts', '../packages/html/html.ts'];

test('mails, the card page and the frame of browsers have the colors of the tokens; style sheets name none', () => {
  const known = new Set(
    schemes.flatMap((scheme) => Object.values(scheme)).map((value) => value.replace('#fff', '#ffffff')),
  );
  const shown = (text: string) => [...text.matchAll(/#[0-9a-f]{6}\b/g)].map(([color]) => color);
  for (const file of COPIES) {
    const text = readFileSync(join(WEB, '../src', file), 'utf8');
    // Slots of a brand's colors, which MJML cannot name.
    const colors = shown(text).filter((color) => !color.startsWith('#010a0'));
    assert.deepEqual(
      colors.filter((color) => !known.has(color) && color !== '#ffffff'),
      [],
      file,
    );
  }
  for (const file of globSync('**/*.css', { cwd: WEB }))
    if (!/maplibre|tokens/.test(file)) assert.deepEqual(shown(readFileSync(join(WEB, file), 'utf8')), [], file);
});
