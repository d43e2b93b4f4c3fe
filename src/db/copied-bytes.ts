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
  /** A column whose binary form the caller has. */
  binary(value: Buffer): void;
  /** A `bigint` column that has the same value in all rows, which `fillShared` writes once it is known. */
  shared(): void;
  /** All rows so far; no row follows. */
  finish(): Buffer;
  /** Writes the value of the shared column into the rows that `finish` has given. */
  fillShared(value: number): void;
};

const HEADER = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
const SIZE_BYTES = 4;
const COUNT_BYTES = 2;
const NULL_SIZE = -1;
const END = -1;
const BIGINT_BYTES = 8;
const JSONB_VERSION = 1;
/** Most bytes of UTF-8 that one UTF-16 unit of a text takes. */
const BYTES_OF_CHARACTER = 3;

/** `firstBytes`: the room that is made at first; more is made where the rows need more. */
export function createRowBytes(columns: number, firstBytes: number): RowBytes {
  let buffer = Buffer.allocUnsafe(Math.max(firstBytes, HEADER.length + COUNT_BYTES));
  let at = HEADER.copy(buffer);
  const sharedAt: number[] = [];

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
    binary(value) {
      reserve(SIZE_BYTES + value.length);
      at = buffer.writeInt32BE(value.length, at);
      at += value.copy(buffer, at);
    },
    shared() {
      reserve(SIZE_BYTES + BIGINT_BYTES);
      at = buffer.writeInt32BE(BIGINT_BYTES, at);
      sharedAt.push(at);
      at += BIGINT_BYTES;
    },
    fillShared(value) {
      const whole = bigintBytes(BigInt(value));
      for (const start of sharedAt) buffer.set(whole, start);
    },
    finish() {
      reserve(0);
      return buffer.subarray(0, buffer.writeInt16BE(END, at));
    },
  };
}

function bigintBytes(value: bigint): Buffer {
  const bytes = Buffer.alloc(BIGINT_BYTES);
  bytes.writeBigInt64BE(value);
  return bytes;
}

/** The moment from which PostgreSQL counts microseconds. */
const EPOCH = Temporal.Instant.from('2000-01-01T00:00:00Z');

/** The binary form of a `timestamptz`, in whole microseconds. */
export function instantBytes(at: Temporal.Instant): Buffer {
  return bigintBytes((at.epochNanoseconds - EPOCH.epochNanoseconds) / 1000n);
}
