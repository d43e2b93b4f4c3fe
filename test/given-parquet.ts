/** The Parquet engine; null where its package is not installed. */
export const duckdb = await import('@duckdb/node-api').catch(() => null);

/** For tests: false, or why they are skipped. */
export const withoutParquet = duckdb ? false : 'The package @duckdb/node-api is not installed.';

/** Writes the rows of a query to a file of small row groups. The path has no quotes. */
export async function writeParquet(file: string, query: string): Promise<void> {
  if (!duckdb) throw new Error(String(withoutParquet));
  const instance = await duckdb.DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  await connection.run(`copy (${query}) to '${file}' (format parquet, row_group_size 2048)`);
  connection.closeSync();
  instance.closeSync();
}
