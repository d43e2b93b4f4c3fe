import { chordOfMiles, unitVectorAt } from '../../lib/geo/sphere.ts';
import { wordsOf } from '../../lib/text/normalise-text.ts';
import type { DeliveryReach } from './delivery-reach.index.ts';
import type { Groups } from './groups/store-group.ts';
import { groupsOf, matchText } from './match-text.ts';
import type { NameIndex } from './name.index.ts';
import type { RankRequest } from './nodes/rank-request.ts';
import type { OpenTimes } from './open-times.index.ts';
import { keyOfPage } from './page-key.ts';
import type { AskedPage } from './page-starts.index.ts';
import { type SandboxPlaces, shownNames } from './sandbox-places.index.ts';
import type { SpatialIndex } from './spatial.index.ts';
import type { StoreColumns } from './store-columns.ts';
import { filterOf, nodeFilterOf, type StoreFilter } from './store-filter.ts';
import { pageSizeOf, type StoreQuery } from './store-query.ts';
import { sortOf } from './store-sort.ts';

/** Queries in the form that the ranking of stores asks for. */
export type RankRequests = {
  /** The conditions on a store but for text and distance; with a city, on the store's city too. */
  accepting(query: StoreQuery, city: number | null, nowEpochS: number): StoreFilter;
  requestOf(query: StoreQuery, groups: Groups, conditions: StoreFilter): RankRequest;
  askedPage(query: StoreQuery, nowEpochS: number): AskedPage;
};

export type RankInputs = {
  columns: StoreColumns;
  spatial: SpatialIndex;
  deliveryReach: DeliveryReach;
  sandboxPlaces: SandboxPlaces;
  names: NameIndex;
  openTimes: OpenTimes;
  /** Ends the load of a new index. */
  endLoad(): void;
};

/** Added to a radius, so that rounding never loses a store on the radius. */
const RADIUS_SLACK_MILES = 1e-9;

export function createRankRequests(inputs: RankInputs): RankRequests {
  const { columns, spatial, deliveryReach, sandboxPlaces, names, openTimes, endLoad } = inputs;

  function accepting(query: StoreQuery, city: number | null, nowEpochS: number): StoreFilter {
    return filterOf({ ...query, city }, { columns, spatial, openTimes, sandboxPlaces }, nowEpochS);
  }

  function requestOf(query: StoreQuery, groups: Groups, conditions: StoreFilter): RankRequest {
    endLoad();
    const { latitude, longitude, maximumMiles, viewport, deliversHere } = query;
    const farthest = maximumMiles === null ? Infinity : chordOfMiles(maximumMiles + RADIUS_SLACK_MILES);
    return {
      groups,
      from: unitVectorAt(latitude, longitude),
      farthest,
      viewport,
      delivers: deliversHere ? deliveryReach.deliversTo(query) : null,
      sort: sortOf(query, columns, deliveryReach),
      filter: nodeFilterOf(query, { columns, sandboxPlaces }),
      ...conditions,
    };
  }

  function askedPage(query: StoreQuery, nowEpochS: number): AskedPage {
    const words = wordsOf(query.text);
    const sandbox = sandboxPlaces.ownerOf(query.sandbox);
    const inputs = { names, isShown: shownNames(names.stores, sandboxPlaces, sandbox), cityOf: columns.cityOf };
    const { names: match, city } = matchText(inputs, words, query.autocomplete);
    const groups = groupsOf(match, query.sort === 'relevance');
    const request = requestOf(query, groups, accepting(query, city, nowEpochS));
    return { request, key: keyOfPage(query, sandbox, words), size: pageSizeOf(query.text) };
  }

  return { accepting, requestOf, askedPage };
}
