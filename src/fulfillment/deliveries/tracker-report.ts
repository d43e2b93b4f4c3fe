import { type Static, Type } from 'typebox';
import { describedObject, optionalNumber, optionalText } from '../../platform/http/api-components.ts';
import { parseMoment } from '../../platform/lib/time.ts';
import type { PositionReport } from './driver-location.ts';

/*
 * Positions of two tracking apps, which keep reporting while a navigation app covers the driver's page: OwnTracks in
 * its HTTP mode, and Traccar Client (JSON from version 9 on; a query or a form before).
 */

const latitude = optionalNumber(-90, 90, 'Degrees.');
const longitude = optionalNumber(-180, 180, 'Degrees.');
/** Both apps write -1 for an unknown course or accuracy. */
const measured = (description: string) => Type.Optional(Type.Number({ description }));
const moment = Type.String({
  maxLength: 40,
  description: 'When the phone measured it: ISO 8601, or epoch seconds or milliseconds.',
});

/** Parameters of Traccar Client before version 9. */
export const TrackerQuery = Type.Object({
  lat: latitude,
  lon: longitude,
  timestamp: Type.Optional(moment),
  accuracy: measured('Meters.'),
  bearing: measured('The heading in degrees clockwise from north.'),
});

/** A message of OwnTracks (`_type`), or of Traccar Client (`location`). */
export const TrackerBody = Type.Object({
  _type: optionalText(40, 'From OwnTracks: only `location` moves the driver.'),
  lat: latitude,
  lon: longitude,
  tst: measured('When the phone measured it, in epoch seconds.'),
  acc: measured('Meters.'),
  cog: measured('The heading in degrees clockwise from north.'),
  location: Type.Optional(
    describedObject('From Traccar Client.', {
      timestamp: Type.Optional(moment),
      coords: Type.Object({
        latitude: Type.Number({ minimum: -90, maximum: 90, description: 'Degrees.' }),
        longitude: Type.Number({ minimum: -180, maximum: 180, description: 'Degrees.' }),
        accuracy: measured('Meters.'),
        heading: measured('The heading in degrees clockwise from north.'),
      }),
    }),
  ),
});

/** A form of Traccar Client before version 9, as its later message; an empty one leaves its query to be read. */
export function trackerBodyOf({ lat, lon, timestamp, accuracy, bearing }: Readonly<Record<string, string>>): object {
  if (lat === undefined && lon === undefined) return {};
  const numbers = { latitude: lat, longitude: lon, accuracy, heading: bearing };
  const coords = Object.entries(numbers).flatMap(([name, text]) =>
    text === undefined ? [] : [[name, numberIn(text)]],
  );
  return { location: { ...(timestamp === undefined ? {} : { timestamp }), coords: Object.fromEntries(coords) } };
}

const numberIn = (text: string) => (/^-?\d{1,15}(\.\d{1,20})?$/.test(text) ? Number(text) : text);

type Numbers = 'lat' | 'lon' | 'accuracy' | 'course' | 'epochMs';
type Tracked = { [Name in Numbers]?: number | undefined };

/** Returns the position in a tracker's message; undefined for other messages, such as OwnTracks' last will. */
export function readTrackerReport(
  body: Static<typeof TrackerBody>,
  query: Static<typeof TrackerQuery>,
): PositionReport | undefined {
  const { lat, lon, accuracy, course, epochMs } = trackedIn(body, query);
  if (lat === undefined || lon === undefined) return undefined;
  return {
    latitude: lat,
    longitude: lon,
    accuracy: accuracy === undefined || accuracy < 0 ? undefined : accuracy,
    course: course === undefined || course < 0 ? undefined : Math.round(course) % 360,
    measuredEpochS: epochMs ? epochMs / 1000 : undefined,
  };
}

function trackedIn(body: Static<typeof TrackerBody>, query: Static<typeof TrackerQuery>): Tracked {
  if (body._type !== undefined) {
    const { lat, lon, acc: accuracy, cog: course, tst = Number.NaN } = body;
    return body._type === 'location' ? { lat, lon, accuracy, course, epochMs: tst * 1000 } : {};
  }
  const { coords, timestamp } = body.location ?? {};
  if (coords) {
    const { latitude: lat, longitude: lon, accuracy, heading: course } = coords;
    return { lat, lon, accuracy, course, epochMs: epochMsOf(timestamp) };
  }
  const { lat, lon, accuracy, bearing: course, timestamp: at } = query;
  return { lat, lon, accuracy, course, epochMs: epochMsOf(at) };
}

/** The first epoch milliseconds that are no epoch seconds: the year 5138. */
const FIRST_EPOCH_MS = 1e11;

function epochMsOf(text = ''): number | undefined {
  const number = Number(text);
  if (text === '' || Number.isNaN(number)) return parseMoment(text)?.epochMilliseconds;
  return number < FIRST_EPOCH_MS ? number * 1000 : number;
}
