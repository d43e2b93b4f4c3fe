import { metersBetween } from 'doorstep/search-engine/geography';
import { splitWords } from 'doorstep/search-engine/text';

/** The compared fields of two records. */
export type ComparedPlace = {
  name: string;
  brand: string | null;
  /** Digits with the country code; null if unknown. */
  phoneNumber: number | null;
  latitude: number;
  longitude: number;
};

export type SamePlace = { reason: 'name' | 'brand' | 'phone'; meters: number };

/** Maximum distance in meters between two records of one place. */
export const SAME_PLACE_METERS = 60;

/** Words ignored in comparisons. */
const FILLERS: ReadonlySet<string> = new Set([...'the and of le la les du de et inc ltd llc co'.split(' ')]);

/** Words for kinds of places. A name with only such words does not identify a place. */
const GENERIC_WORDS: ReadonlySet<string> = new Set(
  `restaurant restaurants ristorante resto cafe caffe coffee espresso tea bar pub grill grille kitchen cuisine house
  diner eatery bistro brasserie lounge tavern taproom brewery winery pizza pizzas pizzeria sushi ramen noodle noodles pho
  burger burgers sandwich sandwiches sub subs taco tacos taqueria donut donuts doughnut doughnuts bagel bagels wings
  chicken bbq barbecue steak steakhouse seafood fish chips salad salads juice smoothie smoothies dessert desserts ice
  cream gelato yogurt bubble bakery boulangerie patisserie deli delicatessen butcher meat meats produce fruit grocery
  groceries grocer supermarket market mart store stores shop shoppe foods food convenience corner liquor wine beer
  spirits cold hot fresh chinese japanese thai indian vietnamese korean mexican italian greek french american canadian
  asian mediterranean family fast`.split(/\s+/),
);

/**
 * Words for kinds of shops, which do not identify a place either. A name with one added is another shop: a pharmacy in
 * a supermarket has its own counter, hours and number.
 */
const SHOP_WORDS: ReadonlySet<string> = new Set(
  `pharmacy pharmacie drugs drugstore chemist florist florists flowers books bookstore bookshop hardware electronics pets
  toys clothing shoes furniture appliances cosmetics stationery optical opticians jewelers jewellers bicycles gifts`.split(
    /\s+/,
  ),
);

/**
 * Whether two records are one place: up to 60 m apart, with one name or brand, or one phone and a shared distinctive
 * word. Ignores case, accents, punctuation and kinds ("Restaurant"). Brands are also compared with names.
 */
export function samePlace(one: ComparedPlace, other: ComparedPlace): SamePlace | null {
  const meters = metersBetween(one, other);
  if (!(meters <= SAME_PLACE_METERS)) return null;
  const reason = samePlaceReason(one, other);
  return reason && { reason, meters };
}

function samePlaceReason(one: ComparedPlace, other: ComparedPlace): SamePlace['reason'] | null {
  const names = [comparedName(one.name), comparedName(other.name)] as const;
  const [first, second] = names;
  if (first.isOwn && first.key === second.key) return 'name';
  if (haveSameBrand(one, other, names)) return 'brand';
  if (one.phoneNumber !== null && one.phoneNumber === other.phoneNumber && shareWord(one, other, names)) return 'phone';
  return isLongerForm(first, second) || isLongerForm(second, first) ? 'name' : null;
}

type Name = {
  /** All words, joined, so that `Mc Donald's` equals `McDonalds`. */
  key: string;
  /** The non-generic words, joined. */
  ownKey: string;
  generic: ReadonlySet<string>;
  words: ReadonlySet<string>;
  /** Words that are neither a kind of place nor a kind of shop. */
  distinctive: readonly string[];
  /** Whether the name has distinctive words. */
  isOwn: boolean;
};

function comparedName(text: string): Name {
  const words = splitWords(text).filter((word) => !FILLERS.has(word));
  const own = words.filter((word) => !GENERIC_WORDS.has(word));
  const generic = new Set(words.filter((word) => GENERIC_WORDS.has(word)));
  const distinctive = own.filter((word) => !SHOP_WORDS.has(word));
  return {
    key: words.join(''),
    ownKey: own.join(''),
    generic,
    words: new Set(words),
    distinctive,
    isOwn: distinctive.length > 0,
  };
}

/** Whether one name is a longer form of the other, as `Joe's Pizza Restaurant` is of `Joe's Pizza`. */
function isLongerForm(long: Name, short: Name): boolean {
  return short.isOwn && short.ownKey === long.ownKey && short.generic.isSubsetOf(long.generic);
}

/** Whether names or brands have a distinctive word in common: two brands at one door may share a telephone. */
function shareWord(one: ComparedPlace, other: ComparedPlace, [first, second]: readonly [Name, Name]): boolean {
  const [brand, otherBrand] = [comparedName(one.brand ?? ''), comparedName(other.brand ?? '')];
  if (brand.isOwn && otherBrand.isOwn) return brand.key === otherBrand.key;
  const words = new Set([...second.distinctive, ...otherBrand.distinctive]);
  return [...first.distinctive, ...brand.distinctive].some((word) => words.has(word));
}

function haveSameBrand(one: ComparedPlace, other: ComparedPlace, [first, second]: readonly [Name, Name]): boolean {
  const [brand, otherBrand] = [comparedName(one.brand ?? ''), comparedName(other.brand ?? '')];
  // If both records name a brand, names do not count as brands, because a shop may be named like a chain.
  if (brand.isOwn && otherBrand.isOwn) return brand.key === otherBrand.key;
  return (brand.isOwn && brand.key === second.key) || (otherBrand.isOwn && otherBrand.key === first.key);
}
