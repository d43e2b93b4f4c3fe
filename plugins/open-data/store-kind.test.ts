import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { FOOD_GOODS } from '../../src/app/adapters/shop-words.ts';
import { isJsonObject, objectIn } from '../../src/platform/lib/json-object.ts';
import * as google from '../google-maps/store-type.ts';
import * as schemaOrg from '../schema-org/store-kind.ts';
import { readOsmPlace } from './read-osm-place.ts';
import { OVERTURE_SERVICES, osmStoreKind, overtureStoreKind, SERVING_WORDS, SHOP_WORDS } from './store-kind.ts';

const PAGE = readFileSync(new URL('../../docs/store-kinds.md', import.meta.url), 'utf8');

const osm = (shop: string, amenity = '', healthcare = '') => {
  const values = (text: string) => text.split(';').filter((value) => value !== '');
  const kind = osmStoreKind({ shop: values(shop), amenity: values(amenity), healthcare: values(healthcare) });
  return kind && [kind.type, kind.category, ...kind.sells];
};
const overture = (...own: string[]) => {
  const kind = overtureStoreKind(own, []);
  return kind && [kind.type, ...kind.sells];
};

test('shops of other goods are groceries that say what they sell, in every vocabulary', () => {
  assert.deepEqual(osm('electronics'), ['grocery', 'electronics', 'electronics']);
  assert.deepEqual(osm('', 'pharmacy'), ['grocery', 'pharmacy', 'pharmacy']);
  assert.deepEqual(osm('', '', 'pharmacy'), ['grocery', 'pharmacy', 'pharmacy']);
  assert.deepEqual(osm('books;toys'), ['grocery', 'books', 'books', 'toys']);
  assert.deepEqual(osm('doityourself'), ['grocery', 'doityourself', 'hardware']);
  assert.deepEqual(overture('computer_store', 'electronics_store', 'specialty_store'), ['grocery', 'electronics']);
  assert.deepEqual(overture('florist', 'flowers_and_gifts_shop'), ['grocery', 'flowers']);
  assert.deepEqual(overtureStoreKind(['pharmacy'], ['cosmetic_and_beauty_supplies', 'bank'])?.sells, [
    'pharmacy',
    'beauty',
  ]);
  assert.equal(google.googleStoreType(['pet_store', 'store', 'point_of_interest']), 'grocery');
  assert.equal(google.googleStoreType(['store', 'book_store', 'establishment']), 'grocery');
  assert.deepEqual(schemaOrg.schemaOrgStoreKind(['LocalBusiness', 'ToyStore'])?.sells, ['toys']);
  assert.deepEqual(schemaOrg.schemaOrgStoreKind(['Store', 'LocalBusiness'])?.sells, []);
});

test('eateries of Overture’s lists are restaurants by their own category alone', () => {
  const eateries = 'bar_and_grill steakhouse taqueria salad_bar pancake_house tapas_bar cafeteria donut_shop winery';
  for (const category of eateries.split(' ')) assert.deepEqual(overture(category), ['restaurant'], category);
  assert.deepEqual(overture('pretzel_shop'), ['grocery', 'bakery']);
});

test('services, vehicle dealers, pure gas stations, sights, markets and malls are no stores', () => {
  for (const shop of 'hairdresser beauty car car_repair tyres motorcycle laundry mall travel_agency pawnbroker weapons yes'.split(
    ' ',
  ))
    assert.equal(osm(shop), null, shop);
  for (const amenity of ['bank', 'fuel', 'clinic', 'marketplace', 'post_office', 'car_wash', 'library'])
    assert.equal(osm('', amenity), null, amenity);
  for (const category of ['bank', 'hair_salon', 'car_dealer', 'shopping_center', 'gas_station', 'park', 'shopping'])
    assert.equal(overture(category), null, category);
  assert.equal(overture('cooking_classes', 'arts_and_crafts_store'), null);
  for (const type of ['bank', 'hair_salon', 'park', 'gas_station', 'shopping_mall', 'car_repair'])
    assert.equal(google.googleStoreType([type, 'store', 'point_of_interest']), null, type);
  for (const type of ['BeautySalon', 'AutoDealer', 'BankOrCreditUnion', 'LocalBusiness', 'PawnShop'])
    assert.equal(schemaOrg.schemaOrgStoreKind([type]), null, type);
});

test('the main business counts for goods, any word for food', () => {
  assert.equal(osm('hairdresser;cosmetics'), null);
  assert.deepEqual(osm('laundry;convenience'), ['grocery', 'convenience', 'groceries']);
  assert.deepEqual(osm('convenience', 'fuel'), ['grocery', 'convenience', 'groceries']);
  assert.deepEqual(osm('florist', 'cafe'), ['restaurant', 'cafe']);
  assert.equal(google.googleStoreType(['car_dealer', 'car_dealer', 'auto_parts_store', 'store']), null);
  assert.equal(google.googleStoreType(['hotel', 'gift_shop']), null);
  assert.equal(google.googleStoreType(['gas_station', 'convenience_store']), 'grocery');
  assert.equal(google.googleStoreType(['gift_shop', 'cafe']), 'restaurant');
  assert.equal(schemaOrg.schemaOrgStoreKind(['Store', 'AutoDealer']), null);
  assert.equal(schemaOrg.schemaOrgStoreKind(['Restaurant', 'Store'])?.type, 'restaurant');
});

test('a word means one thing, and a product has one name in every vocabulary', () => {
  const sorts = new Set(SHOP_WORDS.osm.values());
  for (const shops of [...Object.values(SHOP_WORDS), google.SHOPS, schemaOrg.SHOPS])
    for (const sold of shops.values()) assert.ok(sorts.has(sold), sold);
  for (const food of FOOD_GOODS) assert.ok(sorts.has(food), food);
  for (const key of ['osm', 'overture'] as const)
    assert.deepEqual([...SERVING_WORDS[key].intersection(new Set(SHOP_WORDS[key].keys()))], [], key);
  for (const { SERVING, SHOPS } of [google, schemaOrg])
    assert.deepEqual([...SERVING.intersection(new Set(SHOPS.keys()))], []);
  assert.deepEqual([...OVERTURE_SERVICES.intersection(new Set(SHOP_WORDS.overture.keys()))], []);
});

test('docs/store-kinds.md lists each shop’s goods', () => {
  const [, food = '', other = ''] = /\*\*Food\*\*: (.*)\.\n\n\*\*Other goods\*\*:\n\n((?:- .*\n)+)/.exec(PAGE) ?? [];
  const goods = new Set(SHOP_WORDS.osm.values());
  assert.deepEqual(food.split(', '), [...FOOD_GOODS]);
  const others = other
    .trim()
    .slice(2)
    .split(/, |\n- /);
  assert.deepEqual(others.toSorted(), [...goods.difference(FOOD_GOODS)].toSorted());
});

const FEEDS = ['vancouver', 'ottawa-groceries'].map(
  (name) => new URL(`../../../shared/data/feed/${name}.geojson.gz`, import.meta.url),
);
const skip = FEEDS.every((file) => existsSync(file)) ? false : 'The real places are not beside the clone.';

/** Records by kind in a real file; records that are not stores by `amenity` or `shop`. */
function countKinds(file: URL | undefined): Record<string, number> {
  const { features } = JSON.parse(gunzipSync(readFileSync(file ?? '')).toString('utf8'));
  const counts: Record<string, number> = {};
  for (const feature of features) {
    const read = readOsmPlace({ ...feature, properties: { ...feature.properties, name: 'Any' } }, '2026-11-27');
    const tags = isJsonObject(feature) ? objectIn(feature, 'properties') : {};
    const kind = read.ok ? `${read.place.storeType} ${read.place.category}` : `${read.reason} ${tags.amenity}`;
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}

test('the real files contain only food places, so no shop of other goods was left out', { skip }, () => {
  const [vancouver, ottawa] = FEEDS.map(countKinds);
  assert.deepEqual(vancouver, {
    'restaurant restaurant': 2223,
    'restaurant fast_food': 1075,
    'restaurant cafe': 962,
    'restaurant bar': 178,
    'restaurant pub': 177,
    'restaurant ice_cream': 46,
    'restaurant food_court': 14,
    'no_shop marketplace': 13,
  });
  assert.deepEqual(ottawa, { 'grocery supermarket': 207, 'grocery greengrocer': 16, 'grocery grocery': 3 });
});
