import type { Readable } from 'node:stream';
import type { HeadCheck } from '../../platform/lib/read-bytes.ts';
import type { Geocoder } from '../addresses/geocoder.ts';
import type { LineFault } from '../stores/feed-fields.ts';
import type { ParsedStoreLine } from './parse-store-line.ts';

/**
 * The port of a format of `doorstep import --format`: how its files are opened and read. Files of other kinds are
 * recognized by their first bytes.
 */
export interface FeedFormat {
  /** File name endings that are removed to get the feed's name, besides compression endings. */
  readonly endings?: readonly string[];
  /** Whether the report counts skipped records that are not stores, by reason. */
  readonly leavesOut?: boolean;
  /** Whether all files of an import are one feed, whose records may refer to each other. */
  readonly isOneFeed?: boolean;
  /** Whether ids of stores begin with the site that a file was saved from. */
  readonly isNamedBySite?: boolean;
  /**
   * Opens the files of one feed: a single one, but with `isOneFeed`. `-` is standard input. Throws UnreadableFile, or
   * OutsideError for a remote read.
   */
  open(files: readonly string[], given: FeedInput): Promise<OpenedFeed>;
}

/** A format under the name that `--format` chooses. */
export type NamedFormat = FeedFormat & { readonly name: string };

/** Inputs of a format besides its files. */
export type FeedInput = {
  stdin: Readable;
  /** Decides whether a place has closed or is yet to open. */
  now: Temporal.Instant;
  /** The origin of saved pages, as stated by the operator. */
  site?: URL | undefined;
  /** Finds the coordinate of a record without one. */
  geocoder?: Geocoder | undefined;
  /** The import's database, a `Kysely`: for temporary tables of a feed that is too large for memory. */
  db?: object;
};

export const COMPRESSED = /\.(gz|zst)$/i;

/** A file's name without folder and compression ending. */
export const plainNameOf = (file: string): string => file.slice(file.lastIndexOf('/') + 1).replace(COMPRESSED, '');

export type OpenedFeed = {
  /** The entries in file order, in batches. Throws as `open` does. */
  entries: AsyncIterable<readonly FeedEntry[]>;
};

/**
 * A feed record with its store: as a line of docs/feeds.md, or parsed. `line` (a line or record number) locates it in
 * errors. `file` is set if several files form one feed. `leftOut` is why a valid record is not a store. An entry with
 * only `warnings` is a part of a store.
 */
export type FeedEntry = { line: number; file?: string } & (
  | { store: unknown }
  | { parsed: ParsedStoreLine }
  | { leftOut: string }
  | { warnings: readonly LineFault[] }
);

/** Maximum rows and characters of one insert into the staging table. */
export const MAX_STAGED_ROWS = 2000;
export const MAX_STAGED_CHARACTERS = 4 * 1024 * 1024;

/** Number of first bytes that identify a file's kind. */
const HEAD_BYTES = 512;

const UNPACK = 'unpack it first';

type Kind = { kind: string; advice?: string };
const UTF_16 = 'text in UTF-16';
const UTF_32: Kind = { kind: 'text in UTF-32', advice: 'convert it: iconv -f UTF-32 -t UTF-8' };

/** Hexadecimal signatures of other kinds of files, their names, and what to do with them. */
const SIGNATURES: readonly (Kind & { bytes: readonly string[]; at?: number })[] = [
  { bytes: ['255044462d'], kind: 'a PDF document' },
  { bytes: ['504b0304', '504b0506', '504b0708'], kind: 'a zip archive, as office documents are too', advice: UNPACK },
  { bytes: ['1f8b', '28b52ffd'], kind: 'a packed file within a packed file', advice: 'it is packed twice' },
  { bytes: ['425a68'], kind: 'packed by bzip2', advice: UNPACK },
  { bytes: ['fd377a585a00'], kind: 'packed by xz', advice: UNPACK },
  { bytes: ['377abcaf271c', '52617221'], kind: 'an archive', advice: UNPACK },
  { bytes: ['7573746172'], at: 257, kind: 'a tar archive', advice: UNPACK },
  { bytes: ['d0cf11e0'], kind: 'a document of an older office program', advice: 'export it' },
  { bytes: ['89504e47', 'ffd8ff', '47494638', '49492a00', '4d4d002a'], kind: 'an image' },
  { bytes: ['53514c69746520666f726d6174203300'], kind: 'an SQLite database' },
  { bytes: ['7f454c46'], kind: 'a program' },
  { bytes: ['50415231'], kind: 'a Parquet file', advice: 'name it .parquet and choose a format that reads it' },
  { bytes: ['fffe0000', '0000feff'], ...UTF_32 },
  { bytes: ['fffe', 'feff'], kind: UTF_16, advice: 'convert it: iconv -f UTF-16 -t UTF-8' },
  { bytes: ['5b00', '7b00'], kind: UTF_16, advice: 'convert it: iconv -f UTF-16LE -t UTF-8' },
  { bytes: ['005b', '007b'], kind: UTF_16, advice: 'convert it: iconv -f UTF-16BE -t UTF-8' },
];

/** Signatures of text files, after leading white space. */
const TEXTS: readonly (Kind & { begins: RegExp })[] = [
  { begins: /^<(!doctype html|html)\b/i, kind: 'an HTML page', advice: '--format schema-org reads the menu of a page' },
  { begins: /^<(\?xml|[a-z]+[\s>])/i, kind: 'XML' },
];

/** Signatures of JSON files that do not have one store per line. */
const NO_LINES: typeof TEXTS = [
  { begins: /^\[\s*[[\]{]/, kind: 'one JSON array', advice: "write a line for each store: jq -c '.[]'" },
  { begins: /^\{[ \t\r]*\n/, kind: 'JSON over several lines', advice: 'write a line for each store: jq -c .' },
];

const MARKUP = /^(an HTML page|XML)$/;

/** The required files of a format. `wanted` ends the error for other kinds of files. */
type Wanted = { wanted: string; isMarkup?: boolean; hasLines?: boolean };

/** Checks the first bytes of a file. */
export function headCheck(format: Wanted): HeadCheck {
  return { bytes: HEAD_BYTES, faultOf: (head) => faultOfHead(head, format) };
}

/**
 * Explains, from a file's first decompressed bytes, that it is of another kind, and names the expected one. Undefined
 * for unknown kinds, whose lines are then read.
 */
function faultOfHead(head: Buffer, { wanted, isMarkup = false, hasLines = false }: Wanted): string | undefined {
  if (head.length === 0) return `it is empty; expected ${wanted}`;
  const found = headKind(head, hasLines);
  if (!found || (isMarkup && MARKUP.test(found.kind))) return undefined;
  const { kind, advice } = found;
  return `it is ${kind}; expected ${wanted}${advice === undefined ? '' : ` (${advice})`}`;
}

function headKind(head: Buffer, hasLines: boolean): Kind | undefined {
  const hex = head.toString('hex', 0, HEAD_BYTES);
  const signed = SIGNATURES.find(({ bytes, at = 0 }) => bytes.some((begin) => hex.startsWith(begin, 2 * at)));
  if (signed) return signed;
  const text = head
    .toString('utf8', 0, HEAD_BYTES)
    .replace(/^\ufeff/, '')
    .trimStart();
  return [...TEXTS, ...(hasLines ? NO_LINES : [])].find(({ begins }) => begins.test(text));
}
