import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { givenFolder } from '../../../test/given/folder.ts';
import { runs } from '../../../test/runs.ts';
import { UnreadableFile } from './read-bytes.ts';
import { openLines, type TextLine } from './read-lines.ts';

const folder = givenFolder('doorstep-lines');
const LIMIT = 1000;

async function readLines(chunks: Buffer[], limit = LIMIT): Promise<TextLine[]> {
  const lines = await openLines('-', Readable.from(chunks), limit);
  const all: TextLine[] = [];
  for await (const some of lines) all.push(...some);
  return all;
}

const numbered = (lines: TextLine[]) => lines.map(({ line, text }) => [line, text]);

test('lines are the same plain, as gzip and as Zstandard, however the bytes are cut', async () => {
  const line = fc.string({ unit: 'grapheme', maxLength: 30 }).map((text) => text.replace(/[\n\r\ufeff]/g, ''));
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 20 }), fc.integer({ min: 1, max: 40 }), async (texts, step) => {
      const plain = Buffer.from(texts.join('\n'));
      const expected = texts.map((text, index) => [index + 1, text]).filter(([, text]) => /\S/.test(String(text)));
      for (const bytes of [plain, gzipSync(plain), zstdCompressSync(plain)]) {
        const chunks = [];
        for (let from = 0; from < bytes.length; from += step) chunks.push(bytes.subarray(from, from + step));
        assert.deepEqual(numbered(await readLines(chunks)), expected);
      }
    }),
    { numRuns: runs(60) },
  );
});

test('blank lines, line ends of Windows and a byte order mark are no lines', async () => {
  const lines = await readLines([Buffer.from('\ufeff{"a":1}\r\n\n  \r\n{"b":2}\n\n')]);
  assert.deepEqual(numbered(lines), [
    [1, '{"a":1}\r'],
    [4, '{"b":2}'],
  ]);
});

test('an oversized or non-UTF-8 line is an error of that line only', async () => {
  const chunks = [
    Buffer.from(`a\n${'x'.repeat(LIMIT)}`),
    Buffer.from(`x\nb\n${'y'.repeat(LIMIT)}\n`),
    Buffer.from([0xff, 10]),
  ];
  assert.deepEqual(
    (await readLines(chunks)).map((line) => [line.line, line.text === null ? line.fault : line.text.length]),
    [
      [1, 1],
      [2, 'expected at most 1000 bytes in a line'],
      [3, 1],
      [4, LIMIT],
      [5, 'expected UTF-8'],
    ],
  );
});

test('a missing or truncated file is unreadable; the part before the break is read', async () => {
  await assert.rejects(openLines(join(folder, 'none'), Readable.from([]), LIMIT), UnreadableFile);
  const lines = Array.from({ length: 200_000 }, (_, n) => `{"n":${n}}`).join('\n');
  const whole = gzipSync(lines);
  writeFileSync(join(folder, 'broken.gz'), whole.subarray(0, whole.length - 20));
  const read = await openLines(join(folder, 'broken.gz'), Readable.from([]), LIMIT);
  let count = 0;
  await assert.rejects(async () => {
    for await (const some of read) count += some.length;
  }, UnreadableFile);
  assert.ok(count > 100_000, String(count));
});

test('a file that unpacks to more than 250 times its size is refused, and a small one may be as repetitive as it likes', async () => {
  const part = gzipSync(Buffer.alloc(32 * 1024 * 1024, 'x'));
  // A gzip file's members are concatenated (RFC 1952, section 2.2).
  const read = async (parts: number) => {
    const stdin = Readable.from(Array.from({ length: parts }, () => part));
    const lines = await openLines('-', stdin, 1000);
    let count = 0;
    for await (const some of lines) count += some.length;
    return count;
  };
  assert.equal(await read(7), 1);
  await assert.rejects(
    read(9),
    /^UnreadableFile: Standard input could not be read: it unpacks to more than 250 times its size$/,
  );
});
