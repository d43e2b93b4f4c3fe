import { countryNamed } from '../../stores/country-name.ts';
import type { ReadOsmHours } from '../feed/feed-fields.ts';
import type { ParsedStoreLine } from '../feed/parse-store-line.ts';
import { feedId } from '../source-ids.ts';
import { createSourceNotes } from '../source-notes.ts';
import { listOf, textOf } from './entity.ts';
import { imageOf } from './item-value.ts';
import { categoriesOf } from './menu-value.ts';
import { serviceFieldsOf } from './service-value.ts';
import { createStoreContext, firstText, numberOf } from './store-context.ts';
import { given, type StoreGraph } from './store-graph.ts';

/** A restaurant of the relational feed as a store line, read by the rules of docs/feeds.md. */
export function readRestaurant(graph: StoreGraph, readOsmHours: ReadOsmHours): ParsedStoreLine {
  const { restaurant } = graph;
  const notes = createSourceNotes();
  const context = createStoreContext(graph, notes);
  const text = (key: string) => firstText(restaurant, key);
  const image = imageOf(restaurant);
  const line = notes.from(restaurant.label, {
    external_id: feedId(restaurant.id),
    name: text('name'),
    type: 'restaurant',
    phone: text('telephone'),
    description: text('description'),
    address: {
      street_addr: text('streetAddress'),
      city: text('addressLocality'),
      state: text('addressRegion'),
      zipcode: text('postalCode'),
      // An unknown country stays as it is, so that the line's reader refuses it.
      country: countryNamed(text('addressCountry')) ?? text('addressCountry'),
    },
    latitude: numberOf(restaurant, 'latitude'),
    longitude: numberOf(restaurant, 'longitude'),
    cuisines: listOf(given(restaurant, 'servesCuisine')).map(textOf),
    photos: image === undefined ? {} : { store: [image] },
    ...serviceFieldsOf(context),
    categories: categoriesOf(context),
  });
  return notes.parse(line, readOsmHours);
}
