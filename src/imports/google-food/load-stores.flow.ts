import type { Sql } from '../../db/connect.ts';
import { type EntityKey, type Fields, labelOf } from './entity.ts';
import { GOOGLE_FOOD_LIMITS } from './limits.ts';
import {
  findEntities,
  findLinksBelow,
  type StagedEntity,
  type StagedLink,
  sizeOfEntities,
} from './staged-entities.db.ts';
import { joinStores, type StoreGraph } from './store-graph.ts';

/** A restaurant with every entity that it reaches, or the message that these are too many. */
export type LoadedStore = { restaurant: StagedEntity } & ({ graph: StoreGraph } | { message: string });

/**
 * Loads the entities that restaurants reach, level by level for all restaurants at once; a shared entity is loaded once.
 * Where the sum exceeds the limit of one restaurant, the restaurants are loaded one by one.
 */
export async function loadStores(sql: Sql, restaurants: readonly StagedEntity[]): Promise<LoadedStore[]> {
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
  const reached = new Map<string, EntityKey>(restaurants.map((one) => [labelOf(one), one]));
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
    const label = labelOf(child);
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
