import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { test } from 'node:test';
import { REFUSALS } from '../src/app/wiring/refusals.ts';
import { heightOf, roomOf } from './floors.ts';
import { ROOT, SOURCES, textOf } from './source-files.ts';

const SHARED = ['src/platform/http/refusal.ts', 'src/texts/refusals.ts'];
const DECLARATIONS = [...SHARED, ...globSync('src/surfaces/*/refusals.ts', { cwd: ROOT })];

/** The codes of each declaration. */
const DECLARED = await Promise.all(
  DECLARATIONS.map(async (file) => {
    const exported: Record<string, unknown> = await import(`../${file}`);
    const table = Object.entries(exported).find(([name]) => name.endsWith('_REFUSALS'))?.[1];
    return { file, codes: Object.values(table as Record<string, object>).flatMap((meanings) => Object.keys(meanings)) };
  }),
);

test('every refusal code is declared once, and described', () => {
  assert.deepEqual(DECLARED.flatMap(({ codes }) => codes).sort(), Object.keys(REFUSALS).sort());
  for (const [code, { status, meaning }] of Object.entries(REFUSALS)) {
    assert.ok(status >= 400 && status < 600, code);
    assert.match(meaning, /^[A-Z].*\.$/, code);
  }
});

test('every declared error code is thrown, protocols’ codes in their own module, and no lower module names it', () => {
  const readers = SOURCES.filter((file) => !DECLARATIONS.includes(file)).map((file) => ({ file, text: textOf(file) }));
  const faults = DECLARED.flatMap(({ file, codes }) =>
    codes.flatMap((code) => {
      const users = readers.filter(({ text }) => text.includes(`'${code}'`)).map((reader) => reader.file);
      const isOwn = users.some((user) => SHARED.includes(file) || roomOf(user) === roomOf(file));
      const lower = users
        .filter((user) => heightOf(user) < heightOf(file))
        .map((user) => `${code} is named in ${user}`);
      return isOwn ? lower : [`${code} is not thrown in ${roomOf(file)}`, ...lower];
    }),
  );
  assert.deepEqual(faults, []);
});
