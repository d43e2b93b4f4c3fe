import type {
  Category,
  Customization,
  Food,
  MenuItem,
  Option,
  ReadStoresAnswer,
  WeekHours,
} from '../../../clients/typescript/src/api-types.ts';
import { e164Of } from '../../platform/lib/phone.ts';
import { NUTRIENT_PROPERTIES } from '../../supply/catalog/food.ts';
import { readDay } from '../../supply/stores/read-hours.ts';

/**
 * A store and its menu in the vocabulary of schema.org, for search engines. `doorstep import` reads it back to the same
 * menu; facts without a word in the vocabulary are left out: allergens, counts of one option, prices under conditions.
 */

type Data = { [name: string]: unknown };

const SCHEMA = 'https://schema.org/';

/** `categories` are those with products in the tree of the menu. */
export function storeData(
  store: ReadStoresAnswer['stores'][number],
  categories: readonly Category[],
  url: string,
): Data {
  const { name, description, address, type, cuisines, phone_number: phone, dollar_signs: signs } = store;
  const { weighted_rating_value: rating, aggregated_rating_count: count } = store;
  const isRestaurant = type === 'restaurant';
  const currency = address.country === 'CA' ? 'CAD' : 'USD';
  const sectionOf = isRestaurant ? sectionData : aisleData;
  const sections = categories.flatMap((category) => sectionOf(category, currency));
  const photos = [...store.store_photos, ...store.food_photos];
  return {
    '@context': 'https://schema.org',
    '@type': isRestaurant ? 'Restaurant' : 'GroceryStore',
    '@id': url,
    url,
    name,
    ...(description !== '' && { description }),
    ...(phone !== undefined && { telephone: e164Of(phone) }),
    ...(photos.length > 0 && { image: photos }),
    ...(store.logo_photos[0] && { logo: store.logo_photos[0] }),
    address: {
      '@type': 'PostalAddress',
      streetAddress: [address.street_addr, address.street_addr_2].filter(Boolean).join(', '),
      addressLocality: address.city,
      addressRegion: address.state,
      postalCode: address.zipcode,
      addressCountry: address.country,
    },
    geo: { '@type': 'GeoCoordinates', latitude: address.latitude, longitude: address.longitude },
    openingHoursSpecification: hoursData(store.local_hours.operational),
    ...(signs !== null && signs > 0 && { priceRange: '$'.repeat(signs) }),
    ...(rating !== undefined && {
      aggregateRating: {
        '@type': 'AggregateRating',
        ratingValue: rating,
        bestRating: 5,
        ...(count !== undefined && { ratingCount: count }),
      },
    }),
    ...(isRestaurant && cuisines.length > 0 && { servesCuisine: cuisines }),
    ...(sections.length > 0 &&
      (isRestaurant
        ? { hasMenu: { '@type': 'Menu', hasMenuSection: sections } }
        : { hasOfferCatalog: { '@type': 'OfferCatalog', itemListElement: sections } })),
  };
}

/** A category with products; empty for a category without products here. */
function sectionData({ name, menu_item_list: items }: Category, currency: string): Data[] {
  if (items.length === 0) return [];
  return [{ '@type': 'MenuSection', name, hasMenuItem: items.map((item) => itemData(item, currency)) }];
}

/** A category of a grocery whose products are read; empty for another. */
function aisleData({ name, menu_item_list: items }: Category, currency: string): Data[] {
  if (items.length === 0) return [];
  const offers = items.map(({ name: product, description, image, price, is_available: isAvailable }) => ({
    ...offerData(price, currency, isAvailable ? 'InStock' : 'OutOfStock'),
    itemOffered: {
      '@type': 'Product',
      name: product,
      ...(description !== '' && { description }),
      ...(image && { image }),
    },
  }));
  return [{ '@type': 'OfferCatalog', name, itemListElement: offers }];
}

function itemData(item: MenuItem, currency: string): Data {
  const { name, description, image, price, food, customizations, is_available: isAvailable } = item;
  // Outside its menu hours an item is sold later today or tomorrow.
  const isSold = isAvailable || typeof item.available_at === 'number';
  return {
    '@type': 'MenuItem',
    name,
    ...(description !== '' && { description }),
    ...(image && { image }),
    offers: offerData(price, currency, isSold ? 'InStock' : 'OutOfStock'),
    ...foodData(food),
    ...addOnData(customizations, currency),
  };
}

function offerData(cents: number, priceCurrency: string, availability: string): Data {
  return { '@type': 'Offer', price: (cents / 100).toFixed(2), priceCurrency, availability: SCHEMA + availability };
}

function addOnData(customizations: readonly Customization[], currency: string): Data {
  if (customizations.length === 0) return {};
  const sections = customizations.map(
    ({ name, min_choice_options: minValue, max_choice_options: maxValue, options }) => ({
      '@type': 'MenuSection',
      name,
      offers: { '@type': 'Offer', eligibleQuantity: { '@type': 'QuantitativeValue', minValue, maxValue } },
      hasMenuItem: options.map((option) => optionData(option, currency)),
    }),
  );
  return { menuAddOn: sections };
}

function optionData({ name, price, food, customizations }: Option, currency: string): Data {
  return {
    '@type': 'MenuItem',
    name,
    offers: offerData(price, currency, 'InStock'),
    ...foodData(food),
    ...addOnData(customizations, currency),
  };
}

const DIETS = {
  vegan: 'VeganDiet',
  vegetarian: 'VegetarianDiet',
  gluten_free: 'GlutenFreeDiet',
  halal: 'HalalDiet',
  kosher: 'KosherDiet',
} as const;

function foodData(food: Food | null): Data {
  const { diets, nutrition } = food ?? {};
  const amounts = Object.entries(NUTRIENT_PROPERTIES).flatMap(([name, property]) => {
    const grams = nutrition?.[name as keyof typeof NUTRIENT_PROPERTIES];
    return typeof grams === 'number' ? [[property, `${grams} g`] as const] : [];
  });
  const calories = typeof nutrition?.calories === 'number' ? { calories: `${nutrition.calories} calories` } : {};
  const isKnown = amounts.length > 0 || 'calories' in calories;
  return {
    ...(diets && diets.length > 0 && { suitableForDiet: diets.map((diet) => SCHEMA + DIETS[diet]) }),
    ...(isKnown && { nutrition: { '@type': 'NutritionInformation', ...calories, ...Object.fromEntries(amounts) } }),
  };
}

function hoursData(hours: WeekHours): Data[] {
  return Object.entries(hours).flatMap(([day, text]) =>
    (readDay(text) ?? []).map(({ startMinute, endMinute }) => ({
      '@type': 'OpeningHoursSpecification',
      dayOfWeek: SCHEMA + day,
      opens: clockTime(startMinute),
      // From 00:00 to 00:00 would be closed.
      closes: startMinute === 0 && endMinute === 1440 ? '23:59' : clockTime(endMinute),
    })),
  );
}

const clockTime = (minute: number): string =>
  [Math.floor(minute / 60) % 24, minute % 60].map((part) => String(part).padStart(2, '0')).join(':');
