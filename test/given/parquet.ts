import { join } from 'node:path';
import { parquetWriteFile } from 'hyparquet-writer';

type Written = Parameters<typeof parquetWriteFile>[0];

/** Files that DuckDB wrote: `austin` has rows in the shape of Overture Maps, `kinds-CODEC` has five rows of many types. */
export function parquetFixture(name: string): string {
  return join(import.meta.dirname, `../parquet/${name}.parquet`);
}

/** Writes columns to a file of small row groups. */
export function writeParquet(
  file: string,
  columnData: Written['columnData'],
  options: Pick<Written, 'schema' | 'rowGroupSize'> = {},
): void {
  parquetWriteFile({ filename: file, columnData, rowGroupSize: 2048, ...options });
}
