import { COORDINATE_WHOLE, placeSearchParameters } from '../../../supply/places/place-search-request.ts';
import { type LookupDeps, searchPlaces } from '../../../supply/places/search-places.flow.ts';
import { clip, defineTool, MAX_LIST_BYTES, MAX_NAME, READ_ONLY, type Tool, takeFitting } from '../tool.ts';

const P = placeSearchParameters.properties;
const input = {
  search: P.search,
  location_bias_latitude: P.location_bias_latitude,
  location_bias_longitude: P.location_bias_longitude,
  location_bias_radius: P.location_bias_radius,
  open_filter: P.open_filter,
};

const names = {
  search: 'query',
  location_bias_latitude: 'latitude',
  location_bias_longitude: 'longitude',
  open_filter: 'open',
};

/** Defines the tool that searches places (docs/places.md). */
export function searchPlacesTool(deps: LookupDeps): Tool {
  return defineTool({
    name: 'search_places',
    description:
      'Finds a business that search_stores does not, in a place directory. Only places with a store_id accept orders.',
    annotations: { ...READ_ONLY, openWorldHint: true },
    input,
    dependentRequired: COORDINATE_WHOLE,
    names,
    async run(caller, given) {
      const places = await searchPlaces(deps, caller, given);
      return {
        places: takeFitting(
          places.map((place) => ({
            name: clip(place.place_name, MAX_NAME),
            address: clip(place.place_address, 200),
            latitude: place.place_location[0],
            longitude: place.place_location[1],
            status: place.status,
            ...(place.service_store_id === undefined ? {} : { store_id: place.service_store_id }),
          })),
          MAX_LIST_BYTES,
        ),
        ...(places.length === 0
          ? { hint: 'No place matches. Try fewer words, only the name, or without `open`.' }
          : {}),
      };
    },
  });
}
