import { isUtf8 } from 'node:buffer';

/** A record with its number in the file, from 1; an unreadable one has an error instead of a value. */
export type JsonRecord = { record: number } & ({ value: unknown } | { fault: string });

export type RecordLimits = {
  /** The member of the document that lists the records, such as `features`. */
  listKey: string;
  /** Maximum bytes per record; a longer record is dropped while it is read. */
  maxBytes: number;
  /** Maximum levels of nested objects and lists. */
  maxLevels: number;
};

const SPACE = 32;
const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const OPEN_LIST = 91;
const BACKSLASH = 92;
const CLOSE_LIST = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;
const NEWLINE = 10;
const RECORD_SEPARATOR = 30;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/** Position of the scanner: at the top level, in the list of records, or after it. */
const AT_TOP = 0;
const IN_LIST = 2;
const PAST_LIST = -1;

/** Number of bytes before a list that are searched for its key. */
const KEY_SEARCH_BYTES = 100;

/**
 * Cuts JSON into records: members of one list, newline-delimited values, or RFC 8142. Scans only brackets and strings,
 * so invalid JSON is one record's error, with one record in memory. Throws if the bytes end early.
 */
export async function* splitJsonRecords(
  chunks: AsyncIterable<Buffer>,
  limits: RecordLimits,
): AsyncGenerator<JsonRecord[]> {
  const splitter = createSplitter(limits);
  for await (const chunk of chunks) {
    const records = splitter.take(chunk);
    if (records.length > 0) yield records;
  }
  const last = splitter.end();
  if (last.length > 0) yield last;
}

/** The current record: its bytes of earlier chunks, and its start in this chunk. */
type Piece = { parts: Buffer[]; size: number; start: number; fault: string | null; isPlain: boolean };

type State = {
  limits: RecordLimits;
  /** Matches the text before the list of records. */
  listBegin: RegExp;
  depth: number;
  base: typeof AT_TOP | typeof IN_LIST | typeof PAST_LIST;
  inString: boolean;
  isEscaped: boolean;
  /** Whether a string was not closed: bytes are skipped until a line begins an object or ends the list. */
  isLost: boolean;
  isLineStart: boolean;
  /** The last byte outside of white space and strings. */
  before: number;
  position: number;
  chunk: Buffer;
  piece: Piece | null;
  records: JsonRecord[];
  count: number;
};

function createSplitter(limits: RecordLimits) {
  const state: State = {
    limits,
    listBegin: new RegExp(`[{,\\s]"${limits.listKey}"\\s*:\\s*$`),
    depth: 0,
    base: AT_TOP,
    inString: false,
    isEscaped: false,
    isLost: false,
    isLineStart: true,
    before: 0,
    position: 0,
    chunk: Buffer.alloc(0),
    piece: null,
    records: [],
    count: 0,
  };
  const taken = () => state.records.splice(0);
  return {
    take(chunk: Buffer): JsonRecord[] {
      state.chunk = chunk;
      for (let at = 0; at < chunk.length; at += 1) takeByte(state, chunk[at] as number, at);
      carryOver(state);
      return taken();
    },
    end(): JsonRecord[] {
      state.chunk = Buffer.alloc(0);
      const { piece, base, isLost } = state;
      const isCut = base !== AT_TOP || (piece !== null && !piece.isPlain && !isLost);
      if (isCut) throw new Error('it ends in the middle of its JSON');
      finish(state, 0);
      return taken();
    },
  };
}

function takeByte(state: State, byte: number, at: number): void {
  const position = state.position++;
  if (state.inString) takeStringByte(state, byte, at);
  else if (byte <= SPACE) takeSpace(state, byte, at);
  else if (position >= 3 || byte !== BYTE_ORDER_MARK[position] || state.piece) takeToken(state, byte, at);
}

function takeToken(state: State, byte: number, at: number): void {
  const isFirst = state.isLineStart;
  state.isLineStart = false;
  if (isFirst && state.depth > state.base && endsBrokenRecord(state, byte)) breakOff(state, at);
  if (state.isLost) return;
  if (byte === OPEN_OBJECT || byte === OPEN_LIST) open(state, byte, at);
  else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) close(state, at);
  else takePlainByte(state, byte, at);
  state.before = byte;
}

function takeStringByte(state: State, byte: number, at: number): void {
  if (byte === NEWLINE) {
    // A JSON string cannot continue on the next line.
    state.inString = false;
    state.isEscaped = false;
    state.isLineStart = true;
    if (state.piece) state.piece.fault ??= 'expected JSON';
    if (state.depth === state.base) finish(state, at);
    else state.isLost = true;
  } else if (state.isEscaped) state.isEscaped = false;
  else if (byte === BACKSLASH) state.isEscaped = true;
  else if (byte === QUOTE) {
    state.inString = false;
    state.before = QUOTE;
  }
}

function takeSpace(state: State, byte: number, at: number): void {
  const endsRecord = byte === RECORD_SEPARATOR && state.base === AT_TOP;
  if (endsRecord && state.depth > 0) breakOff(state, at);
  if (byte !== NEWLINE && !endsRecord) return;
  state.isLineStart = true;
  if (state.piece?.isPlain) finish(state, at);
}

/** Whether this byte ends a broken record: an object begins without a comma before it, or the list ends. */
function endsBrokenRecord({ isLost, base, before }: State, byte: number): boolean {
  if (base === PAST_LIST) return false;
  if (isLost) return byte === OPEN_OBJECT || (byte === CLOSE_LIST && base === IN_LIST);
  return byte === OPEN_OBJECT && before !== COMMA && before !== COLON && before !== OPEN_LIST;
}

function breakOff(state: State, at: number): void {
  if (state.piece) state.piece.fault ??= 'expected JSON';
  finish(state, at);
  state.isLost = false;
  state.depth = Math.max(state.base, 0);
}

function open(state: State, byte: number, at: number): void {
  if (state.depth === state.base) {
    finish(state, at);
    state.piece = { parts: [], size: 0, start: at, fault: null, isPlain: false };
  } else if (byte === OPEN_LIST && state.depth === 1 && state.base === AT_TOP && isListOf(state, at)) {
    state.piece = null;
    state.base = IN_LIST;
  }
  state.depth += 1;
  const { maxLevels } = state.limits;
  if (state.piece && state.depth - state.base > maxLevels)
    state.piece.fault ??= `expected at most ${maxLevels} levels of JSON`;
}

function close(state: State, at: number): void {
  if (state.depth === 0) {
    takePlainByte(state, CLOSE_OBJECT, at);
    return;
  }
  if (state.depth === state.base) {
    finish(state, at);
    state.base = PAST_LIST;
  }
  state.depth -= 1;
  if (state.depth === state.base) finish(state, at + 1);
  if (state.depth === 0) state.base = AT_TOP;
}

/**
 * Handles a byte outside of objects, lists and strings: part of a record or, between records, a record that is not an
 * object.
 */
function takePlainByte(state: State, byte: number, at: number): void {
  if (byte === QUOTE) state.inString = true;
  if (state.depth !== state.base) return;
  if (byte === COMMA) finish(state, at);
  else state.piece ??= { parts: [], size: 0, start: at, fault: null, isPlain: true };
}

/** Whether the list that begins here is the list of records. */
function isListOf({ piece, before, chunk, listBegin }: State, at: number): boolean {
  if (before !== COLON || !piece) return false;
  let tail = chunk.subarray(Math.max(piece.start, at - KEY_SEARCH_BYTES), at);
  for (const part of piece.parts.toReversed()) if (tail.length < KEY_SEARCH_BYTES) tail = Buffer.concat([part, tail]);
  return listBegin.test(tail.toString('latin1', Math.max(0, tail.length - KEY_SEARCH_BYTES)));
}

/** Saves this chunk's part of a record that continues in the next chunk. */
function carryOver({ piece, chunk, limits }: State): void {
  if (!piece) return;
  keep(piece, chunk.subarray(piece.start), limits.maxBytes);
  piece.start = 0;
}

function keep(piece: Piece, part: Buffer, maxBytes: number): void {
  piece.size += part.length;
  if (piece.size > maxBytes) piece.fault ??= `expected at most ${maxBytes} bytes`;
  if (piece.fault === null) piece.parts.push(part);
  else piece.parts = [];
}

function finish(state: State, end: number): void {
  const { piece } = state;
  if (!piece) return;
  state.piece = null;
  state.count += 1;
  keep(piece, state.chunk.subarray(piece.start, end), state.limits.maxBytes);
  const { parts, fault } = piece;
  const [only] = parts;
  const bytes = only && parts.length === 1 ? only : Buffer.concat(parts);
  state.records.push({ record: state.count, ...(fault === null ? parse(bytes) : { fault }) });
}

function parse(bytes: Buffer): { value: unknown } | { fault: string } {
  if (!isUtf8(bytes)) return { fault: 'expected UTF-8' };
  try {
    return { value: JSON.parse(bytes.toString('utf8')) };
  } catch {
    return { fault: 'expected JSON' };
  }
}
