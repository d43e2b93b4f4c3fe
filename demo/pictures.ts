import { DISHES } from './dishes.ts';
import type { FeedCategory, FeedProduct, FeedStore } from './feed-line.ts';

/**
 * The pictures of the demo (`npm run demo-files` draws them to `pictures/`). A restaurant's product has the first dish
 * of which one of the words is in its name. A grocery's is drawn from icons, first the one in the middle, then perhaps
 * a smaller one alongside it; it has the first picture of which one of the words is in its name, otherwise in that of
 * its shelf; a few have none, as in real catalogs. Neighbors on a shelf are never alike: `NAME*2` has a second look for
 * them.
 */
const PRODUCTS = [
  // Drinks, before their ingredients
  'cup-with-straw+ice: cold brew, vietnamese coffee',
  'cup-with-straw*2: soda, energy drink, sports drink',
  'tumbler-glass+ice*2: sparkling water',
  'droplet: spring water',
  'teacup-without-handle+herb*2: green tea, chamomile',
  'teapot: tea',
  'hot-beverage*2: coffee, espresso, whole beans',
  'beverage-box*2: juice',
  'wine-glass*2: wine',
  'beer-mug*2: beer, bière blonde',
  // Frozen, baked and ready to eat
  'ice-cream+cookie: pint, ice cream sandwiches',
  'cookie*2: cookie',
  'bowl-with-spoon+strawberry*2: yogurt',
  'dish-margherita: margherita',
  'dish-pepperoni: pepperoni',
  'ear-of-corn: elote, frozen corn',
  'hamburger+leafy-green: garden burger, plant burgers',
  'hamburger: house burger, burger buns',
  'french-fries: fries',
  'green-salad*2: side salad, salad greens',
  'pot-of-food+poultry-leg: chicken noodle soup, chicken broth',
  'pie+poultry-leg: pot pie',
  'steaming-bowl+egg: ramen',
  'dumpling: gyoza, potstickers',
  'steaming-bowl: miso soup, rice noodles, udon',
  'pot-of-food+tomato: tomato soup',
  'pot-of-food: soup, broth',
  'ice-cream+chocolate-bar: brownie sundae, chocolate ice cream',
  'ice-cream+lemon: lemon sorbet',
  'ice-cream: one scoop, vanilla ice cream',
  'croissant: croissant',
  'cupcake+blueberries: blueberry muffin',
  'shortcake: carrot cake',
  // Bread and pantry
  'bagel: bagels',
  'bread*2: country loaf, sliced bread',
  'flatbread*2: tortillas, pita',
  'spaghetti*2: pasta, lasagne',
  'cooked-rice*2: rice, quinoa',
  'pea-pod: peas, edamame, green beans',
  'beans*2: lentils, beans, chickpeas, hummus',
  'canned-food+tomato*2: crushed tomatoes, whole tomatoes, tomato paste, salsa, marinara',
  'canned-food+fish*2: tuna, sardines',
  'roasted-sweet-potato: sweet potatoes',
  'potato*2: sea salt chips, barbecue chips, tortilla chips, potatoes',
  'sheaf-of-rice*2: flour, oats, cereal',
  'olive: olive oil',
  'hot-pepper: hot sauce, paprika, jalapeños',
  'peanuts*2: peanut',
  'chestnut: almonds, trail mix',
  'jar+strawberry: strawberry jam',
  'jar+tomato: ketchup',
  'jar*2: mustard, mayonnaise',
  'honey-pot: honey',
  'maple-leaf: maple syrup',
  'salt*2: sea salt, peppercorns',
  'popcorn: popcorn',
  'pretzel: pretzels',
  'glass-of-milk+chocolate-bar: chocolate milk',
  'chocolate-bar*2: chocolate, fudge, cocoa row',
  'candy*2: candy',
  // Dairy and meat
  'cheese-wedge*2: cheese, provolone, mexican blend',
  'glass-of-milk*2: milk, cream',
  'butter*2: butter',
  'egg*2: eggs',
  'bacon: bacon',
  'hot-dog: sausage',
  'poultry-leg*2: chicken, turkey',
  'cut-of-meat*2: beef, pork',
  'meat-on-bone*2: ham, salami',
  'fish*2: fresh fish',
  'oyster: mussels',
  'shrimp: shrimp',
  // Produce
  'green-apple: granny smith',
  'red-apple*2: apples',
  'pear: pears',
  'tangerine*2: orange, clementines, grapefruit',
  'lemon: lemon',
  'lime: lime',
  'strawberry: strawberries',
  'blueberries: blueberries, blackberries, mixed berries',
  'banana: bananas',
  'mango: mango',
  'pineapple: pineapple',
  'avocado: avocado',
  'kiwi-fruit: kiwi',
  'leafy-green: kale, spinach',
  'onion: onions',
  'carrot: carrots',
  'garlic: garlic',
  'tomato*2: tomatoes',
  'bell-pepper: bell pepper',
  'broccoli*2: broccoli',
  'herb*2: herbs',
  // Household
  'soap: soap',
  'lotion-bottle: detergent, cleaner, shampoo',
  'sponge: sponges',
  'roll-of-paper*2: paper',
  'wastebasket: trash bags',
  'toothbrush*2: toothbrushes, toothpaste',
  'adhesive-bandage: bandages',
  'pill*2: ibuprofen, cough drops',
  'baby-bottle*2: baby',
  'dog*2: dogs',
  'cat*2: cats',
].map((row) => {
  const [named = '', words = ''] = row.split(': ');
  const [picture = '', looks] = named.split('*');
  return { picture, hasSecond: looks === '2', words: anyOf(words) };
});

const KITCHEN = DISHES.map(({ name, words }) => ({ picture: name, words: anyOf(words) }));

/** Matches a name with one of the words, in singular or plural. */
function anyOf(words: string): RegExp {
  return new RegExp(`(?<!\\p{L})(?:${words.split(', ').join('|')})(?:e?s)?(?!\\p{L})`, 'iu');
}

/** Of stores, by the first cuisine of a restaurant: three dishes or icons alongside each other. */
const STORES: Readonly<Record<string, string>> = {
  market: 'red-apple+shopping-cart+leafy-green',
  corner: 'beverage-box+convenience-store+chocolate-bar',
  pizza: 'dish-caesar-salad+dish-margherita+dish-garlic-knots',
  mexican: 'dish-guacamole+dish-taco-trio+dish-burrito-bowl',
  burgers: 'dish-fries+dish-smoke-stack+dish-onion-rings',
  japanese: 'dish-gyoza+dish-salmon-roll+dish-ramen',
  poke: 'dish-small-bowl+dish-large-bowl+dish-regular-bowl',
  indian: 'dish-butter-curry+dish-hyderabadi-biryani+dish-saag',
  diner: 'dish-bottomless-coffee+dish-buttermilk-pancakes+dish-two-egg-plate',
  coffee: 'dish-butter-croissant+dish-cappuccino+dish-blueberry-muffin',
  dessert: 'dish-cookie-box+dish-banana-split+dish-three-scoops',
  vietnamese: 'dish-fresh-rolls+dish-pho+dish-green-papaya-salad',
  vegan: 'dish-build-a-bowl+dish-falafel-bowl+dish-tomato-soup',
  chicken: 'dish-tenders+dish-family-box+dish-6-wings',
  québécois: 'dish-poutine-vege+dish-poutine+dish-tarte-au-sucre',
  seafood: 'dish-seafood-chowder+dish-cod-and-chips+dish-lobster-roll',
};

/** The second look of a picture. */
const secondOf = (picture: string) => `${picture}~2`;

/** The names of all pictures: dishes, products with one or two icons, stores with three dishes or icons. */
export const PICTURES: ReadonlySet<string> = new Set([
  ...KITCHEN.map(({ picture }) => picture),
  ...PRODUCTS.flatMap(({ picture, hasSecond }) => (hasSecond ? [picture, secondOf(picture)] : [picture])),
  ...Object.values(STORES),
]);

/** Width and height in pixels: of products square, of stores wide. */
export function pictureSides(picture: string): { width: number; height: number } {
  return picture.split('+').length > 2 ? { width: 640, height: 360 } : { width: 320, height: 320 };
}

export function storePicture({ name, cuisines: [first] = [] }: Pick<FeedStore, 'name' | 'cuisines'>): string {
  const picture = STORES[first ?? (/Corner/.test(name) ? 'corner' : 'market')];
  if (picture === undefined) throw new RangeError(`${first} has no picture.`);
  return picture;
}

function productPicture(name: string, shelf: string, pictures: typeof KITCHEN): string | undefined {
  const fit = (text: string) => pictures.find(({ words }) => words.test(text))?.picture;
  return fit(name) ?? fit(shelf);
}

/** The store with addresses of its pictures. */
export function withPictures(store: FeedStore, addressOf: (picture: string) => string): FeedStore {
  const pictures = store.type === 'restaurant' ? KITCHEN : PRODUCTS;
  let last: string | undefined;
  const pictured = (product: FeedProduct, shelf: string): FeedProduct => {
    const found = productPicture(product.name, shelf, pictures);
    last = found !== undefined && found === last ? secondOf(found) : found;
    if (last === undefined) return product;
    const image = addressOf(last);
    return { ...product, image, thumbnail_image: image };
  };
  const within = (category: FeedCategory): FeedCategory => ({
    ...category,
    ...(category.categories && { categories: category.categories.map(within) }),
    ...(category.products && { products: category.products.map((product) => pictured(product, category.name)) }),
  });
  return {
    ...store,
    photos: { ...store.photos, store: [addressOf(storePicture(store))] },
    categories: store.categories.map(within),
  };
}
