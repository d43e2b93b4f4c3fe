import type { Readable } from 'node:stream';
import type { Db, Sql } from '../../db/connect.ts';
import { openLines, type TextLine } from '../../lib/read-lines.ts';
import type { ReadOsmHours } from '../feed/feed-fields.ts';
import { FEED_LIMITS } from '../feed/feed-limits.ts';
import type { ParsedStoreLine } from '../feed/parse-store-line.ts';
import type { FeedEntry } from '../feed-entry.ts';
import { headOf } from '../file-kinds.ts';
import type { OpenedFeed } from '../formats.ts';
import { createOsmMemo } from '../osm-memo.ts';
import { feedId } from '../source-ids.ts';
import { type EntityKey, labelOf } from './entity.ts';
import { GOOGLE_FOOD_LIMITS } from './limits.ts';
import { type LoadedStore, loadStores } from './load-stores.flow.ts';
import { createEntityStage, type EntityStage } from './stage-feed.flow.ts';
import {
  createEntityStaging,
  dropRepeatedEntities,
  type EntityPlace,
  findLostReferences,
  findRestaurants,
} from './staged-entities.db.ts';
import { readRestaurant } from './store-value.ts';

/** Restaurants of one load. */
const PAGE_RESTAURANTS = 50;

type Progress = ReturnType<OpenedFeed['progress']>;

/**
 * Opens Google's relational food inventory feed. An entity may refer to an entity of any file, so all files are one feed:
 * they are staged in the database first, then joined some restaurants at a time. Where a file cannot be read to its end,
 * no store is imported (UnreadableFile): the lost part may hold entities of any store.
 */
export function openGoogleFood(files: readonly string[], stdin: Readable, db: Db): OpenedFeed {
  let progress = (): Progress => ({ bytesRead: 0, bytesTotal: null });
  async function* entries(): AsyncGenerator<FeedEntry[]> {
    // One transaction holds the staging tables; stores are written in other transactions, so that each batch is in at once.
    const tx = await db.startTransaction().execute();
    try {
      await createEntityStaging(tx);
      const stage = createEntityStage(tx);
      for (const [at, file] of files.entries()) {
        const stream = await openLines(file, stdin, FEED_LIMITS.lineBytes, headOf('google-food'));
        progress = stream.progress;
        for await (const lines of stream.lines) yield await stagedEntries(stage, at, lines, placeOf);
      }
      await stage.flush();
      yield* joinedEntries(tx, placeOf);
    } finally {
      await tx.rollback().execute();
    }
  }
  const placeOf: PlaceOf = ({ file, line }) => {
    const name = files[file];
    return files.length > 1 && name !== undefined ? { line, file: name } : { line };
  };
  return { entries: entries(), progress: () => progress() };
}

type PlaceOf = (place: Pick<EntityPlace, 'file' | 'line'>) => { line: number; file?: string };

/** Stages lines of a file; an entry for each with a fault, since it never becomes part of a store. */
async function stagedEntries(
  stage: EntityStage,
  file: number,
  lines: readonly TextLine[],
  placeOf: PlaceOf,
): Promise<FeedEntry[]> {
  const entries: FeedEntry[] = [];
  for (const line of lines) {
    const faults = await stage.take(file, line);
    if (faults.length > 0) entries.push({ ...placeOf({ file, line: line.line }), parsed: rejected(null, faults) });
  }
  return entries;
}

async function* joinedEntries(tx: Sql, placeOf: PlaceOf): AsyncGenerator<FeedEntry[]> {
  const { reportedReferences } = GOOGLE_FOOD_LIMITS;
  const warning = (entity: EntityKey & EntityPlace, property: string, message: string): FeedEntry => {
    const path = [labelOf(entity), property].filter((part) => part !== '').join(': ');
    return { ...placeOf(entity), warnings: [{ path, message }] };
  };
  const repeated = await dropRepeatedEntities(tx, reportedReferences);
  yield repeated.map((entity) => warning(entity, '', 'expected once in the feed; a later one counts'));
  const lost = await findLostReferences(tx, reportedReferences);
  yield lost.map((one) =>
    warning(one, one.property, `expected a ${one.otherType} of the feed, found none with the id ${one.otherId}`),
  );
  const readOsmHours = createOsmMemo();
  let afterSeq = 0;
  for (;;) {
    const page = await findRestaurants(tx, afterSeq, PAGE_RESTAURANTS);
    for (const loaded of await loadStores(tx, page)) {
      yield [{ ...placeOf(loaded.restaurant), parsed: readLoaded(loaded, readOsmHours) }];
    }
    const last = page.at(-1);
    if (!last) break;
    afterSeq = last.seq;
  }
  if (afterSeq > 0) return;
  yield [{ line: 1, parsed: rejected(null, [{ path: '', message: 'expected a Restaurant in the feed' }]) }];
}

function readLoaded(loaded: LoadedStore, readOsmHours: ReadOsmHours): ParsedStoreLine {
  if ('graph' in loaded) return readRestaurant(loaded.graph, readOsmHours);
  const { restaurant, message } = loaded;
  return rejected(feedId(restaurant.id), [{ path: labelOf(restaurant), message }]);
}

type Rejected = Extract<ParsedStoreLine, { ok: false }>;

function rejected(externalId: string | null, faults: Rejected['faults']): Rejected {
  return { ok: false, externalId, faults, warnings: [] };
}
