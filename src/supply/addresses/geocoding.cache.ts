import { lruOptions } from 'doorstep/collections';
import type { Coordinate } from 'doorstep/search-engine/geography';
import { LRUCache } from 'lru-cache';
import { type Caller, ownerOf } from '../../access/accounts/account.ts';
import { type LookupBudgetDeps, spendLookup } from '../../access/budgets/spend-lookup.flow.ts';
import { type Fault, Refusal, retryAfter } from '../../platform/http/refusal.ts';
import { invalidRequest } from '../../platform/http/request-schema.ts';
import { ConcurrencyLimiter } from '../../platform/load/concurrency-limiter.ts';
import { namesDoor } from '../stores/street-address.ts';
import { isCovered } from '../stores/time-zone.ts';
import { addressFault, type DoorAddress } from './address-parameter.ts';
import type { Geocoder, LocatedAddress } from './geocoder.ts';

/*
 * Geocodes addresses for every endpoint and tool that accepts one in place of a coordinate (docs/addresses.md). Uses
 * the configured geocoder; without one, sandbox keys use the geocoder of the stores' own addresses.
 */

type Deps = LookupBudgetDeps & {
  /** The configured geocoder; undefined if there is none. */
  geocoder: Geocoder | undefined;
  storeGeocoder: Geocoder;
};

type Results = Promise<readonly LocatedAddress[]>;

/** A cached look-up. Requests that arrive while it runs share it; a failed one is forgotten. */
type Lookup = { untilMs: number; results: Results };

/** Maximum addresses per process, about 5 MB. */
const MAX_ADDRESSES = 10_000;
/** Well within the 30 days that Google's terms allow. */
const FOUND_TTL_MS = 7 * 24 * 3_600_000;
/** An unknown address may be in the geocoder's next data. */
const NOT_FOUND_TTL_MS = 3_600_000;

/** Limits on concurrent look-ups, so that one account cannot starve the others. */
const LOOKUP_LIMITS = {
  maxRunning: 32,
  maxRunningOfOwner: 8,
  maxWaiting: 256,
  maxWaitingOfOwner: 32,
  refusal: () =>
    new Refusal(
      'rate_limited',
      'Too many geocoding requests from this account are in progress. Try again later.',
      retryAfter(1),
    ),
};

/** Codes that `locate` and `find` refuse with, beyond the common ones. */
export const REFUSES_ADDRESS = ['address_not_found', 'geocoder_not_configured', 'upstream_unavailable'] as const;

const ONLY_OF_STORES =
  "Without a GEOCODER, a sandbox can geocode only the addresses, postal codes and cities of its stores. This one doesn't match, so send a coordinate.";

const OPERATORS = 'operators';

type Member = Pick<Fault, 'in' | 'name'>;

/** The location in a request: a coordinate, or an address to look up. */
export type GivenLocation = {
  latitude: number | undefined;
  longitude: number | undefined;
  address: string | undefined;
  /** Prefix of the coordinate's field names in errors: `user_` for `user_latitude`. */
  prefix: '' | 'user_';
  in: Fault['in'];
};

export class Geocoding {
  private readonly deps: Deps;
  private readonly lookups = new LRUCache<string, Lookup>(lruOptions(MAX_ADDRESSES));
  /** Look-ups of visitors that were counted in a sandbox without a geocoder, where nothing is cached. */
  private readonly counted = new LRUCache<string, true>(lruOptions(MAX_ADDRESSES));
  private readonly limiter = new ConcurrencyLimiter(LOOKUP_LIMITS);

  constructor(deps: Deps) {
    this.deps = deps;
  }

  /**
   * Returns the request's coordinate if it has one, otherwise the coordinate of the address's best match. Returns a
   * coordinate synchronously: a promise would cost store search a turn of the event loop.
   */
  locate(caller: Caller, given: GivenLocation): Coordinate | Promise<LocatedAddress> {
    const { latitude, longitude, address, prefix } = given;
    if (latitude !== undefined && longitude !== undefined) return { latitude, longitude };
    const names = [`${prefix}latitude`, `${prefix}longitude`] as const;
    const missing = [latitude, longitude].flatMap((value, index) => (value === undefined ? [names[index] ?? ''] : []));
    if (address === undefined || missing.length === 1) {
      throw invalidRequest(missing.map((name) => ({ in: given.in, name, message: 'is required' })));
    }
    return this.find(caller, address, { in: given.in, name: 'address' }).then(([best]) => best as LocatedAddress);
  }

  /** Finds the matches for operators, whose look-ups count toward one account. */
  findForOperators(address: string, member: Member): Promise<readonly LocatedAddress[]> {
    const mode = this.deps.geocoder ? 'live' : 'sandbox';
    return this.find({ accountId: OPERATORS, mode, keyId: OPERATORS }, address, member);
  }

  /** Finds the matches of an address, at least one, best first. `member` is the field that errors name. */
  async find(caller: Caller, address: string, member: Member): Promise<readonly LocatedAddress[]> {
    const message = addressFault(address);
    if (message !== undefined) throw invalidRequest([{ ...member, message }]);
    const text = address.trim().replaceAll(/\s+/g, ' ');
    const results = await this.results(caller, text.toLowerCase(), (geocoder) => geocoder.geocode(text));
    if (results.length > 0) return results;
    throw addressNotFound(this.knowsStreets ? 'No address in the US or Canada matches.' : ONLY_OF_STORES, member);
  }

  /**
   * Finds a delivery address. A live order's driver needs more than the middle of a postal code, and so does an agent's
   * quote; sandboxes without a geocoder find only the streets of stores.
   */
  async findDoor(
    caller: Caller,
    { text, typed, name }: DoorAddress,
    { in: place, needsStreet = caller.mode === 'live' }: { in: Fault['in']; needsStreet?: boolean | undefined },
  ): Promise<LocatedAddress> {
    const [best] = await this.find(caller, text, { in: place, name });
    const isLenient = caller.mode === 'sandbox' && !this.knowsStreets && namesDoor(typed);
    if (best && (!needsStreet || isExact(best) || isLenient)) return best;
    const sentence =
      'The address could only be located by its postal code or city. Correct the street, or send a coordinate.';
    throw addressNotFound(sentence, { in: place, name });
  }

  /** Finds the addresses at a coordinate, at least one, best first. It is looked up to the meter. */
  async findAt(caller: Caller, { latitude, longitude }: Coordinate): Promise<readonly LocatedAddress[]> {
    const at = { latitude: roundToMeter(latitude), longitude: roundToMeter(longitude) };
    const { geocoder } = this.deps;
    const canLookUp =
      isCovered(latitude, longitude) && (geocoder === undefined || geocoder.reverseGeocode !== undefined);
    const results = canLookUp
      ? await this.results(caller, `@${at.latitude},${at.longitude}`, async (one) => one.reverseGeocode?.(at) ?? [])
      : [];
    if (results.length > 0) return results;
    throw addressNotFound('The geocoder finds no address at this coordinate.', { in: 'query', name: 'latitude' });
  }

  /** Whether addresses other than stores' own are found. */
  get knowsStreets(): boolean {
    return this.deps.geocoder !== undefined;
  }

  private async results(caller: Caller, key: string, run: (geocoder: Geocoder) => Results): Results {
    const { geocoder, storeGeocoder } = this.deps;
    if (geocoder) return this.lookUpOnce(caller, key, () => run(geocoder));
    if (caller.mode === 'live') {
      throw new Refusal('geocoder_not_configured', 'The service has no geocoder. Send a coordinate.');
    }
    const { visitor } = caller;
    const name = `${ownerOf(caller)} ${visitor?.name} ${key}`;
    if (visitor && !this.counted.has(name)) {
      visitor.count('lookups');
      this.counted.set(name, true);
    }
    return this.limiter.run(ownerOf(caller), () => run(storeGeocoder));
  }

  /** Cached per account and mode: a fast response reveals no one else's look-ups. */
  private async lookUpOnce(caller: Caller, subject: string, run: () => Results): Results {
    const key = `${ownerOf(caller)} ${subject}`;
    const nowMs = this.deps.clock.now().epochMilliseconds;
    const known = this.lookups.get(key);
    if (known && known.untilMs > nowMs) return known.results;
    // Before the look-up, which others may share.
    caller.visitor?.count('lookups');
    const results = this.lookUp(caller, run);
    const lookup: Lookup = { untilMs: nowMs + FOUND_TTL_MS, results };
    this.lookups.set(key, lookup);
    try {
      if ((await results).length === 0) lookup.untilMs = nowMs + NOT_FOUND_TTL_MS;
    } catch {
      if (this.lookups.get(key) === lookup) this.lookups.delete(key);
    }
    return results;
  }

  private lookUp(caller: Caller, run: () => Results): Results {
    // Inside the limiter, so that a look-up that the limiter refuses costs no budget.
    return this.limiter.run(ownerOf(caller), async () => {
      await spendLookup(this.deps, caller);
      return run();
    });
  }
}

const isExact = ({ precision }: LocatedAddress) => precision === 'rooftop' || precision === 'street';

const roundToMeter = (degrees: number) => Number(degrees.toFixed(5));

export function addressNotFound(sentence: string, member: Member): Refusal {
  return new Refusal('address_not_found', sentence, { errors: [{ ...member, message: 'was not found' }] });
}
