import { readSourceFood } from '../food-facts.ts';
import { firstText, type LdNode, nodesOf, textOf } from './nodes.ts';
import { labelOf, type StoreContext } from './store-context.ts';

/** What a menu item states of its food, as the `food` of a line; undefined where it states nothing. */
export function foodOf({ graph, notes }: StoreContext, item: LdNode): object | undefined {
  const diets = graph.values(item, 'suitableForDiet').map((value) => graph.nodeOf(value)?.id ?? textOf(value));
  const [nutrition] = nodesOf(graph, item, 'nutrition');
  const { food, lost } = readSourceFood({
    source: 'schema-org',
    diets: diets.filter((text) => text !== ''),
    allergens: [],
    nutrition: nutrition ? (property) => firstText(graph, nutrition, property) : null,
  });
  for (const { property, expected } of lost) notes.warn(labelOf(graph, item), property, expected);
  return food;
}
