import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { withoutParquet as skip, writeParquet } from '../../test/given-parquet.ts';
import { until } from '../../test/until.ts';
import { UnreadableFile } from './read-bytes.ts';
import { openParquet, PARQUET_LIMITS, type ParquetRow } from './read-parquet.ts';

const folder = mkdtempSync(join(tmpdir(), 'doorstep-parquet-'));
after(() => rmSync(folder, { recursive: true }));
const fileOf = (name: string) => join(folder, name);

async function rowsOf(file: string, columns: readonly string[], limits = PARQUET_LIMITS): Promise<ParquetRow[]> {
  const { rows } = await openParquet(file, columns, limits);
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

/** The sentence that a file is refused with. */
async function refusalOf(file: string, limits = PARQUET_LIMITS): Promise<string> {
  const error = await rowsOf(file, ['id'], limits).then(
    () => assert.fail(`${file} was read`),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof UnreadableFile, String(error));
  assert.doesNotMatch(error.message, /\p{Cc}/u);
  return error.message.slice(file.length);
}

test('files that are small and hold gigabytes, or are nested without end, are refused and take no memory here', {
  skip,
}, async (t) => {
  const bombs: [string, string, RegExp][] = [
    [
      'texts',
      `select repeat('x', 300000) as id from range(512)`,
      /rows in succession hold more than 16777216 bytes|memory|broke off/,
    ],
    ['list', 'select list_resize([1], 9000000, 1) as id', /more than 16777216 bytes|memory|broke off/i],
    ['nested', `select ${'{a: '.repeat(60)}1${'}'.repeat(60)} as id`, /./],
  ];
  for (const [name, query, reason] of bombs) {
    const file = fileOf(`${name}.parquet`);
    await writeParquet(file, query);
    const before = process.memoryUsage.rss();
    const startedAt = performance.now();
    if (name === 'nested') await rowsOf(file, ['id']).catch((error) => assert.ok(error instanceof UnreadableFile));
    else assert.match(await refusalOf(file), reason);
    const grown = Math.round((process.memoryUsage.rss() - before) / 1024 ** 2);
    t.diagnostic(
      `${Math.round(performance.now() - startedAt)} ms, ${name}: ${statSync(file).size} bytes, ${grown} MB more in this process`,
    );
    assert.ok(grown < 256, `${grown} MB`);
  }
});

test('a file beyond the limits of rows, memory or time is refused with the limit in the sentence', {
  skip,
}, async () => {
  const file = fileOf('many.parquet');
  await writeParquet(file, 'select range as id from range(10000)');
  assert.match(await refusalOf(file, { ...PARQUET_LIMITS, rows: 9999 }), /it has more than 9999 rows$/);
  assert.match(await refusalOf(file, { ...PARQUET_LIMITS, memoryBytes: 1 }), /more memory than a file of places does$/);
  assert.match(await refusalOf(file, { ...PARQUET_LIMITS, answerMs: 1 }), /took longer than 0\.001 s$/);
  assert.equal((await rowsOf(file, ['id'])).length, 10_000);
});

test('a damaged file is read or refused, whatever its bytes say, and the process lives', { skip }, async () => {
  await writeParquet(fileOf('whole.parquet'), `select range as id, repeat('x', 40) as text from range(3000)`);
  const whole = readFileSync(fileOf('whole.parquet'));
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
    const file = fileOf(`damaged${n}.parquet`);
    writeFileSync(file, change(Buffer.from(whole)));
    assert.notEqual(await refusalOf(file), '', `${n}`);
  }
});

test('a reader that stops in the middle leaves no process behind', { skip }, async () => {
  const file = fileOf('left.parquet');
  await writeParquet(file, 'select range as id from range(10000)');
  const children = () => process.getActiveResourcesInfo().filter((name) => name === 'ProcessWrap').length;
  await until('the processes of the tests before have ended', () => children() === 0);
  const { rows } = await openParquet(file, ['id']);
  for await (const some of rows) {
    assert.ok(some.length > 0 && children() === 1);
    break;
  }
  await until('the process has ended', () => children() === 0);
});

test('without its package one sentence says the command that adds the tested version', async () => {
  const { devDependencies } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));
  writeFileSync(fileOf('any.parquet'), '');
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      if (specifier === '@duckdb/node-api') throw new Error('not found');
      return next(specifier, context);
    },
  });
  try {
    const reason = await refusalOf(fileOf('any.parquet'));
    const added = `@duckdb/node-api@${devDependencies['@duckdb/node-api']}`;
    assert.ok(reason.includes(`npm install --no-save --save-prod --omit=dev ${added}\` in /`), reason);
  } finally {
    hooks.deregister();
  }
});
