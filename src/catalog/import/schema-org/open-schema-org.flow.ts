import type { Readable } from 'node:stream';
import { openLines } from '../../../lib/read-lines.ts';
import type { FeedEntry } from '../feed-entry.ts';
import type { LineFault, ReadOsmHours } from '../feed-fields.ts';
import { FEED_LIMITS } from '../feed-limits.ts';
import type { OpenedFeed } from '../formats.ts';
import { createOsmMemo } from '../osm-memo.ts';
import { type LdDocument, readDocuments } from './documents.ts';
import { SCHEMA_ORG_LIMITS } from './limits.ts';
import { createLdGraph } from './nodes.ts';
import { findStores, readStore, STORE_TYPES_EXPECTED } from './store-value.ts';

/** Opens a store's own JSON-LD: a document, one document a line, or a saved page. Throws UnreadableFile. */
export async function openSchemaOrg(file: string, stdin: Readable): Promise<OpenedFeed> {
  const { lines, progress } = await openLines(file, stdin, FEED_LIMITS.lineBytes);
  async function* entries(): AsyncGenerator<FeedEntry[]> {
    const readOsmHours = createOsmMemo();
    let read = false;
    for await (const documents of readDocuments(lines)) {
      read ||= documents.length > 0;
      yield documents.flatMap((document) => readDocument(document, readOsmHours));
    }
    if (!read) yield [rejected(1, [{ path: '', message: STORE_TYPES_EXPECTED }])];
  }
  return { entries: entries(), progress };
}

/** An entry for each store of a document; one that is rejected where it has none. */
function readDocument({ line, blocks }: LdDocument, readOsmHours: ReadOsmHours): FeedEntry[] {
  const broken = blocks.flatMap((block) => ('fault' in block ? [{ line: block.line, message: block.fault }] : []));
  const graph = createLdGraph(blocks.flatMap((block) => ('value' in block ? [block.value] : [])));
  const tooMany = `expected at most ${SCHEMA_ORG_LIMITS.nodes} objects in a document`;
  if (graph === null) return [rejected(line, [{ path: '', message: tooMany }])];
  const stores = findStores(graph);
  if (stores.length === 0) {
    const [first] = broken;
    if (first) return [rejected(first.line, [{ path: '', message: first.message }])];
    return [rejected(line, [{ path: '', message: STORE_TYPES_EXPECTED }])];
  }
  const warnings = broken.map((block) => ({
    line: block.line,
    warnings: [{ path: '', message: `${block.message}; left out` }],
  }));
  const context = { isOnly: stores.length === 1, readOsmHours };
  return [...warnings, ...stores.map((store) => ({ line, parsed: readStore(graph, store, context) }))];
}

function rejected(line: number, faults: LineFault[]): FeedEntry {
  return { line, parsed: { ok: false, externalId: null, faults, warnings: [] } };
}
