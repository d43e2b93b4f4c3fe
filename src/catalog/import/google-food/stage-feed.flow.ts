import type { Sql } from '../../../db/connect.ts';
import type { TextLine } from '../../../lib/read-lines.ts';
import type { LineFault } from '../feed-fields.ts';
import { readJson } from '../read-json.ts';
import { STAGED_CHARACTERS, STAGED_ROWS } from '../write-stores.flow.ts';
import { type FoodEntity, fieldOf, readEntity } from './entity.ts';
import { GOOGLE_FOOD_LIMITS } from './limits.ts';
import { stageEntities, stageReferences } from './staged-entities.db.ts';

/** Puts the entities of a feed into the staging tables as they are read. */
export type EntityStage = {
  /** Stages a line of a file; returns what is wrong with it. */
  take(file: number, line: TextLine): Promise<LineFault[]>;
  flush(): Promise<void>;
};

export function createEntityStage(sql: Sql): EntityStage {
  let entities: string[] = [];
  let references: string[] = [];
  let characters = 0;
  let seq = 0;
  const add = (entity: FoodEntity, body: string, place: { file: number; line: number }) => {
    seq += 1;
    const { type, id } = entity;
    entities.push(JSON.stringify({ seq, ...place, type, id, body }));
    for (const { parent, child, position, property, byParent } of entity.references) {
      references.push(
        JSON.stringify({
          seq,
          parent_type: parent.type,
          parent_id: parent.id,
          child_type: child.type,
          child_id: child.id,
          position,
          property,
          by_parent: byParent,
        }),
      );
    }
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
        const body = textOf(value);
        const read = readEntity(value);
        if (!read.ok) faults.push({ path: read.path, message: read.message });
        else if (body === null) faults.push({ path: '', message: 'expected an entity that is not nested so deep' });
        else if (body.length > GOOGLE_FOOD_LIMITS.entityCharacters) {
          faults.push({
            path: '',
            message: `expected at most ${GOOGLE_FOOD_LIMITS.entityCharacters} characters in an entity`,
          });
        } else if (read.entity) add(read.entity, body, { file, line: line.line });
        const isFull = entities.length + references.length >= STAGED_ROWS || characters >= STAGED_CHARACTERS;
        if (isFull) await flush();
      }
      return faults;
    },
    flush,
  };
}

/** Null where it is nested deeper than the writer of JSON can follow. */
function textOf(value: unknown): string | null {
  try {
    return JSON.stringify(value);
  } catch {
    return null;
  }
}

/** One entity a line; a list of them, or a feed's envelope `{ "data": […] }`, is taken as if each had its line. */
function membersOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'object' || value === null) return [value];
  const data = fieldOf(value as Record<string, unknown>, 'data');
  return Array.isArray(data) ? data : [value];
}
