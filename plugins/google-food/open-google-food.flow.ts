import {
  FEED_LIMITS,
  type FeedEntry,
  type FeedInput,
  feedId,
  headCheck,
  type LineFault,
  MAX_STAGED_CHARACTERS,
  MAX_STAGED_ROWS,
  type NamedFormat,
  type OpenedFeed,
  openLines,
  type ParsedStoreLine,
  readJson,
  rejectedLine,
  type TextLine,
} from 'doorstep/plugin';
import {
  type EntityKey,
  entityLabel,
  type Fields,
  type FoodEntity,
  fieldOf,
  GOOGLE_FOOD_LIMITS,
  isFields,
  type Reference,
  readEntity,
} from './entity.ts';
import {
  createEntityStaging,
  type Db,
  dropRepeatedEntities,
  type EntityPlace,
  findDanglingReferences,
  findEntities,
  findLinksBelow,
  findRestaurants,
  type Sql,
  type StagedEntity,
  type StagedLink,
  sizeOfEntities,
  stageEntities,
  stageReferences,
} from './staged-entities.db.ts';
import { joinStores, type StoreGraph } from './store-graph.ts';
import { readRestaurant } from './store-value.ts';

/** Restaurants loaded at a time. */
const PAGE_RESTAURANTS = 50;

export const googleFood: NamedFormat = {
  name: 'google-food',
  open: async (files, given) => openGoogleFood(files, given),
  endings: ['.ndjson', '.json'],
  isOneFeed: true,
};

const ENTITIES = { wanted: "newline-delimited JSON in UTF-8 of Google's food ordering feed" };

/**
 * Opens Google's relational food feed. Entities refer across files, so all files are staged in the database, then
 * joined. If a file cannot be read to its end, nothing is imported (UnreadableFile).
 */
function openGoogleFood(files: readonly string[], { stdin, db }: FeedInput): OpenedFeed {
  async function* entries(): AsyncGenerator<FeedEntry[]> {
    // This transaction has the staging tables. Stores are written in other transactions, so each batch commits at once.
    const tx = await (db as Db).startTransaction().execute();
    try {
      await createEntityStaging(tx);
      const stage = createEntityStage(tx);
      for (const [at, file] of files.entries()) {
        const read = await openLines(file, stdin, FEED_LIMITS.lineBytes, headCheck(ENTITIES));
        for await (const lines of read) yield await stagedEntries(stage, at, lines, placeOf);
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
  return { entries: entries() };
}

type PlaceOf = (place: Pick<EntityPlace, 'file' | 'line'>) => { line: number; file?: string };

/** Stages a file's lines; yields an entry for each faulty line, because it becomes part of no store. */
async function stagedEntries(
  stage: EntityStage,
  file: number,
  lines: readonly TextLine[],
  placeOf: PlaceOf,
): Promise<FeedEntry[]> {
  const entries: FeedEntry[] = [];
  for (const line of lines) {
    const faults = await stage.take(file, line);
    if (faults.length > 0) entries.push({ ...placeOf({ file, line: line.line }), parsed: rejectedLine(null, faults) });
  }
  return entries;
}

async function* joinedEntries(tx: Sql, placeOf: PlaceOf): AsyncGenerator<FeedEntry[]> {
  const { reportedReferences } = GOOGLE_FOOD_LIMITS;
  const warning = (entity: EntityKey & EntityPlace, property: string, message: string): FeedEntry => {
    const path = [entityLabel(entity), property].filter((part) => part !== '').join(': ');
    return { ...placeOf(entity), warnings: [{ path, message }] };
  };
  const repeated = await dropRepeatedEntities(tx, reportedReferences);
  yield repeated.map((entity) => warning(entity, '', 'expected once in the feed; a later one counts'));
  const lost = await findDanglingReferences(tx, reportedReferences);
  yield lost.map((one) =>
    warning(one, one.property, `expected a ${one.otherType} of the feed, found none with the id ${one.otherId}`),
  );
  let afterSeq = 0;
  for (;;) {
    const page = await findRestaurants(tx, afterSeq, PAGE_RESTAURANTS);
    for (const loaded of await loadStores(tx, page)) {
      yield [{ ...placeOf(loaded.restaurant), parsed: readLoaded(loaded) }];
    }
    const last = page.at(-1);
    if (!last) break;
    afterSeq = last.seq;
  }
  if (afterSeq > 0) return;
  yield [{ line: 1, parsed: rejectedLine(null, [{ path: '', message: 'expected a Restaurant in the feed' }]) }];
}

function readLoaded(loaded: LoadedStore): ParsedStoreLine {
  if ('graph' in loaded) return readRestaurant(loaded.graph);
  const { restaurant, message } = loaded;
  return rejectedLine(feedId(restaurant.id), [{ path: entityLabel(restaurant), message }]);
}

/** Stages a feed's entities as they are read. */
type EntityStage = {
  /** Stages a line and returns its errors. */
  take(file: number, line: TextLine): Promise<LineFault[]>;
  flush(): Promise<void>;
};

type ReadMember = { entity: FoodEntity | null; body: string } | { fault: LineFault };

const { entityCharacters } = GOOGLE_FOOD_LIMITS;

function createEntityStage(sql: Sql): EntityStage {
  let entities: string[] = [];
  let references: string[] = [];
  let characters = 0;
  let seq = 0;
  const add = ({ type, id, references: named }: FoodEntity, body: string, place: { file: number; line: number }) => {
    seq += 1;
    entities.push(JSON.stringify({ seq, ...place, type, id, body }));
    for (const reference of named) references.push(referenceRow(seq, reference));
    characters += body.length;
  };
  const flush = async () => {
    await stageEntities(sql, entities);
    await stageReferences(sql, references);
    entities = [];
    references = [];
    characters = 0;
  };
  return {
    async take(file, line) {
      const json = readJson(line);
      if (!json.ok) return [...json.faults];
      const faults: LineFault[] = [];
      for (const value of lineEntities(json.value)) {
        const read = readMember(value);
        if ('fault' in read) faults.push(read.fault);
        else if (read.entity) add(read.entity, read.body, { file, line: line.line });
        if (faults.length === FEED_LIMITS.faultsPerLine) break;
        if (entities.length + references.length >= MAX_STAGED_ROWS || characters >= MAX_STAGED_CHARACTERS)
          await flush();
      }
      return faults;
    },
    flush,
  };
}

function referenceRow(seq: number, { parent, child, position, property, byParent }: Reference): string {
  return JSON.stringify({
    seq,
    parent_type: parent.type,
    parent_id: parent.id,
    child_type: child.type,
    child_id: child.id,
    position,
    property,
    by_parent: byParent,
  });
}

function readMember(value: unknown): ReadMember {
  const read = readEntity(value);
  if (!read.ok) return { fault: { path: read.path, message: read.message } };
  const body = toJson(value);
  if (body === null) return { fault: { path: '', message: 'expected an entity that is not nested so deep' } };
  if (body.length <= entityCharacters) return { entity: read.entity, body };
  return { fault: { path: '', message: `expected at most ${entityCharacters} characters in an entity` } };
}

/** The value as JSON; null if nested too deeply for JSON.stringify. */
function toJson(value: unknown): string | null {
  try {
    return JSON.stringify(value);
  } catch {
    return null;
  }
}

/** A line's entities: a single one, a list, or a feed's envelope `{ "data": […] }`. */
function lineEntities(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (!isFields(value)) return [value];
  const data = fieldOf(value, 'data');
  return Array.isArray(data) ? data : [value];
}

/** A restaurant with all entities it reaches, or the error that there are too many. */
type LoadedStore = { restaurant: StagedEntity } & ({ graph: StoreGraph } | { message: string });

/**
 * Loads the entities that restaurants reach, level by level for all restaurants at once; shared entities are loaded
 * once. If the total exceeds one restaurant's limit, restaurants are loaded one by one.
 */
async function loadStores(sql: Sql, restaurants: readonly StagedEntity[]): Promise<LoadedStore[]> {
  const loaded = await loadTogether(sql, restaurants);
  if (!('message' in loaded)) {
    return restaurants.map((restaurant) => ({ restaurant, graph: loaded.graphOf(restaurant) }));
  }
  const [restaurant, ...more] = restaurants;
  if (restaurant && more.length === 0) return [{ restaurant, message: loaded.message }];
  const single: LoadedStore[] = [];
  for (const one of restaurants) single.push(...(await loadStores(sql, [one])));
  return single;
}

async function loadTogether(sql: Sql, restaurants: readonly StagedEntity[]) {
  const { entitiesPerStore, charactersPerStore, steps } = GOOGLE_FOOD_LIMITS;
  const reached = new Map<string, EntityKey>(restaurants.map((one) => [entityLabel(one), one]));
  const links: StagedLink[] = [];
  const entities = restaurants.map(withFields);
  let characters = restaurants.reduce((sum, { body }) => sum + body.length, 0);
  let next: readonly EntityKey[] = restaurants;
  for (let step = 0; next.length > 0; step += 1) {
    if (step > steps) return { message: `expected at most ${steps} steps from a restaurant to what belongs to it` };
    const found = await findLinksBelow(sql, next, entitiesPerStore + 1 - links.length);
    for (const link of found) links.push(link);
    next = unreached(found, reached);
    if (links.length > entitiesPerStore) return { message: `expected at most ${entitiesPerStore} entities in a store` };
    characters += await sizeOfEntities(sql, next);
    if (characters > charactersPerStore)
      return { message: `expected at most ${charactersPerStore} characters in a store` };
    for (const entity of await findEntities(sql, next)) entities.push(withFields(entity));
  }
  return { graphOf: joinStores(entities, links) };
}

function unreached(found: readonly StagedLink[], reached: Map<string, EntityKey>): EntityKey[] {
  const added: EntityKey[] = [];
  for (const { child } of found) {
    const label = entityLabel(child);
    if (reached.has(label)) continue;
    reached.set(label, child);
    added.push(child);
  }
  return added;
}

function withFields({ type, id, body }: StagedEntity): EntityKey & { fields: Fields } {
  const fields: Fields = JSON.parse(body);
  return { type, id, fields };
}
