import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { bundleOnce } from '../src/platform/lib/bundle-once.cache.ts';

const files = globSync('**/*.css', { cwd: import.meta.dirname }).filter((file) => !file.includes('maplibre-gl'));
const read = (file: string) => readFileSync(join(import.meta.dirname, file), 'utf8');

test('a class is defined in one style sheet, and only refined in others', () => {
  const definedIn = new Map<string, string>();
  for (const file of files) {
    // Without comments, print styles, and lists within a selector.
    const screen = read(file).replaceAll(/\/\*[\s\S]*?\*\/|@media print[\s\S]*?\n\}|\([^()]*\)/g, '');
    for (const [, selectors = ''] of screen.matchAll(/([^{};]+)\{/g))
      for (const [, name = ''] of selectors.matchAll(/(?:^|,)\s*\.([\w-]+)\s*(?=,|$)/g)) {
        assert.equal(file, definedIn.get(name) ?? file, `.${name}`);
        definedIn.set(name, file);
      }
  }
  assert.ok(definedIn.size > 100, `${definedIn.size} classes`);
});

test('animations take 150 to 200 ms, and no time where people prefer less motion', () => {
  const [usual, reduced] = read('tokens.css').split('prefers-reduced-motion: reduce');
  const [, seconds] = /--motion: (0\.\d+)s/.exec(usual ?? '') ?? [];
  assert.ok(Number(seconds) >= 0.15 && Number(seconds) <= 0.2, `${seconds} s`);
  assert.match(reduced ?? '', /--motion: 0s;/);
  const others = files.flatMap((file) => {
    const moving = read(file).matchAll(/\b(?:animation|transition):\s*([^;]+);/g);
    return [...moving].flatMap(([, what = '']) => what.split(',')).filter((what) => !what.includes('var(--motion)'));
  });
  // A sign that something is under way turns slower there, and never stops.
  assert.deepEqual(others, ['turn 0.9s linear infinite']);
});

/** Kilobytes of each page's script in English, compressed. A feature pays for its bytes. */
const SCRIPTS = {
  'shop/page.tsx': 44.5,
  'console/main.tsx': 62.5,
  'console/new-order.tsx': 43.5,
  'operator/page.tsx': 46.5,
};
test('scripts stay within their sizes', async () => {
  for (const [path, most] of Object.entries({ ...SCRIPTS, 'checkout/page.ts': 1 })) {
    const { script } = await bundleOnce(import.meta.dirname, { script: path })();
    assert.ok(script.brotli.length <= most * 1000, `${path}: ${script.brotli.length} bytes`);
  }
});
