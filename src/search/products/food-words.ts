import { AFTER_LIST, isStopWord, productWordsOf, stemOf } from './product-words.ts';
import { BASIC, FORM, nameWordOf, OTHER } from './word-roles.ts';

/* Which words of a query name the wanted food, and which a product may lack. */

const words = (text: string) => new Set(text.trim().split(/\s+/).map(stemOf));

/** Foods without a role of their own (`word-roles.ts`), diets, and states that make another product of a food. */
const FOODS = words(`
  aceite agave ail aioli ajo alfredo allspice amande anchovy anise arroz artichoke arugula asiago avena avoine baking
  barbecue basil bbq beetroot beurre bison boeuf bologna bourbon bran brandy bratwurst brie brisket buckwheat bulgur
  buttermilk calamari camembert cannellini caper cardamom cassava catfish caviar cayenne champagne chard cheddar chile
  chipotle chive chorizo cilantro clam clementine clover coco cod cola condensed confectioner coriander cornmeal
  cornstarch couscous cumin currant daikon dairy decaf dill edamame endive espresso evaporated farine farro fennel
  fenugreek feta fusilli galangal garbanzo ghee gin gluten gnocchi gochujang gouda grits gruyere guacamole guava
  habanero haddock halal halibut halloumi harina harissa herring hoisin horseradish huevo huile icing imitation
  jalapeno jicama kefir kimchi kombucha lait leche leek lemongrass lychee macadamia mackerel malted manchego marinara
  marjoram marzipan masala mascarpone millet mirin miso molasses mozzarella mussel nectarine nutmeg oeuf okra oregano
  orzo oyster pancetta paneer paprika parmesan parsley parsnip pastrami pecorino penne persimmon pickled pimento
  plantain poblano polenta pollo porc poulet powdered prosciutto provolone prune queso rhubarb ricotta rigatoni riz
  rosemary rum rutabaga rye saffron sage sake salami sardine scallion scallop seitan semolina serrano shallot sherry
  soba soja sour sprout squid sriracha stevia sultana sumac sweetened swiss tahini tamarind tangerine tarragon tartar
  tempeh tequila teriyaki thyme tilapia tortellini trout turmeric turnip tzatziki vegan vegetarian venison vermicelli
  vermouth vodka wasabi whiskey worcestershire yam yeast`);

/** Sizes, cuts, containers and remarks of recipes: never the wanted food while another word may be. */
const REMARKS = words(`
  beaten belly blanc blanca blanche blanco blend bone bottle box bunch can carton chunk clove cold container cooked
  cube cup cut dash deluxe entera entero entier entiere flavor floret fraiche frais fresca fresco garnish grand grande
  gros grosse grown hache hachee half halve handful head hot jar jaune kernel knob leaf leaves molido moulu negra
  negro new noir noire optional package packet pequena pequeno petit petite picada picado piece pinch plate platter
  pod rallado rape rapee rib rind ring roja rojo room root rouge rump serving shank sheet shoulder shred skin sprig
  stalk stem stick strip style tablespoon taste tbsp teaspoon temperature tenderloin thawed thick thin tin topping
  torn tranche tranchee tsp tub verde vert verte warm wedge yolk zest`);
/** Participles and adverbs describe: "minced", "thinly". */
const DESCRIBES = /.{3}(?:ed|ly)$/;
/** Ends the wanted food, beyond the marks of names. */
const AFTER_WANTED = new RegExp(`${AFTER_LIST.source}| (?:for|to|or|plus|pour|para) `, 'i');

/** "Juice of 1 lime" and "jus d'un citron" want the fruit; "lime juice" and "jus de citron" are products. */
const PART_OF = /\b(?:juice of|(?:jus d['’e]|(?:jugo|zumo) de) ?(?=\d|[½¼]|un[ea]?\b|medi[oa]\b|demi))/i;
export const isPart = (text: string, word: string) => PART_OF.test(text) && /^(?:juice|jus|jugo|zumo)$/.test(word);

/** Whether the word names a food by itself, so that without it the query means another product. */
export function isFood(word: string): boolean {
  const { kind, stem } = nameWordOf(word);
  return kind === BASIC || kind === FORM || FOODS.has(stem);
}

/**
 * Returns the position of the head noun among the words (`queryWordsOf`) of a text: the last noun before a comma,
 * "with" or "for" ("large onion, diced"); the last word if there is none.
 */
export function headNounIn(text: string, own: readonly string[]): number {
  const end = text.search(AFTER_WANTED);
  const before = end <= 0 ? own.length : productWordsOf(text.slice(0, end)).filter((word) => !isStopWord(word)).length;
  const nouns = [...own.keys()].filter((at) => isNoun(own[at] as string));
  return nouns.findLast((at) => at < before) ?? nouns.at(-1) ?? own.length - 1;
}

const isNoun = (word: string): boolean =>
  isFood(word) || (nameWordOf(word).kind === OTHER && !REMARKS.has(stemOf(word)) && !DESCRIBES.test(word));
