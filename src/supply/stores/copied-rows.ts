/** A row of `copy … to stdout (format binary)`, valid until the next row is read. Columns count from 0. */
export type CopiedRow = {
  /** Returns the value of a text column; null for NULL. */
  text(column: number): string | null;
  /** Returns the JSON text of a `jsonb` column; null for NULL. */
  json(column: number): string | null;
  flag(column: number): boolean;
};

const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1');
const FLAGS_BYTES = 4;
const SIZE_BYTES = 4;
const COUNT_BYTES = 2;
const NULL_SIZE = -1;
const END = -1;
/** Length of the version byte in front of the JSON text. */
const JSONB_VERSION_BYTES = 1;

/**
 * Cuts a binary copy with this many columns into rows, for chunks of any size. Throws if the bytes are not in
 * PostgreSQL's binary COPY format.
 */
export function createRowCutter(columns: number): (chunk: Buffer) => Generator<CopiedRow, void> {
  const starts = new Int32Array(columns);
  const sizes = new Int32Array(columns);
  let rest: Buffer = Buffer.alloc(0);
  let isBegun = false;
  let isOver = false;

  /** Returns the end of the row at this position; undefined until it has arrived. */
  function endOfRow(from: number): number | undefined {
    let at = from + COUNT_BYTES;
    for (let column = 0; column < columns; column += 1) {
      if (at + SIZE_BYTES > rest.length) return undefined;
      const size = rest.readInt32BE(at);
      at += SIZE_BYTES;
      starts[column] = at;
      sizes[column] = size;
      if (size !== NULL_SIZE) at += size;
    }
    return at > rest.length ? undefined : at;
  }

  function textFrom(column: number, skipped: number): string | null {
    const [start, size] = [starts[column] as number, sizes[column] as number];
    return size === NULL_SIZE ? null : rest.toString('utf8', start + skipped, start + size);
  }

  const row: CopiedRow = {
    text: (column) => textFrom(column, 0),
    json: (column) => textFrom(column, JSONB_VERSION_BYTES),
    flag: (column) => sizes[column] !== NULL_SIZE && rest[starts[column] as number] === 1,
  };

  function* rowsFrom(from: number): Generator<CopiedRow, number> {
    let at = from;
    while (!isOver && at + COUNT_BYTES <= rest.length) {
      const count = rest.readInt16BE(at);
      isOver = count === END;
      if (isOver) break;
      if (count !== columns) throw new RangeError(`A row of a copy has ${count} columns.`);
      const end = endOfRow(at);
      if (end === undefined) break;
      yield row;
      at = end;
    }
    return at;
  }

  return function* rows(chunk) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const from = isBegun ? 0 : endOfHeader(rest);
    if (from === undefined) return;
    isBegun = true;
    rest = rest.subarray(yield* rowsFrom(from));
  };
}

/** Returns where the header ends; undefined until all of it has arrived. */
function endOfHeader(bytes: Buffer): number | undefined {
  const extension = SIGNATURE.length + FLAGS_BYTES;
  if (bytes.length < extension + SIZE_BYTES) return undefined;
  if (!bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE)) throw new RangeError('The bytes are no binary copy.');
  const end = extension + SIZE_BYTES + bytes.readInt32BE(extension);
  return end > bytes.length ? undefined : end;
}
