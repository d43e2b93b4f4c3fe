import type { FeedCategory, FeedProduct, FeedStore } from './feed-line.ts';

/**
 * The pictures of the demo, drawn from icons (`npm run demo-files` writes them to `pictures/`): first the icon in the
 * middle, then perhaps a smaller one beside it. A product has the first picture of which one of the words is in its
 * name, else in that of its shelf; a few have none, as in real catalogs.
 */
const PRODUCTS = [
  // Drinks, before what they are made of
  'cup-with-straw+chocolate-bar: malted chocolate shake',
  'cup-with-straw+strawberry: seasonal shake',
  'cup-with-straw+soft-ice-cream: vanilla shake',
  'cup-with-straw+green-apple: green juice',
  'cup-with-straw+carrot: carrot ginger juice',
  'cup-with-straw+banana: smoothie',
  'cup-with-straw+mango: mango lassi',
  'cup-with-straw+ice: cold brew, vietnamese coffee',
  'cup-with-straw: soda, energy drink, sports drink',
  'tumbler-glass+lemon: iced tea',
  'tumbler-glass+ice: sparkling water',
  'droplet: spring water',
  'teacup-without-handle+herb: green tea, chamomile',
  'teapot: tea',
  'hot-beverage+maple-leaf: maple latte',
  'hot-beverage+chocolate-bar: mocha',
  'hot-beverage+glass-of-milk: latte, cappuccino',
  'hot-beverage: coffee, espresso, whole beans',
  'beverage-box: juice',
  'sake: sake',
  'wine-glass: wine',
  'beer-mug: beer, bière blonde',
  // Breakfast and diner
  'cooking+bread: two-egg plate',
  'cooking+sun: sunrise plate',
  'cooking+bell-pepper: western omelette',
  'pancakes: pancakes',
  'bread+honey-pot: french toast',
  'bread+avocado: avocado toast',
  'ice-cream+cookie: pint, ice cream sandwiches',
  'cookie: cookie',
  'bowl-with-spoon+banana: oatmeal',
  'bowl-with-spoon+blueberries: granola and yogurt',
  'bowl-with-spoon+strawberry: yogurt',
  'sandwich+egg: egg sandwich',
  'sandwich+cheese-wedge: grilled cheese',
  'sandwich+bacon: turkey club',
  'sandwich+meat-on-bone: pulled pork',
  'sandwich+cut-of-meat: viande fumée sur seigle',
  'cut-of-meat+potato: meatloaf',
  'cut-of-meat+fire: brisket',
  'spaghetti+cheese-wedge: mac and cheese',
  'pie+red-apple: apple pie',
  'pie+cherries: cherry pie',
  'pie+blueberries: partridgeberry',
  'pie+maple-leaf: tarte au sucre',
  'custard+maple-leaf: pouding',
  // Pizza
  'pizza+olive: slice sampler',
  'pizza+herb: slice of the day',
  'pizza+bell-pepper: build your own',
  'pizza+tomato: margherita',
  'pizza+brown-mushroom: four seasons',
  'pizza+cheese-wedge: white pie',
  'pizza+broccoli: market vegetable',
  'pizza+hot-pepper: pepperoni',
  'bread+garlic: garlic knots',
  'green-salad+cheese-wedge: caesar salad',
  // Mexican
  'burrito+egg: breakfast burrito',
  'cooked-rice+beans: burrito bowl',
  'burrito: burrito',
  'taco+avocado: taco trio',
  'taco: taco',
  'flatbread+cheese-wedge: quesadilla',
  'tamale: enchiladas',
  'shallow-pan-of-food+hot-pepper: chilaquiles',
  'pot-of-food+ear-of-corn: pozole',
  'avocado+tomato: guacamole',
  'ear-of-corn: elote, frozen corn',
  // Burgers, chicken, poutine, fish
  'hamburger+poultry-leg: crispy chicken sandwich',
  'hamburger+bacon: smoke stack',
  'hamburger+hot-pepper: green chile burger',
  'hamburger+leafy-green: garden burger, plant burgers',
  'hamburger+onion: patty melt',
  'hamburger: house burger, burger buns',
  'french-fries+onion: onion rings',
  'french-fries+cut-of-meat: poutine à la viande',
  'french-fries+brown-mushroom: poutine végé',
  'french-fries+maple-leaf: poutine du bûcheron',
  'french-fries+cheese-wedge: poutine',
  'fish+french-fries: cod and chips, haddock and chips',
  'french-fries: fries',
  'green-salad: side salad, salad greens',
  'poultry-leg+fire: tandoori wings',
  'poultry-leg+hot-pepper: wings',
  'poultry-leg+french-fries: two pieces',
  'takeout-box+poultry-leg: family box',
  'poultry-leg+honey-pot: tenders',
  'pot-of-food+poultry-leg: chicken noodle soup, chicken broth',
  'pie+poultry-leg: pot pie',
  'fish-cake-with-swirl: fish cakes',
  'pot-of-food+shrimp: seafood chowder',
  'lobster: lobster roll',
  'shrimp+garlic: garlic shrimp',
  // Indian and noodles
  'dumpling+potato: samosas',
  'falafel+onion: onion bhaji',
  'curry-rice+butter: butter curry',
  'curry-rice+coconut: madras',
  'curry-rice+leafy-green: saag',
  'curry-rice+hot-pepper: vindaloo',
  'curry-rice+beans: masala, dal makhani',
  'curry-rice+eggplant: baingan',
  'curry-rice+herb: green curry',
  'curry-rice+potato: massaman',
  'shallow-pan-of-food+carrot: vegetable biryani',
  'shallow-pan-of-food+poultry-leg: biryani',
  'flatbread+garlic: garlic naan',
  'cooked-rice+mango: mango sticky rice',
  'cooked-rice+egg: basil fried rice',
  'leafy-green+shrimp: fresh rolls',
  'green-salad+peanuts: green papaya salad',
  'oden+peanuts: satay',
  'steaming-bowl+brown-mushroom: vegetable pho, miso bowl',
  'steaming-bowl+hot-pepper: bún bò',
  'steaming-bowl+herb: pho',
  'steaming-bowl+egg: ramen',
  'spaghetti+shrimp: pad thai',
  'spaghetti+hot-pepper: drunken noodles',
  // Japanese and bowls
  'bento-box+sushi: roll lunch',
  'bento-box+cut-of-meat: plate lunch',
  'bento-box: bento',
  'sushi+hot-pepper: spicy tuna roll',
  'sushi+avocado: rainbow roll',
  'sushi+cucumber: garden roll',
  'sushi+fish: nigiri',
  'fish+chopsticks: sashimi',
  'sushi: salmon roll',
  'dumpling: gyoza, potstickers',
  'steaming-bowl: miso soup, rice noodles, udon',
  'rice-ball: musubi',
  'cooked-rice+fish: small bowl',
  'cooked-rice+shrimp: regular bowl',
  'cooked-rice+avocado: large bowl',
  'green-salad+carrot: build a bowl',
  'green-salad+red-apple: harvest bowl',
  'falafel+herb: falafel bowl',
  'pot-of-food+beans: lentil soup',
  'pot-of-food+tomato: tomato soup',
  'pot-of-food: soup, broth',
  // Sweet
  'ice-cream+banana: banana split',
  'ice-cream+chocolate-bar: brownie sundae, chocolate ice cream',
  'ice-cream+cherries: three scoops',
  'ice-cream+strawberry: two scoops',
  'ice-cream+lemon: lemon sorbet',
  'ice-cream: one scoop, vanilla ice cream',
  'shaved-ice: shave ice',
  'doughnut: malasada, toutons',
  'croissant+chestnut: almond croissant',
  'croissant: croissant',
  'cupcake+blueberries: blueberry muffin',
  'shortcake: carrot cake',
  // Bread and pantry
  'bagel+fish: bagel au saumon',
  'bagel: bagels',
  'bread: country loaf, sliced bread',
  'flatbread: tortillas, pita',
  'spaghetti: pasta, lasagne',
  'cooked-rice: rice, quinoa',
  'pea-pod: peas, edamame, green beans',
  'beans: lentils, beans, chickpeas, hummus',
  'canned-food+tomato: crushed tomatoes, whole tomatoes, tomato paste, salsa, marinara',
  'canned-food+fish: tuna, sardines',
  'roasted-sweet-potato: sweet potatoes',
  'potato: sea salt chips, barbecue chips, tortilla chips, potatoes',
  'sheaf-of-rice: flour, oats, cereal',
  'olive: olive oil',
  'hot-pepper: hot sauce, paprika, jalapeños',
  'peanuts: peanut',
  'chestnut: almonds, trail mix',
  'jar+strawberry: strawberry jam',
  'jar+tomato: ketchup',
  'jar: mustard, mayonnaise',
  'honey-pot: honey',
  'maple-leaf: maple syrup',
  'salt: sea salt, peppercorns',
  'popcorn: popcorn',
  'pretzel: pretzels',
  'glass-of-milk+chocolate-bar: chocolate milk',
  'chocolate-bar: chocolate, fudge, cocoa row',
  'candy: candy',
  // Dairy and meat
  'cheese-wedge: cheese, provolone, mexican blend',
  'glass-of-milk: milk, cream',
  'butter: butter',
  'egg: eggs',
  'bacon: bacon',
  'hot-dog: sausage',
  'poultry-leg: chicken, turkey',
  'cut-of-meat: beef, pork',
  'meat-on-bone: ham, salami',
  'fish: fresh fish',
  'oyster: mussels',
  'shrimp: shrimp',
  // Produce
  'green-apple: granny smith',
  'red-apple: apples',
  'pear: pears',
  'tangerine: orange, clementines, grapefruit',
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
  'tomato: tomatoes',
  'bell-pepper: bell pepper',
  'broccoli: broccoli',
  'herb: herbs',
  // Household
  'soap: soap',
  'lotion-bottle: detergent, cleaner, shampoo',
  'sponge: sponges',
  'roll-of-paper: paper',
  'wastebasket: trash bags',
  'toothbrush: toothbrushes, toothpaste',
  'adhesive-bandage: bandages',
  'pill: ibuprofen, cough drops',
  'baby-bottle: baby',
  'dog: dogs',
  'cat: cats',
].map((row) => {
  const [picture = '', words = ''] = row.split(': ');
  const any = words.split(', ').join('|');
  return { picture, words: new RegExp(`(?<!\\p{L})(?:${any})(?:e?s)?(?!\\p{L})`, 'iu') };
});

/** Of stores, by the first cuisine of a restaurant: three icons beside each other. */
const STORES: Readonly<Record<string, string>> = {
  market: 'red-apple+shopping-cart+leafy-green',
  corner: 'beverage-box+convenience-store+chocolate-bar',
  pizza: 'tomato+pizza+herb',
  mexican: 'avocado+taco+hot-pepper',
  burgers: 'french-fries+hamburger+cup-with-straw',
  japanese: 'chopsticks+sushi+bento-box',
  poke: 'shrimp+cooked-rice+avocado',
  indian: 'herb+curry-rice+flatbread',
  diner: 'cooking+pancakes+hot-beverage',
  coffee: 'croissant+hot-beverage+cookie',
  dessert: 'cookie+ice-cream+cherries',
  vietnamese: 'chopsticks+steaming-bowl+herb',
  vegan: 'carrot+green-salad+avocado',
  chicken: 'fire+poultry-leg+honey-pot',
  québécois: 'cheese-wedge+french-fries+maple-leaf',
  seafood: 'lemon+fish+french-fries',
};

/** The names of all pictures: of products with one or two icons, of stores with three. */
export const PICTURES: ReadonlySet<string> = new Set([
  ...PRODUCTS.map(({ picture }) => picture),
  ...Object.values(STORES),
]);

/** Width and height in pixels: of products square, of stores wide. */
export function pictureSides(picture: string): { width: number; height: number } {
  return picture.split('+').length > 2 ? { width: 800, height: 450 } : { width: 400, height: 400 };
}

export function storePicture({ name, cuisines: [first] = [] }: Pick<FeedStore, 'name' | 'cuisines'>): string {
  const picture = STORES[first ?? (/Corner/.test(name) ? 'corner' : 'market')];
  if (picture === undefined) throw new RangeError(`${first} has no picture.`);
  return picture;
}

export function productPicture(name: string, shelf: string): string | undefined {
  const fit = (text: string) => PRODUCTS.find(({ words }) => words.test(text))?.picture;
  return fit(name) ?? fit(shelf);
}

/** The store with addresses of its pictures. */
export function withPictures(store: FeedStore, addressOf: (picture: string) => string): FeedStore {
  const pictured = (product: FeedProduct, shelf: string): FeedProduct => {
    const picture = productPicture(product.name, shelf);
    if (picture === undefined) return product;
    const image = addressOf(picture);
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
