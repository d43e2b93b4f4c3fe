import type { Country } from '../../stores/store.ts';
import type { SourceNotes } from '../source-notes.ts';
import { SCHEMA_ORG_LIMITS } from './limits.ts';
import { firstText, type LdGraph, type LdNode } from './nodes.ts';

/** The state that the readers of one store share. */
export type StoreContext = {
  graph: LdGraph;
  notes: SourceNotes;
  country: Country;
  /** Counts a position in the menus; false beyond the limit, which is reported once. */
  takePlace(node: LdNode): boolean;
};

export function createStoreContext(graph: LdGraph, notes: SourceNotes, country: Country): StoreContext {
  let places = 0;
  return {
    graph,
    notes,
    country,
    takePlace(node) {
      places += 1;
      const full = SCHEMA_ORG_LIMITS.positionsPerStore + 1;
      const message = `expected at most ${SCHEMA_ORG_LIMITS.positionsPerStore} places in a store's menus`;
      if (places === full) notes.fault(labelOf(graph, node), '', message);
      return places < full;
    },
  };
}

/** How faults and warnings name a thing: its type with its name, or its id. */
export function labelOf(graph: LdGraph, node: LdNode): string {
  const name = firstText(graph, node, 'name') || node.id || '';
  return `${node.types[0] ?? 'Thing'} ${name}`.trim().slice(0, 200);
}

/** The `@id` of a thing, where it names the thing for good: a blank node's does not. */
export function lastingId(node: LdNode): string | null {
  return node.id === null || node.id.startsWith('_:') ? null : node.id;
}

/** Whether a reference names no node of the document; reported as a warning. */
export function isLost({ graph, notes }: StoreContext, node: LdNode, owner: LdNode, property: string): boolean {
  if (node.isLost)
    notes.warn(labelOf(graph, owner), property, `expected a thing of the document with the id ${node.id}`);
  return node.isLost;
}
