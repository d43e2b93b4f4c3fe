import type { Sql } from '../../../db/connect.ts';
import { type EntityKey, type Fields, labelOf } from './entity.ts';
import { GOOGLE_FOOD_LIMITS } from './limits.ts';
import {
  findEntities,
  findLinksBelow,
  type StagedEntity,
  type StagedLink,
  sizeOfEntities,
} from './staged-entities.db.ts';
import { joinStore, type StoreGraph } from './store-graph.ts';

/** A restaurant with all that it reaches, or why it is too much to hold. */
export type LoadedStore = { ok: true; graph: StoreGraph } | { ok: false; message: string };

/** Loads what a restaurant reaches, step by step; an entity that several others share is loaded once. */
export async function loadStore(sql: Sql, restaurant: StagedEntity): Promise<LoadedStore> {
  const { entitiesPerStore, charactersPerStore, steps } = GOOGLE_FOOD_LIMITS;
  const reached = new Map<string, EntityKey>([[labelOf(restaurant), restaurant]]);
  const links: StagedLink[] = [];
  const entities = [withFields(restaurant)];
  let characters = restaurant.body.length;
  let next: EntityKey[] = [restaurant];
  for (let step = 0; next.length > 0; step += 1) {
    if (step > steps) return no(`expected at most ${steps} steps from a restaurant to what belongs to it`);
    const found = await findLinksBelow(sql, next, entitiesPerStore + 1);
    for (const link of found) links.push(link);
    next = unreached(found, reached);
    if (links.length > entitiesPerStore) return no(`expected at most ${entitiesPerStore} entities in a store`);
    characters += await sizeOfEntities(sql, next);
    if (characters > charactersPerStore) return no(`expected at most ${charactersPerStore} characters in a store`);
    for (const entity of await findEntities(sql, next)) entities.push(withFields(entity));
  }
  return { ok: true, graph: joinStore(restaurant, entities, links) };
}

function unreached(found: readonly StagedLink[], reached: Map<string, EntityKey>): EntityKey[] {
  const added: EntityKey[] = [];
  for (const { child } of found) {
    const label = labelOf(child);
    if (reached.has(label)) continue;
    reached.set(label, child);
    added.push(child);
  }
  return added;
}

function withFields({ type, id, body }: StagedEntity): EntityKey & { fields: Fields } {
  return { type, id, fields: JSON.parse(body) as Fields };
}

function no(message: string): LoadedStore {
  return { ok: false, message };
}
