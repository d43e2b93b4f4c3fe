import { readSourceFood } from '../food-facts.ts';
import { fieldOf, isFields, listOf, textOf } from './entity.ts';
import type { StoreContext } from './store-context.ts';
import { type GraphEntity, given } from './store-graph.ts';

/** What a menu item, add-on or option states of its food, as the `food` of a line; undefined where it states nothing. */
export function foodOf({ notes }: StoreContext, entity: GraphEntity): object | undefined {
  const textsOf = (...keys: string[]) =>
    keys.flatMap((key) => listOf(given(entity, key)).map(textOf)).filter((text) => text !== '');
  const [nutrition] = listOf(given(entity, 'nutrition'));
  const { food, lost } = readSourceFood({
    source: 'google-food',
    diets: textsOf('suitableDiet', 'dietaryRestriction'),
    allergens: textsOf('allergen'),
    nutrition: isFields(nutrition) ? (property) => textOf(listOf(fieldOf(nutrition, property))[0]) : null,
  });
  for (const { property, expected } of lost) notes.warn(entity.label, property, expected);
  return food;
}
