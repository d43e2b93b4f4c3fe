import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseEnv } from 'node:util';
import fc from 'fast-check';
import { parseEnvFile } from './parse-env-file.ts';

const space = fc.constantFrom('', ' ', '\t', '  ');
const name = fc.stringMatching(/^[A-Za-z_][\w.-]{0,8}$/).filter((text) => text !== 'export' && text !== '__proto__');
const comment = fc.stringMatching(/^#[\w =#"'`]{0,12}$/);
const quoted = fc
  .constantFrom('"', "'", '`')
  .chain((quote) =>
    fc.stringMatching(/^[\w #=\\n"'`\n\t$]{0,20}$/).map((text) => quote + text.replaceAll(quote, '') + quote),
  );
/**
 * Empty values get no `export` and no space before them: there `parseEnv` takes `export` for the name, and the next
 * line for the value.
 */
const plain = fc.stringMatching(/^([\w=:/@\\$][\w =:/@\\$"'`]{0,16}[\w=:/@\\$"'`])?$/);
const assignment = fc
  .tuple(
    fc.constantFrom('', 'export '),
    space,
    name,
    space,
    fc.oneof(fc.tuple(space, quoted), fc.tuple(fc.constant(''), plain)),
  )
  .chain(([head, before, key, after, [gap, value]]) =>
    fc.option(comment, { nil: '' }).map((more) => {
      const tail = more === '' ? '' : ` ${more}`;
      const [start, middle] = value === '' ? ['', ''] : [head, gap];
      return `${before}${start}${key}${after}=${middle}${value}${tail}`;
    }),
  );
const line = fc.oneof({ weight: 4, arbitrary: assignment }, comment, space);
const MALFORMED = [
  'word',
  '=5',
  'A',
  'A B=5',
  '"A"=5',
  'A=a#b',
  'A=#b',
  'A="a',
  "A='a",
  'A="a"b',
  'A=`a` b',
  'A=a\0b',
  'A="a\0"',
  '#\0',
  '\0',
];

test('a file is read as Node reads it, with either end of line', () => {
  fc.assert(
    fc.property(fc.array(line, { maxLength: 8 }), fc.constantFrom('\n', '\r\n'), (lines, end) => {
      const text = lines.join(end);
      const read = parseEnvFile(text);
      assert.ok('entries' in read, JSON.stringify([text, read]));
      assert.deepEqual(Object.fromEntries(read.entries), { ...parseEnv(text) }, JSON.stringify(text));
    }),
  );
});

test('the first malformed line is reported by number, whatever surrounds it', () => {
  fc.assert(
    fc.property(fc.array(line, { maxLength: 5 }), fc.constantFrom(...MALFORMED), (lines, broken) => {
      const before = lines.join('\n');
      const number = lines.length === 0 ? 1 : before.split('\n').length + 1;
      const text = lines.length === 0 ? broken : `${before}\n${broken}`;
      assert.deepEqual(parseEnvFile(text), { malformedLine: number }, JSON.stringify(text));
      // An open quote extends to the next quote of its kind.
      if (!/^A=["'][^"']*$/.test(broken)) assert.deepEqual(parseEnvFile(`${text}\nB=1`), { malformedLine: number });
    }),
  );
});

test('an empty value is empty, and the next line is read for itself', () => {
  assert.deepEqual(parseEnvFile('A= \nB=\t\nexport C=\nD=""\nE=5'), {
    entries: [
      ['A', ''],
      ['B', ''],
      ['C', ''],
      ['D', ''],
      ['E', '5'],
    ],
  });
});
