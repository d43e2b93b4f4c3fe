import type { Coordinate } from 'doorstep/search-engine/geography';
import { splitWords } from 'doorstep/search-engine/text';
import type { Context } from '../../platform/db/context.ts';
import type { ReportLeftOut } from '../../platform/lib/left-out.ts';
import { readAddressLine } from '../stores/address-line.ts';
import { COUNTRY_NAMES, partsOfStore, readStreet, writeAddress } from '../stores/street-address.ts';
import { type Geocoder, type LocatedAddress, MAX_RESULTS } from './geocoder.ts';
import { comparedDoor, isSameDoor } from './house-number.ts';
import { type AddressedStore, findStoreAreas, findStoresAtNumber, lastChange } from './store-addresses.db.ts';
import { type Area, StoreAreas } from './store-areas.index.ts';

/** Minimum time between two reads of the areas. */
const MIN_INTERVAL_MS = 60_000;
/** Minimum time between two reads, in multiples of the last one's duration: a read of a million stores takes seconds. */
const INTERVAL_FACTOR = 60;
/** Maximum areas, more than the postal codes that stores use. */
const MAX_AREAS = 100_000;

type GeocoderDeps = Context & { reportLeftOut: ReportLeftOut; maxAreas?: number };
type ReadAreas = { seq: number; dueMs: number; areas: StoreAreas };

/**
 * The geocoder of sandboxes and the demo. It finds only the addresses, postal codes and cities of public stores.
 */
export class StoreGeocoder implements Geocoder {
  private readonly deps: GeocoderDeps;
  private known: ReadAreas | undefined;
  private reading: Promise<ReadAreas> | undefined;

  constructor(deps: GeocoderDeps) {
    this.deps = deps;
  }

  async geocode(text: string): Promise<readonly LocatedAddress[]> {
    const named = (await this.readAreas()).find(text);
    if (!named) return [];
    const { areas, street } = named;
    const store = areas[0] && (await this.findStore(areas[0], text, street));
    return store ? [store] : areas.slice(0, MAX_RESULTS).map(locatedIn);
  }

  /** Finds the postal code of stores nearby: no store is at the door of a customer. */
  async reverseGeocode(at: Coordinate): Promise<readonly LocatedAddress[]> {
    const area = (await this.readAreas()).nearest(at);
    return area ? [locatedIn(area)] : [];
  }

  /** Finds the store at a street address, if its house number and street are the first words. */
  private async findStore(area: Area, text: string, words: readonly string[]): Promise<LocatedAddress | undefined> {
    const number = splitWords(readAddressLine(text).streetNum);
    if (number.length === 0) return undefined;
    const typed = { number, street: words.slice(number.length) };
    const stores = await findStoresAtNumber(this.deps.db, area, number);
    const found = stores.find(({ address }) => isSameDoor(comparedDoor(address.streetAddr), typed));
    return found && locatedAt(found);
  }

  private async readAreas(): Promise<StoreAreas> {
    const { known } = this;
    if (known && this.nowMs() < known.dueMs) return known.areas;
    this.reading ??= this.read().finally(() => {
      this.reading = undefined;
    });
    this.known = await this.reading;
    return this.known.areas;
  }

  private async read(): Promise<ReadAreas> {
    const { db } = this.deps;
    const startMs = this.nowMs();
    const seq = await lastChange(db);
    const areas = this.known?.seq === seq ? this.known.areas : await this.indexAreas();
    const endMs = this.nowMs();
    return { seq, dueMs: endMs + Math.max(MIN_INTERVAL_MS, INTERVAL_FACTOR * (endMs - startMs)), areas };
  }

  private async indexAreas(): Promise<StoreAreas> {
    const { db, reportLeftOut, maxAreas = MAX_AREAS } = this.deps;
    const areas = await findStoreAreas(db, maxAreas + 1);
    if (areas.length > maxAreas) reportLeftOut('address', "areas beyond the geocoder's maximum", { maxAreas });
    return new StoreAreas(areas.slice(0, maxAreas));
  }

  private nowMs(): number {
    return this.deps.clock.now().epochMilliseconds;
  }
}

function locatedIn({ latitude, longitude, address, precision, parts }: Area): LocatedAddress {
  return { latitude, longitude, address, precision, parts };
}

function locatedAt({ address, latitude, longitude }: AddressedStore): LocatedAddress {
  const parts = { ...partsOfStore(address), aptNum: '', ...readStreet(address.streetAddr) };
  return {
    latitude,
    longitude,
    address: writeAddress(parts, COUNTRY_NAMES[address.country]),
    precision: 'rooftop',
    parts,
  };
}
