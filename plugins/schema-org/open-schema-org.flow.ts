import type { Geocoder } from 'doorstep/plugin';
import {
  addressFault,
  FEED_LIMITS,
  type FeedEntry,
  headCheck,
  isPostalCodeApart,
  isRegionApart,
  type NamedFormat,
  openLines,
  partsOfStore,
  plainNameOf,
  rejectedLine,
  type TextLine,
  UnreadableFile,
  writeAddress,
} from 'doorstep/plugin';
import { type LdDocument, readDocuments } from './documents.ts';
import { createLdGraph, ReadLimitExceeded, SCHEMA_ORG_LIMITS } from './nodes.ts';
import {
  findMenus,
  findPageStores,
  type Publisher,
  readSpot,
  readStore,
  STORE_TYPES_EXPECTED,
  type StoreSpot,
} from './store-value.ts';

/* The import format `schema-org`: JSON-LD documents or saved pages to lines of a feed. */

const PAGES = { wanted: 'an HTML page, or JSON-LD, in UTF-8', isMarkup: true };

/** A store's own JSON-LD: one document, one per line, or a saved page. */
export const schemaOrg: NamedFormat = {
  name: 'schema-org',
  async open([file = '-'], { stdin, site, geocoder }) {
    // Without a site, all pages from pipes would have the same publisher.
    if (file === '-' && !site) throw new UnreadableFile(file, new Error('name the site of its pages with --site'));
    const lines = await openLines(file, stdin, FEED_LIMITS.lineBytes, headCheck(PAGES));
    return { entries: readEntries(lines, site ? { site } : { file: plainNameOf(file) }, geocoder) };
  },
  endings: ['.ndjson', '.jsonld', '.json', '.html', '.htm'],
  isNamedBySite: true,
};

async function* readEntries(lines: AsyncIterable<readonly TextLine[]>, publisher: Publisher, geocoder?: Geocoder) {
  let read = false;
  for await (const documents of readDocuments(lines)) {
    read ||= documents.length > 0;
    for (const document of documents) yield* readDocument(document, publisher, geocoder);
  }
  if (!read) yield [rejected(1, STORE_TYPES_EXPECTED)];
}

/**
 * Yields an entry per store of a document, or a rejected one if it has none. Stores are read one by one, because many
 * may share one menu and together be far larger than the document.
 */
async function* readDocument(
  { line, blocks }: LdDocument,
  publisher: Publisher,
  geocoder: Geocoder | undefined,
): AsyncGenerator<FeedEntry[]> {
  const broken = blocks.flatMap((block) => ('fault' in block ? [{ line: block.line, message: block.fault }] : []));
  const graph = createLdGraph(blocks.flatMap((block) => ('value' in block ? [block.value] : [])));
  const tooMany = `expected at most ${SCHEMA_ORG_LIMITS.nodes} objects in a document`;
  if (graph === null) return yield [rejected(line, tooMany)];
  try {
    const stores = findPageStores(graph);
    const [first] = broken;
    if (stores.length === 0 && first) return yield [rejected(first.line, first.message)];
    if (stores.length === 0) return yield [rejected(line, STORE_TYPES_EXPECTED)];
    yield broken.map((block) => ({
      line: block.line,
      warnings: [{ path: '', message: `${block.message}; left out` }],
    }));
    const context = { isOnly: stores.length === 1, menus: findMenus(graph), publisher };
    for (const store of stores) {
      const spot = await located(readSpot(graph, store), geocoder);
      yield [{ line, parsed: readStore(graph, store, { ...context, spot }) }];
    }
  } catch (error) {
    if (!(error instanceof ReadLimitExceeded)) throw error;
    yield [rejected(line, error.message)];
  }
}

/** Looks up the address for a store without a coordinate; the middle of a city or postal code is not where it is. */
async function located(spot: StoreSpot, geocoder: Geocoder | undefined): Promise<StoreSpot> {
  const { address, latitude, longitude } = spot;
  if (!geocoder || !address?.street_addr || latitude !== undefined || longitude !== undefined) return spot;
  const { street_addr: streetAddr, city, state, zipcode, country } = address;
  const text = writeAddress(partsOfStore({ streetAddr, city, state, zipcode }), country).replaceAll(/\s+/g, ' ');
  const [best] = addressFault(text) === undefined ? await geocoder.geocode(text) : [];
  const isDoor = best && (best.precision === 'rooftop' || best.precision === 'street');
  return isDoor && !isPostalCodeApart(zipcode, best) && !isRegionApart(state, best)
    ? { address, latitude: best.latitude, longitude: best.longitude }
    : { ...spot, isNotFound: true };
}

const rejected = (line: number, message: string): FeedEntry => ({
  line,
  parsed: rejectedLine(null, [{ path: '', message }]),
});
