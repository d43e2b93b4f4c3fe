import type { Readable } from 'node:stream';
import type { Db } from '../../platform/db/connect.ts';
import type { HeadCheck } from '../../platform/lib/read-bytes.ts';
import type { LineFault } from '../menus/feed-fields.ts';
import type { ParsedStoreLine } from './feed/parse-store-line.ts';

/**
 * The formats of `doorstep import --format`: how their files are opened and read, and how files of other kinds are
 * recognized by their first bytes.
 */

/** A format's texts for the command's help and errors. */
type FormatRecord = {
  /** One line of `--help`. */
  help: string;
  /** What the file must be; used in the error for other kinds of files. */
  wanted: string;
  /** Matches file names of this format, without the ending for compression. */
  namedBy?: RegExp;
};

const RECORDS = {
  ndjson: {
    help: 'newline-delimited JSON of stores with their catalogs (docs/feeds.md)',
    wanted: 'newline-delimited JSON in UTF-8, one store a line (docs/feeds.md)',
  },
  osm: {
    help: 'OpenStreetMap as GeoJSON: restaurants and food shops, without menus',
    wanted: 'GeoJSON of OpenStreetMap in UTF-8',
    namedBy: /\.(geojson|geojsonl|geojsons)$/i,
  },
  overture: {
    help: 'Overture Maps places as GeoParquet (.parquet) or GeoJSON, without menus',
    wanted: 'GeoJSON in UTF-8, or GeoParquet named .parquet, of Overture Maps',
    namedBy: /\.(geojson|geojsonl|geojsons|parquet|geoparquet)$/i,
  },
  'google-food': {
    help: "Google's food ordering feed, all its files together, with menus",
    wanted: "newline-delimited JSON in UTF-8 of Google's food ordering feed",
  },
  'schema-org': {
    help: "pages or JSON-LD of a store's own schema.org menu",
    wanted: 'an HTML page, or JSON-LD, in UTF-8',
    namedBy: /\.(html?|jsonld)$/i,
  },
} satisfies Readonly<Record<string, FormatRecord>>;
export type FormatName = keyof typeof RECORDS;
/** The formats of `doorstep import --format`, by name. */
export const FORMATS: Readonly<Record<FormatName, FormatRecord>> = RECORDS;
export const FORMAT_NAMES = Object.keys(FORMATS) as FormatName[];

export const COMPRESSED = /\.(gz|zst)$/i;

/** The formats suggested by a file's name. */
export function formatsByFileName(file: string): FormatName[] {
  const name = file.replace(COMPRESSED, '');
  return FORMAT_NAMES.filter((format) => FORMATS[format].namedBy?.test(name));
}

/** An opened feed file. */
export type OpenedFeed = {
  /** The entries in file order, in batches. Throws UnreadableFile. */
  entries: AsyncIterable<readonly FeedEntry[]>;
  /** Bytes of the stored file; the total is null if unknown. */
  progress(): { bytesRead: number; bytesTotal: number | null };
};

/** Inputs of a format besides the file; `site` is the origin of saved pages, as stated by the operator. */
type OpenGiven = { now: Temporal.Instant; site?: URL | undefined };

export type FeedFormat = {
  /** File name endings that are removed to get the feed's name, besides compression endings. */
  endings: readonly string[];
  /** Whether the report counts, by reason, records that are not stores. */
  leavesOut: boolean;
  /** Whether an id means the same business in every file, as in open data. */
  globalIds: boolean;
} & (
  | {
      /**
       * Opens a file, or standard input for `-`. Yearly dates apply to `now`'s year and the next. Throws
       * UnreadableFile.
       */
      open(file: string, stdin: Readable, given: OpenGiven): Promise<OpenedFeed>;
    }
  | {
      /** Opens all files of an import as one feed, whose records may refer to each other. */
      openAll(files: readonly string[], stdin: Readable, db: Db): OpenedFeed;
    }
);

/**
 * A feed record with its store. `line` (a line or record number) locates it in errors. `file` is set if several files
 * form one feed. `leftOut` is why a valid record is not a store. An entry with only `warnings` is a part of a store.
 */
export type FeedEntry = { line: number; file?: string } & (
  | { parsed: ParsedStoreLine }
  | { leftOut: string }
  | { warnings: readonly LineFault[] }
);

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
  { bytes: ['50415231'], kind: 'a Parquet file', advice: 'name it .parquet and import it with --format overture' },
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

/** Checks the first bytes of a file of this format. */
export function headCheck(format: FormatName): HeadCheck {
  return { bytes: HEAD_BYTES, faultOf: (head) => faultOfHead(head, format) };
}

/**
 * Explains, from a file's first decompressed bytes, that it is of another kind, and what is wanted. Undefined for
 * unknown kinds, whose lines are then read.
 */
function faultOfHead(head: Buffer, format: FormatName): string | undefined {
  const { wanted } = FORMATS[format];
  if (head.length === 0) return `it is empty; expected ${wanted}`;
  const found = headKind(head, format);
  if (!found || (format === 'schema-org' && MARKUP.test(found.kind))) return undefined;
  const { kind, advice } = found;
  return `it is ${kind}; expected ${wanted}${advice === undefined ? '' : ` (${advice})`}`;
}

function headKind(head: Buffer, format: FormatName): Kind | undefined {
  const hex = head.toString('hex', 0, HEAD_BYTES);
  const signed = SIGNATURES.find(({ bytes, at = 0 }) => bytes.some((begin) => hex.startsWith(begin, 2 * at)));
  if (signed) return signed;
  const text = head
    .toString('utf8', 0, HEAD_BYTES)
    .replace(/^\ufeff/, '')
    .trimStart();
  return [...TEXTS, ...(format === 'ndjson' ? NO_LINES : [])].find(({ begins }) => begins.test(text));
}
