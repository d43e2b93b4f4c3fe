import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { withoutParquet as skip, writeParquet } from '../../test/given-parquet.ts';
import { UnreadableFile } from './read-bytes.ts';
import { openParquet, type ParquetRow } from './read-parquet.ts';

const folder = mkdtempSync(join(tmpdir(), 'doorstep-parquet-'));
after(() => rmSync(folder, { recursive: true }));
const fileOf = (name: string) => join(folder, name);

async function rowsOf(file: string, columns: readonly string[]): Promise<ParquetRow[]> {
  const { rows } = await openParquet(file, columns);
  const all: ParquetRow[] = [];
  for await (const some of rows) all.push(...some);
  return all;
}

test('rows come as JSON, bytes as bytes, in the order of the file, and columns that it has not are left out', {
  skip,
}, async () => {
  const file = fileOf('a [b] *.parquet');
  await writeParquet(
    file,
    `select range::integer as id, 'é' as text, [{'a': null, 'b': [1]}] as list, '\\x01\\xFF'::blob as bytes from range(5000)`,
  );
  const { rows, progress } = await openParquet(file, ['list', 'id', 'bytes', 'absent', 'text']);
  const all: ParquetRow[] = [];
  const shares: number[] = [];
  for await (const some of rows) {
    all.push(...some);
    shares.push(progress().bytesRead);
  }
  assert.deepEqual(
    all.map(({ id }) => id),
    Array.from({ length: 5000 }, (_, n) => n),
  );
  const { bytes, ...first } = all[0] ?? {};
  assert.deepEqual(first, { list: [{ a: null, b: [1] }], id: 0, text: 'é' });
  assert.deepEqual([...(bytes as Uint8Array)], [1, 255]);
  assert.ok(shares.length > 1 && shares.every((share, n) => n === 0 || share > (shares[n - 1] ?? 0)));
  assert.equal(shares.at(-1), progress().bytesTotal);
});

test('a name is read literally: signs of a pattern in it or in its folder read no other file', { skip }, async () => {
  const names = ['a1', 'a[1]', 'a[!b]', 'a*', 'a?', 'a\\', 'a]', '[', 'a[[]1]', '[xy]/a', 'x/a', '**/a', 'id=7/a'];
  for (const folderName of ['[xy]', 'x', '**', 'id=7']) mkdirSync(fileOf(folderName));
  for (const [id, name] of names.entries()) {
    await writeParquet(fileOf('written.parquet'), `select ${id} as id from range(3)`);
    renameSync(fileOf('written.parquet'), fileOf(`${name}.parquet`));
  }
  for (const [id, name] of names.entries()) {
    assert.deepEqual(await rowsOf(fileOf(`${name}.parquet`), ['id']), [{ id }, { id }, { id }], name);
  }
  await assert.rejects(rowsOf(fileOf('a[12].parquet'), ['id']), UnreadableFile);
  await writeParquet(fileOf('x\\*.parquet'), 'select 1 as id');
  await assert.rejects(rowsOf(fileOf('x\\*.parquet'), ['id']), /beside one of/);
});

test('a file that is missing, none, or of other columns cannot be read, and says why', { skip }, async () => {
  writeFileSync(fileOf('text.parquet'), 'x'.repeat(1000));
  await writeParquet(fileOf('other.parquet'), 'select 1 as other');
  const reasons = {
    'nowhere.parquet': /no such file/,
    'text.parquet': /magic bytes/i,
    'other.parquet': /none of the columns/,
  };
  for (const [name, reason] of Object.entries(reasons))
    await assert.rejects(
      rowsOf(fileOf(name), ['id']),
      (error) => error instanceof UnreadableFile && reason.test(error.message),
    );
});

test('without the optional package one sentence says what is missing', async () => {
  writeFileSync(fileOf('any.parquet'), '');
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      if (specifier === '@duckdb/node-api') throw new Error('not found');
      return next(specifier, context);
    },
  });
  try {
    await assert.rejects(
      openParquet(`${fileOf('any')}.parquet`, ['id']),
      /any\.parquet could not be read: .*optional package @duckdb\/node-api/,
    );
  } finally {
    hooks.deregister();
  }
});
