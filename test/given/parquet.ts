import { join } from 'node:path';
import { parquetWriteFile } from 'hyparquet-writer';

type Written = Parameters<typeof parquetWriteFile>[0];

/** Files written by DuckDB: `austin` has Overture Maps rows, `kinds-CODEC` has five rows of many types. */
export const parquetFixture = (name: string): string => join(import.meta.dirname, `../parquet/${name}.parquet`);

/** Writes columns to a file with small row groups. */
export function writeParquet(
  file: string,
  columnData: Written['columnData'],
  options: Pick<Written, 'schema' | 'rowGroupSize'> = {},
): void {
  parquetWriteFile({ filename: file, columnData, rowGroupSize: 2048, ...options });
}
