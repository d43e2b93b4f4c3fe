import { type Chance, chanceOf, seedOf } from './chance.ts';
import { CITIES, type City, type CityKey } from './cities.ts';
import { ALWAYS_OPEN, CONCEPTS, type Concept, type ConceptKey } from './concepts.ts';
import { ownDriversAndCourier } from './delivery-zones.ts';
import type { FeedCategory, FeedProduct, FeedStore } from './feed-line.ts';
import { withFoodFacts } from './food-facts.ts';
import { cornerCatalog, type GroceryNeeds, marketCatalog } from './groceries.ts';
import { slugOf } from './menu-kit.ts';
import { CORNER, MARKET, MARKET_QUARTERS, neverSleeps, RESTAURANTS } from './roster.ts';
import { houseOn } from './streets.ts';
import { type Exception, termsOf } from './terms.ts';

/** The name under which the demo catalog is imported. */
export const DEMO_SOURCE = 'demo';
/** A store that is open at any hour and takes orders both ways: where the first look around starts. */
export const DEMO_START = { externalId: 'chicago-diner', latitude: 41.8827, longitude: -87.6493 };

const EXCEPTIONS: Readonly<Record<string, Exception>> = {
  'denver-noodles': 'pickup only',
  'vancouver-poke': 'delivery only',
  'boston-bowls': 'delivery paused',
  'honolulu-taqueria': 'no online orders',
};

const AWAKE = { operational: ALWAYS_OPEN };

/** When a market that closes at night is closed all day. */
const CHRISTMAS = [2026, 2027, 2028].map((year) => ({ from: `${year}-12-25`, hours: 'Closed' }));

/** About 90 invented stores in nine cities of the US and Canada, as lines of a feed; every run gives the same stores. */
export function* demoCatalog(): Generator<FeedStore> {
  let index = 0;
  for (const key of Object.keys(CITIES) as CityKey[]) {
    for (const place of placesIn(key)) {
      yield storeOf(place, index);
      index += 1;
    }
  }
}

type Place = {
  externalId: string;
  name: string;
  city: City;
  quarter: number;
  /** Undefined is a grocery. */
  concept: Concept | undefined;
  hours: FeedStore['hours'];
  grocery: 'market' | 'corner' | undefined;
};

function placesIn(key: CityKey): Place[] {
  const city: City = CITIES[key];
  const restaurants = Object.entries(RESTAURANTS[key]).map(([concept, name], position) => ({
    externalId: slugOf(`${key} ${concept}`),
    name,
    city,
    quarter: position % city.quarters.length,
    concept: CONCEPTS[concept as ConceptKey],
    hours: neverSleeps(key, concept as ConceptKey) ? AWAKE : CONCEPTS[concept as ConceptKey].hours,
    grocery: undefined,
  }));
  const markets = MARKET_QUARTERS[key].map((quarter) => grocery(key, quarter, 'market'));
  return [...restaurants, ...markets, grocery(key, 0, 'corner')];
}

function grocery(key: CityKey, quarter: number, kind: 'market' | 'corner'): Place {
  const externalId = slugOf(`${key} ${kind} ${quarter + 1}`);
  const name = kind === 'market' ? MARKET : CORNER;
  const isAwake = kind === 'corner' || (key === 'chicago' && quarter === 0);
  const hours = isAwake ? AWAKE : { operational: 'Mo-Su 07:00-22:00' };
  return { externalId, name, city: CITIES[key], quarter, concept: undefined, hours, grocery: kind };
}

function storeOf(place: Place, index: number): FeedStore {
  const chance = chanceOf(seedOf(place.externalId));
  const { city, concept, hours } = place;
  const where = randomAddress(chance, place);
  return {
    external_id: place.externalId,
    name: place.name,
    type: concept ? 'restaurant' : 'grocery',
    phone: `+1${city.areaCode}5550${100 + (index % 100)}`,
    description: concept ? concept.description : descriptionOf(place),
    ...where,
    time_zone: city.timeZone,
    hours,
    ...(place.grocery && hours !== AWAKE ? { hours_exceptions: CHRISTMAS } : {}),
    ...(concept ? { cuisines: [...concept.cuisines] } : {}),
    dollar_signs: concept?.dollarSigns ?? (place.grocery === 'corner' ? 2 : 1),
    photos: { food: [], logo: [], store: [] },
    ...termsOf(chance, {
      index,
      isGrocery: concept === undefined,
      neverCloses: hours.operational === ALWAYS_OPEN,
      tax: city.tax,
      exception: EXCEPTIONS[place.externalId],
      parties: concept === CONCEPTS.pizza ? ownDriversAndCourier(where) : undefined,
    }),
    categories: withFoodFacts(concept ? priced(concept.menu(), city.priceLevel) : groceriesOf(place, chance)),
  };
}

function descriptionOf({ grocery }: Place): string {
  return grocery === 'corner' ? 'The essentials, day and night.' : 'A full market: produce, pantry, household.';
}

/** Scattered within about 300 m of the quarter's middle; on a street of the demo's map, where its number is. */
function randomAddress(chance: Chance, { city, quarter }: Place) {
  const middle = city.quarters[quarter] ?? city.quarters[0];
  if (!middle) throw new RangeError(`${city.name} has no quarter.`);
  const near = (degrees: number) => Number((degrees + (chance.fraction() - 0.5) * 0.005).toFixed(6));
  const number = chance.between(12, 1480);
  const street = chance.pick(middle.streets);
  const unit = chance.happens(0.15) ? `Unit ${chance.between(1, 12)}` : '';
  const scattered = { number, street, latitude: near(middle.latitude), longitude: near(middle.longitude) };
  const house = houseOn(street, scattered) ?? scattered;
  return {
    address: {
      street_addr: `${house.number}${/^(boul|rue|av)\b/.test(street) ? ',' : ''} ${house.street}`,
      street_addr_2: unit,
      city: city.name,
      state: city.state,
      zipcode: middle.zipcode,
      country: city.country,
    },
    latitude: house.latitude,
    longitude: house.longitude,
  };
}

function groceriesOf({ grocery, city }: Place, chance: Chance): FeedCategory[] {
  const needs: GroceryNeeds = { chance, priceLevel: city.priceLevel, sellsBeer: city.sellsBeer };
  return grocery === 'corner' ? cornerCatalog(needs) : marketCatalog(needs);
}

/** Menus are written in one city's prices; each city has its own level, in steps of a quarter. */
function priced(menu: FeedCategory[], level: number): FeedCategory[] {
  return menu.map((category) => ({
    ...category,
    products: category.products?.map((dish) => repriced(dish, level)) ?? [],
  }));
}

function repriced(dish: FeedProduct, level: number): FeedProduct {
  const at = (cents: number) => Math.max(25, Math.round((cents * level) / 25) * 25);
  return {
    ...dish,
    price: at(dish.price),
    ...(dish.original_price === undefined ? {} : { original_price: at(dish.original_price) }),
    ...(dish.pickup_price === undefined ? {} : { pickup_price: at(dish.pickup_price) }),
  };
}
