import type { Sql } from '../../db/connect.ts';
import type { TextLine } from '../../lib/read-lines.ts';
import type { LineFault } from '../feed/feed-fields.ts';
import { FEED_LIMITS } from '../feed/feed-limits.ts';
import { readJson } from '../read-json.ts';
import { STAGED_CHARACTERS, STAGED_ROWS } from '../write-stores.flow.ts';
import { type FoodEntity, fieldOf, isFields, type Reference, readEntity } from './entity.ts';
import { GOOGLE_FOOD_LIMITS } from './limits.ts';
import { stageEntities, stageReferences } from './staged-entities.db.ts';

/** Puts the entities of a feed into the staging tables as they are read. */
export type EntityStage = {
  /** Stages a line of a file; returns its faults. */
  take(file: number, line: TextLine): Promise<LineFault[]>;
  flush(): Promise<void>;
};

type ReadMember = { entity: FoodEntity | null; body: string } | { fault: LineFault };

const { entityCharacters } = GOOGLE_FOOD_LIMITS;

export function createEntityStage(sql: Sql): EntityStage {
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
      for (const value of membersOf(json.value)) {
        const read = readMember(value);
        if ('fault' in read) faults.push(read.fault);
        else if (read.entity) add(read.entity, read.body, { file, line: line.line });
        if (faults.length === FEED_LIMITS.faultsPerLine) break;
        if (entities.length + references.length >= STAGED_ROWS || characters >= STAGED_CHARACTERS) await flush();
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
  const body = textOf(value);
  if (body === null) return { fault: { path: '', message: 'expected an entity that is not nested so deep' } };
  if (body.length <= entityCharacters) return { entity: read.entity, body };
  return { fault: { path: '', message: `expected at most ${entityCharacters} characters in an entity` } };
}

/** The value as JSON; null where it is nested deeper than JSON.stringify can follow. */
function textOf(value: unknown): string | null {
  try {
    return JSON.stringify(value);
  } catch {
    return null;
  }
}

/** The entities of a line: one entity, a list of entities, or a feed's envelope `{ "data": […] }`. */
function membersOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (!isFields(value)) return [value];
  const data = fieldOf(value, 'data');
  return Array.isArray(data) ? data : [value];
}
