import { type Static, Type } from 'typebox';
import { flag, optionalNumber } from '../../platform/http/api-components.ts';

/** Maximum characters, more than any name with an address has. */
const MAX_CHARACTERS = 300;
export const DEFAULT_RADIUS_METERS = 10_000;

/** `latitude` and `longitude` go together: one without the other is refused. */
export const COORDINATE_WHOLE = {
  location_bias_latitude: ['location_bias_longitude'],
  location_bias_longitude: ['location_bias_latitude'],
};

export const placeSearchParameters = Type.Object(
  {
    search: Type.Refine(
      Type.String({
        maxLength: MAX_CHARACTERS,
        description:
          'Words from the name, and from the address if many places share the name. The last word may be incomplete.',
      }),
      (text) => /[\p{L}\p{N}]/u.test(text),
      () => 'must have a letter or a digit',
    ),
    location_bias_latitude: optionalNumber(-90, 90, 'The latitude. Nearer matches come first. Requires the longitude.'),
    location_bias_longitude: optionalNumber(-180, 180, 'The longitude. Requires the latitude.'),
    location_bias_radius: Type.Optional(
      Type.Number({
        minimum: 0,
        default: DEFAULT_RADIUS_METERS,
        description: 'The radius in meters. Equally good matches within it come first, and no matches are excluded.',
      }),
    ),
    search_type: Type.Optional(
      Type.Enum(['place'], { default: 'place', description: 'The kind of place to search for.' }),
    ),
    open_filter: flag('`true` returns only places that are open now by their published hours.'),
  },
  { dependentRequired: COORDINATE_WHOLE },
);

export type PlaceSearchParameters = Static<typeof placeSearchParameters>;
