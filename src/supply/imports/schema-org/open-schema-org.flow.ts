import { UnreadableFile } from '../../../platform/lib/read-bytes.ts';
import { openLines, type TextLine } from '../../../platform/lib/read-lines.ts';
import { FEED_LIMITS, type ReadOsmHours } from '../../menus/feed-fields.ts';
import { cacheOsmHours } from '../cached-osm-hours.ts';
import { rejectedLine } from '../feed/parse-store-line.ts';
import { type FeedEntry, headCheck, type NamedFormat, plainNameOf } from '../formats.ts';
import { type LdDocument, readDocuments } from './documents.ts';
import { createLdGraph, ReadLimitExceeded, SCHEMA_ORG_LIMITS } from './nodes.ts';
import { findMenus, findPageStores, type Publisher, readStore, STORE_TYPES_EXPECTED } from './store-value.ts';

const PAGES = { wanted: 'an HTML page, or JSON-LD, in UTF-8', isMarkup: true };

/** A store's own JSON-LD: one document, one per line, or a saved page. */
export const schemaOrg: NamedFormat = {
  name: 'schema-org',
  async open([file = '-'], { stdin, site }) {
    // Without a site, all pages from pipes would have the same publisher.
    if (file === '-' && !site) throw new UnreadableFile(file, new Error('name the site of its pages with --site'));
    const { lines, progress } = await openLines(file, stdin, FEED_LIMITS.lineBytes, headCheck(PAGES));
    return { entries: readEntries(lines, site ? { site } : { file: plainNameOf(file) }), progress };
  },
  endings: ['.ndjson', '.jsonld', '.json', '.html', '.htm'],
  isNamedBySite: true,
};

async function* readEntries(lines: AsyncIterable<readonly TextLine[]>, publisher: Publisher) {
  const readOsmHours = cacheOsmHours();
  let read = false;
  for await (const documents of readDocuments(lines)) {
    read ||= documents.length > 0;
    for (const document of documents) yield* readDocument(document, publisher, readOsmHours);
    // An empty batch, so that progress is reported even without a store.
    yield [];
  }
  if (!read) yield [rejected(1, STORE_TYPES_EXPECTED)];
}

/**
 * Yields an entry per store of a document, or a rejected one if it has none. Stores are read one by one, because many
 * may share one menu and together be far larger than the document.
 */
function* readDocument(
  { line, blocks }: LdDocument,
  publisher: Publisher,
  readOsmHours: ReadOsmHours,
): Generator<FeedEntry[]> {
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
    const context = { isOnly: stores.length === 1, menus: findMenus(graph), publisher, readOsmHours };
    for (const store of stores) yield [{ line, parsed: readStore(graph, store, context) }];
  } catch (error) {
    if (!(error instanceof ReadLimitExceeded)) throw error;
    yield [rejected(line, error.message)];
  }
}

const rejected = (line: number, message: string): FeedEntry => ({
  line,
  parsed: rejectedLine(null, [{ path: '', message }]),
});
