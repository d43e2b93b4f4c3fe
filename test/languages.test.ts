import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { test } from 'node:test';
import { en } from '../src/platform/languages/en/catalog.ts';
import type { Words } from '../src/platform/languages/words.ts';
import { ROOT, textOf } from './source-files.ts';

/** Groups whose texts are read by a code, which is their name: no source spells each of them. */
const BY_CODE: ReadonlySet<string> = new Set([
  ...[
    'customer.cancelReason',
    'customer.vehicle',
    'customer.taxName',
    'driver.sharing',
    'store.terms.allergen',
    'store.terms.cancelReason',
  ],
  ...['checkout.payment', 'store.errors.codes', 'store.driver.vehicles', 'store.settings.whatToDo'],
]);

const READERS = globSync(['src/**/*.ts', 'web/**/*.{ts,tsx}'], {
  cwd: ROOT,
  exclude: ['src/**/*.test.ts', 'web/**/*.test.ts', 'src/platform/languages/{en,fr,es}/**'],
}).map((file) => textOf(String(file)));

type Part = { readonly [name: string]: unknown };
const isPart = (value: unknown): value is Part => typeof value === 'object' && value !== null;

/** The path of every text of a catalog. */
function pathsOf(part: Part, path: readonly string[] = []): string[][] {
  return Object.entries(part).flatMap(([name, value]) =>
    isPart(value) ? pathsOf(value, [...path, name]) : [[...path, name]],
  );
}

/** Whether a source reads the text: it names the group, and the text after a dot or in a pattern. */
function isRead(path: readonly string[]): boolean {
  const [group = '', name = ''] = path.slice(-2);
  if (BY_CODE.has(path.slice(0, -1).join('.'))) return READERS.some((text) => text.includes(`.${group}`));
  const read = new RegExp(`[.{,]\\s*${name}\\b`);
  return READERS.some((text) => new RegExp(`\\b${group}\\b`).test(text) && read.test(text));
}

test('every text of the catalogs is read by a source', () => {
  assert.deepEqual(
    pathsOf(en)
      .filter((path) => !isRead(path))
      .map((path) => path.join('.')),
    [],
  );
});

test('a text that a language lacks, or has beside English, is an error of the type checker', () => {
  const english = { title: 'Order', items: ({ count }: { count: number }) => `${count} items` };
  const whole = { title: 'Commande', items: ({ count }) => `${count} articles` } satisfies Words<typeof english>;
  // @ts-expect-error: `items` is missing.
  const missing = { title: 'Commande' } satisfies Words<typeof english>;
  // @ts-expect-error: `extra` is no text of English.
  const extra = { title: 'Commande', items: () => '', extra: 'Plus' } satisfies Words<typeof english>;
  // @ts-expect-error: a sentence with pieces cannot be a plain text.
  const plain = { title: 'Commande', items: 'articles' } satisfies Words<typeof english>;
  assert.ok(whole && missing && extra && plain);
});
