import { setTimeout as delay } from 'node:timers/promises';
import { OutsideError } from '../../platform/lib/outside-error.ts';
import { cleanText } from '../../platform/lib/plain-text.ts';
import { type Geocoder, type LocatedAddress, MAX_RESULTS, type Precision } from '../../supply/addresses/geocoder.ts';
import { readCountry, readRegion } from '../../supply/stores/region.ts';
import type { Country } from '../../supply/stores/store.ts';
import {
  COUNTRY_NAMES,
  MAX_ADDRESS_CHARACTERS,
  type StreetAddress,
  writeAddress,
} from '../../supply/stores/street-address.ts';
import { isCovered } from '../../supply/stores/time-zone.ts';
import { fetchText, type TextAnswer } from './outside-call.ts';

/** Shared by the geocoders: one call, its errors, and the check of each result. */

export const GEOCODER = 'The geocoder';
/** Short, because a person is waiting for the response. */
export const TIMEOUT_MS = 5_000;
/** Five results with all their parts are about 20 kB. */
const MAX_BYTES = 512 * 1024;
const QUOTA_RETRY_AFTER_SECONDS = 60;

/** Overrides for tests. */
export type GeocoderOptions = { baseUrl?: string; timeoutMs?: number };

/** Names the service in its calls, as the usage policies of open geocoders ask for. */
export const USER_AGENT = 'Doorstep (self-hosted ordering service)';

/** Calls a geocoder. Errors omit the URL, because it may contain a key. */
export async function callGeocoder(
  url: string,
  query: Readonly<Record<string, string>>,
  { host, timeoutMs = TIMEOUT_MS }: { host: string; timeoutMs?: number | undefined },
): Promise<TextAnswer> {
  const headers = { accept: 'application/json', 'user-agent': USER_AGENT };
  const called = { party: GEOCODER, host, maxBytes: MAX_BYTES, timeoutMs };
  const answer = await fetchText(`${url}?${new URLSearchParams(query)}`, { headers }, called);
  const { status } = answer;
  if (status === 429) throw quotaUsedUp(host);
  if (status >= 500 || status < 200 || status === 401 || status === 403 || status === 404) {
    throw new OutsideError(GEOCODER, `${host} answered ${status}.`, { retryable: status >= 500 });
  }
  return answer;
}

export function quotaUsedUp(host: string): OutsideError {
  const retryAfterSeconds = QUOTA_RETRY_AFTER_SECONDS;
  return new OutsideError(GEOCODER, `${host} answers no more for now.`, { retryable: true, retryAfterSeconds });
}

/** Public servers take one request a second (operations.osmfoundation.org/policies/nominatim; photon.komoot.io). */
const PUBLIC_HOSTS: readonly string[] = ['nominatim.openstreetmap.org', 'photon.komoot.io'];
const PUBLIC_INTERVAL_MS = 1000;
/** Interval of all other free geocoders: an operator's own server, and the Census. */
const INTERVAL_MS = 50;
/** Look-ups that would wait longer are refused. */
const MAX_WAIT_MS = 5000;

/** Returns a free geocoder at the pace that each worker keeps. `url` is the server's. */
export function pacedGeocoder(
  geocoder: Geocoder,
  url: string,
  { nowMs = () => performance.now(), wait = delay as (ms: number) => Promise<unknown> } = {},
): Geocoder {
  const host = URL.parse(url)?.hostname ?? '';
  const intervalMs = PUBLIC_HOSTS.includes(host) ? PUBLIC_INTERVAL_MS : INTERVAL_MS;
  let nextMs = -Infinity;
  async function waitForTurn(): Promise<void> {
    const startMs = nowMs();
    const waitMs = Math.max(0, nextMs - startMs);
    if (waitMs > MAX_WAIT_MS) throw quotaUsedUp(host);
    nextMs = startMs + waitMs + intervalMs;
    if (waitMs > 0) await wait(waitMs);
  }
  const reverse = geocoder.reverseGeocode?.bind(geocoder);
  return {
    async geocode(text) {
      await waitForTurn();
      return geocoder.geocode(text);
    },
    ...(reverse && {
      async reverseGeocode(at) {
        await waitForTurn();
        return reverse(at);
      },
    }),
  };
}

/** Calls a geocoder. `read` finds the results; undefined: the response contradicts its documentation. */
export async function geocodeBy(
  url: string,
  query: Readonly<Record<string, string>>,
  called: { host: string; timeoutMs?: number | undefined },
  read: (answer: TextAnswer) => readonly StatedResult[] | undefined,
): Promise<LocatedAddress[]> {
  const stated = read(await callGeocoder(url, query, called));
  if (!stated) throw unreadable(called.host);
  return locatedAddresses(stated);
}

/** Returns the error for a response that contradicts the geocoder's documentation. */
export function unreadable(host: string): OutsideError {
  return new OutsideError(GEOCODER, `${host}'s answer could not be read.`, { retryable: true });
}

/** A result as a geocoder states it, unchecked. */
export type StatedResult = {
  latitude: unknown;
  longitude: unknown;
  country: unknown;
  precision: Precision | undefined;
  parts: Readonly<Partial<Record<keyof StreetAddress, unknown>>>;
  /** The geocoder's own line, for places that its parts do not name. */
  line: unknown;
};

/** Returns the usable results: in the US or Canada, with coordinate and address, and at least as precise as a city. */
export function locatedAddresses(stated: readonly StatedResult[]): LocatedAddress[] {
  return stated
    .flatMap(({ latitude, longitude, country, precision, line, ...stated }) => {
      if (typeof latitude !== 'number' || typeof longitude !== 'number') return [];
      if (precision === undefined || !isCovered(latitude, longitude)) return [];
      const code = typeof country === 'string' ? readCountry(country) : undefined;
      if (code === undefined) return [];
      const parts = checkedParts(stated.parts, code);
      const isArea = precision === 'city' || precision === 'postal_code';
      const isNamed = parts.streetName !== '' || (isArea && parts.city !== '');
      const address = isNamed
        ? writeAddress(parts, COUNTRY_NAMES[code]).slice(0, MAX_ADDRESS_CHARACTERS)
        : plainText(line);
      return address === '' ? [] : [{ latitude, longitude, address, precision, parts }];
    })
    .slice(0, MAX_RESULTS);
}

/** The parts that a geocoder states; a region by its code. */
function checkedParts(stated: StatedResult['parts'], country: Country): StreetAddress {
  const state = plainText(stated.state);
  return {
    streetNum: plainText(stated.streetNum),
    streetName: plainText(stated.streetName),
    aptNum: plainText(stated.aptNum),
    city: plainText(stated.city),
    state: readRegion(state, country) ?? state,
    zipcode: plainText(stated.zipcode),
  };
}

function plainText(value: unknown): string {
  return typeof value === 'string' ? cleanText(value).slice(0, MAX_ADDRESS_CHARACTERS).toWellFormed() : '';
}
