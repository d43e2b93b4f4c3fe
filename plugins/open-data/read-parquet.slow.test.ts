import assert from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { parquetWriteFile } from 'hyparquet-writer';
import { UnreadableFile } from '../../src/platform/lib/read-bytes.ts';
import { givenFolder } from '../../test/given/folder.ts';
import { parquetFixture, writeParquet } from '../../test/given/parquet.ts';
import { openParquet, type ParquetRow } from './read-parquet.flow.ts';

const folder = givenFolder('doorstep-parquet');
const filePath = (name: string) => join(folder, name);

async function readRows(file: string, columns: readonly string[], maxRows?: number): Promise<ParquetRow[]> {
  return (await Array.fromAsync(await openParquet(file, columns, maxRows))).flat();
}

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);

test('rows come as JSON, bytes as bytes, whatever the codec of the file', async () => {
  for (const codec of ['uncompressed', 'snappy', 'gzip', 'brotli', 'zstd', 'lz4_raw']) {
    const columns = ['list', 'id', 'bytes', 'absent', 'text', 'big', 'day', 'at', 'dec', 'yes', 'm'];
    const rows = await readRows(parquetFixture(`kinds-${codec}`), columns);
    assert.deepEqual(
      rows.map(({ id, text }) => [id, text]),
      [0, 1, 2, 3, 4].map((n) => [n, `é${n % 3}`]),
    );
    const { bytes, ...first } = rows[0] ?? {};
    assert.deepEqual([...(bytes as Uint8Array)], [1, 255]);
    assert.deepEqual(first, {
      list: [{ a: null, b: [1] }],
      id: 0,
      text: 'é0',
      big: '0',
      day: '2026-01-02',
      at: '2026-01-02T03:04:05.678Z',
      dec: 1.25,
      yes: true,
      m: { k: 1 },
    });
  }
});

test('rows come in the order of the file', async () => {
  for (const rowGroupSize of [2048, 50_000]) {
    const file = filePath(`ordered-${rowGroupSize}.parquet`);
    const ids = numbers(50_000);
    const texts = ids.map((n) => `text ${n}`);
    writeParquet(
      file,
      [
        { name: 'id', data: ids, type: 'INT32' },
        { name: 'text', data: texts, type: 'STRING' },
      ],
      { rowGroupSize },
    );
    const all = await readRows(file, ['text', 'id', 'absent']);
    assert.deepEqual(
      all,
      ids.map((id) => ({ text: `text ${id}`, id })),
    );
  }
});

test('a missing or malformed file, or one with other columns, is unreadable with a reason', async () => {
  writeFileSync(filePath('text.parquet'), 'x'.repeat(1000));
  writeParquet(filePath('other.parquet'), [{ name: 'other', data: [1] }]);
  const reasons = {
    'nowhere.parquet': /no such file/,
    'text.parquet': /footer != PAR1/,
    'other.parquet': /none of the columns/,
  };
  for (const [name, reason] of Object.entries(reasons))
    await assert.rejects(
      readRows(filePath(name), ['id']),
      (error) => error instanceof UnreadableFile && reason.test(error.message),
    );
});

/** The error sentence of a refused file. */
async function readRefusal(file: string, maxRows?: number): Promise<string> {
  const error = await readRows(file, ['id'], maxRows).then(
    () => assert.fail(`${file} was read`),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof UnreadableFile, String(error));
  assert.doesNotMatch(error.message, /\p{Cc}/u);
  return error.message.slice(file.length);
}

type Written = Pick<Parameters<typeof parquetWriteFile>[0], 'columnData' | 'schema'>;

test('files that are small and hold gigabytes, or are nested without end, are refused', async (t) => {
  const deep = (depth: number): unknown => (depth === 0 ? 1 : { a: deep(depth - 1) });
  const optional = { repetition_type: 'OPTIONAL' } as const;
  const bombs: [string, () => Written, RegExp][] = [
    [
      'texts',
      () => ({ columnData: [{ name: 'id', data: Array(512).fill('x'.repeat(300_000)), type: 'STRING' }] }),
      /rows in succession hold more than 16777216 bytes/,
    ],
    [
      'page',
      () => ({ columnData: [{ name: 'id', data: ['x'.repeat(90_000_000)], type: 'STRING' }] }),
      /a page of it holds more than 67108864 bytes/,
    ],
    [
      'list',
      () => ({
        columnData: [{ name: 'id', data: [Array(9_000_000).fill(1)] }],
        schema: [
          { name: 'root', num_children: 1 },
          { name: 'id', ...optional, converted_type: 'LIST', num_children: 1 },
          { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
          { name: 'element', ...optional, type: 'INT32' },
        ],
      }),
      /more than 16777216 bytes/,
    ],
    [
      'nested',
      () => ({
        columnData: [{ name: 'id', data: [deep(60)] }],
        schema: [
          { name: 'root', num_children: 1 },
          { name: 'id', ...optional, num_children: 1 },
          ...numbers(59).map(() => ({ name: 'a', ...optional, num_children: 1 })),
          { name: 'a', ...optional, type: 'INT32' },
        ],
      }),
      /./,
    ],
  ];
  for (const [name, written, reason] of bombs) {
    const file = filePath(`${name}.parquet`);
    const { columnData, ...options } = written();
    writeParquet(file, columnData, options);
    const startedAt = performance.now();
    if (name === 'nested') await readRows(file, ['id']).catch((error) => assert.ok(error instanceof UnreadableFile));
    else assert.match(await readRefusal(file), reason);
    t.diagnostic(`${Math.round(performance.now() - startedAt)} ms, ${name}: ${statSync(file).size} bytes`);
  }
});

test('a file beyond the limit of rows is refused with the limit in the message', async () => {
  const file = filePath('many.parquet');
  writeParquet(file, [{ name: 'id', data: numbers(10_000) }]);
  assert.match(await readRefusal(file, 9999), /it has more than 9999 rows$/);
  assert.equal((await readRows(file, ['id'])).length, 10_000);
});

test('a file damaged in any way is read or rejected, and the process survives', async () => {
  writeParquet(filePath('whole.parquet'), [
    { name: 'id', data: numbers(3000) },
    { name: 'text', data: Array(3000).fill('x'.repeat(40)) },
  ]);
  const whole = readFileSync(filePath('whole.parquet'));
  const footer = whole.length - 8 - whole.readUInt32LE(whole.length - 8);
  const damage: ((bytes: Buffer) => Buffer)[] = [
    (bytes) => bytes.subarray(0, bytes.length - 9),
    (bytes) => bytes.fill(0xfe, bytes.length - 8, bytes.length - 4),
    (bytes) => bytes.fill(0, bytes.length - 8, bytes.length - 4),
    (bytes) => bytes.fill(0xff, 4, 200),
    (bytes) => bytes.fill(0x99, footer, footer + 40),
    (bytes) => bytes.fill(0xff, footer + 40, bytes.length - 8),
  ];
  for (const [n, change] of damage.entries()) {
    const file = filePath(`damaged${n}.parquet`);
    writeFileSync(file, change(Buffer.from(whole)));
    assert.notEqual(await readRefusal(file), '', `${n}`);
  }
});
