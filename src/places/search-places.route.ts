import { type Static, Type } from 'typebox';
import { sandboxOf } from '../accounts/account.ts';
import type { Http } from '../http/http.ts';
import { findKnownPlaces } from './known-places.flow.ts';
import type { PlaceQuery } from './place-directory.ts';
import { PlaceSchema, presentPlace } from './present-place.ts';
import { type LookupDeps, spendLookup } from './spend-lookup.flow.ts';

/** Longer than any name and address together. */
const MAX_CHARACTERS = 300;
const DEFAULT_RADIUS_METRES = 10_000;
/** Half the circumference of the earth: the largest distance. */
const MAX_RADIUS_METRES = 20_037_508;

const searchParameters = Type.Object(
  {
    search: Type.Refine(
      Type.String({
        maxLength: MAX_CHARACTERS,
        description:
          'Words of the name, and of the address if there are many of that name. The last may be unfinished.',
      }),
      (text) => /[\p{L}\p{N}]/u.test(text),
      () => 'must have a letter or a digit',
    ),
    location_bias_latitude: Type.Optional(
      Type.Number({
        minimum: -90,
        maximum: 90,
        description: 'Degrees north; nearer matches come first. Comes with the longitude.',
      }),
    ),
    location_bias_longitude: Type.Optional(
      Type.Number({ minimum: -180, maximum: 180, description: 'Degrees east; comes with the latitude.' }),
    ),
    location_bias_radius: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: MAX_RADIUS_METRES,
        default: DEFAULT_RADIUS_METRES,
        description: 'Metres. Equally good matches within it come first; it cuts nothing off.',
      }),
    ),
    search_type: Type.Optional(Type.Enum(['place'], { default: 'place', description: 'What is searched for.' })),
    open_filter: Type.Optional(
      Type.Boolean({ description: '`true` keeps the places that are open now by their published hours.' }),
    ),
  },
  {
    dependentRequired: {
      location_bias_latitude: ['location_bias_longitude'],
      location_bias_longitude: ['location_bias_latitude'],
    },
  },
);

const schema = {
  operationId: 'searchPlaces',
  tags: ['Places'],
  summary: 'Find a place in the directory',
  description:
    'For stores that store search does not find. A place that is in the service already names its store; any other can be added with add_store.',
  querystring: searchParameters,
  response: {
    200: Type.Object(
      { places: Type.Array(PlaceSchema, { description: 'At most 20, best first.' }) },
      { description: 'The places found; none is an empty list.' },
    ),
  },
};

const REFUSES = ['upstream_unavailable'] as const;

export function searchPlacesRoute(http: Http, deps: LookupDeps): void {
  const { placeDirectory, clock } = deps;
  http.get('/places/search', { schema, config: { refuses: REFUSES } }, async (request) => {
    await spendLookup(deps, request.caller);
    const places = await placeDirectory.search(placeQueryOf(request.query, clock.now()));
    const known = await findKnownPlaces(deps, places, sandboxOf(request.caller));
    return { places: places.map((place) => presentPlace(place, known.get(place.placeId))) };
  });
}

function placeQueryOf(given: Static<typeof searchParameters>, now: Temporal.Instant): PlaceQuery {
  const { location_bias_latitude: latitude, location_bias_longitude: longitude } = given;
  const radiusMetres = given.location_bias_radius ?? DEFAULT_RADIUS_METRES;
  const near = latitude === undefined || longitude === undefined ? null : { latitude, longitude, radiusMetres };
  return { text: given.search, near, isOpenOnly: given.open_filter ?? false, now };
}
