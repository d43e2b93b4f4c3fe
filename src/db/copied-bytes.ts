/**
 * Writes rows as the bytes of `copy … from stdin (format binary)`: `row` begins a row, and each column follows by one call,
 * in the sequence of the statement's columns. The format is PostgreSQL's (its documentation of COPY, "Binary Format").
 */
export type RowBytes = {
  row(): void;
  text(value: string | null): void;
  /** The JSON text of a `jsonb` column. */
  json(value: string | null): void;
  flag(value: boolean): void;
  /** A `bytea` column, from its hexadecimal digits. */
  hex(digits: string): void;
  /** All rows so far; no row follows. */
  finish(): Buffer;
};

const HEADER = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
const SIZE_BYTES = 4;
const COUNT_BYTES = 2;
const NULL_SIZE = -1;
const END = -1;
const JSONB_VERSION = 1;
/** Most bytes of UTF-8 that one UTF-16 unit of a text takes. */
const BYTES_OF_CHARACTER = 3;

/** `firstBytes`: the room that is made at first; more is made where the rows need more. */
export function createRowBytes(columns: number, firstBytes: number): RowBytes {
  let buffer = Buffer.allocUnsafe(Math.max(firstBytes, HEADER.length + COUNT_BYTES));
  let at = HEADER.copy(buffer);

  /** Makes room for so many bytes, and for the end of the copy. */
  function reserve(bytes: number): void {
    const needed = at + bytes + COUNT_BYTES;
    if (needed <= buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, buffer.length * 2));
    buffer.copy(larger, 0, 0, at);
    buffer = larger;
  }

  function writeNull(): void {
    reserve(SIZE_BYTES);
    at = buffer.writeInt32BE(NULL_SIZE, at);
  }

  /** The text after `before` bytes that the caller writes. */
  function writeText(value: string, before: number): void {
    const start = at + SIZE_BYTES + before;
    const size = before + buffer.write(value, start, 'utf8');
    buffer.writeInt32BE(size, at);
    at += SIZE_BYTES + size;
  }

  return {
    row() {
      reserve(COUNT_BYTES);
      at = buffer.writeInt16BE(columns, at);
    },
    text(value) {
      if (value === null) return writeNull();
      reserve(SIZE_BYTES + value.length * BYTES_OF_CHARACTER);
      writeText(value, 0);
    },
    json(value) {
      if (value === null) return writeNull();
      reserve(SIZE_BYTES + 1 + value.length * BYTES_OF_CHARACTER);
      buffer[at + SIZE_BYTES] = JSONB_VERSION;
      writeText(value, 1);
    },
    flag(value) {
      reserve(SIZE_BYTES + 1);
      at = buffer.writeInt32BE(1, at);
      at = buffer.writeUInt8(value ? 1 : 0, at);
    },
    hex(digits) {
      reserve(SIZE_BYTES + digits.length / 2);
      at = buffer.writeInt32BE(digits.length / 2, at);
      at += buffer.write(digits, at, 'hex');
    },
    finish() {
      reserve(0);
      return buffer.subarray(0, buffer.writeInt16BE(END, at));
    },
  };
}
