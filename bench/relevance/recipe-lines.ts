import { demoCatalog } from '../../demo/catalog.ts';
import { runInSlices } from '../../src/platform/load/event-loop-scheduler.ts';
import { matchSellers } from '../../src/search/products/find-products.flow.ts';
import { productIndexOf } from '../../test/given/product-index.ts';
import { type Half, type Judged, linesOf } from './typed-queries.ts';

/**
 * The lines of ten recipes, as an agent sends them, at a market of the demo. After the line is what the first product's
 * name must contain; commas separate alternatives, and `-` is no product at all. The lines that are held out were
 * labeled before the search was tuned, and are no reason to tune it.
 */
const LINES: Readonly<Record<Half, string>> = {
  tuned: `
spaghetti: spaghetti
ground beef: Ground beef
large onion; diced: onions
3 cloves garlic; minced: Garlic
carrots; finely chopped: Carrots
celery stalks: -
crushed tomatoes: crushed tomatoes
tomato paste: tomato paste
dry red wine: red wine
grated parmesan: parmesan
extra virgin olive oil: olive oil
coconut milk: -
red curry paste: -
boneless skinless chicken thighs: Chicken thighs
jasmine rice: rice
fish sauce: -
fresh basil leaves: Basil
lime juice: Lime, -
red bell pepper; sliced: Red bell pepper
fresh ginger: -
soy sauce: Soy sauce
cake flour: all-purpose flour, -
white sugar: Granulated sugar
large eggs: large eggs
baking soda: -
baking powder: Baking powder
ground cinnamon: Cinnamon
vegetable oil: Canola oil, -
cream cheese; softened: cream cheese
powdered sugar: -
unsalted butter; melted: unsalted butter
vanilla extract: Vanilla extract
chopped walnuts: -
canned kidney beans: Kidney beans
chili powder: -
ground cumin: Ground cumin
green bell pepper: bell pepper
yellow onion; diced: Yellow onions
diced tomatoes: tomatoes
beef broth: -
shredded cheddar cheese: cheddar
sour cream: sour cream
pasta: spaghetti, penne, fusilli
cherry tomatoes; halved: Cherry tomatoes
kalamata olives: -
red onion: onions
mayonnaise: Mayonnaise`,
  'held out': `
corn tortillas: Corn tortillas
boneless pork shoulder: -
fresh cilantro; chopped: Cilantro
white onion: onions
avocados: Avocado
lime wedges: Lime
smoked paprika: Smoked paprika
black beans; rinsed and drained: Black beans
jalapeño pepper: Jalapeños
queso fresco: -
chicken breasts: Chicken breast
egg noodles: -
low-sodium chicken broth: Chicken broth
carrots; peeled: Carrots
bay leaves: -
fresh thyme sprigs: Thyme
parsley: Parsley
salt: Sea salt
black pepper: Black peppercorns
ripe bananas; mashed: Bananas
all-purpose flour: all-purpose flour
brown sugar: Brown sugar
salted butter: salted butter
eggs; beaten: eggs
buttermilk: -
chopped pecans: -
kosher salt: Sea salt
cinnamon: Cinnamon
skin-on salmon fillets: salmon fillet
fresh dill: -
lemon; thinly sliced: Lemon
baby potatoes: potatoes
asparagus: -
dijon mustard: Yellow mustard, -
honey: Honey
olive oil: olive oil
garlic powder: -
firm tofu; cubed: firm tofu
broccoli florets: Broccoli crowns
sesame oil: -
rice vinegar: -
cornstarch: -
low sodium soy sauce: Soy sauce
long grain white rice: long grain rice
scallions: -
roasted peanuts: Salted peanuts
frozen edamame: Edamame`,
};

type Category = {
  name: string;
  categories?: readonly Category[];
  products?: readonly { name: string; unit_size?: number; unit_of_measurement?: string }[];
};

/** A semicolon in a line is a comma, which separates alternatives. */
export async function judgeRecipeLines(half: Half): Promise<Judged[]> {
  const market = demoCatalog().find(({ type }) => type === 'grocery');
  const products = (market?.categories ?? []).flatMap(productsOf);
  const { index } = productIndexOf(products);
  const seller = { storeId: '0', miles: 0, key: 0 };
  const judged: Judged[] = [];
  for (const { key, values: wanted } of linesOf(LINES[half])) {
    const text = key.replaceAll(';', ',');
    const pool = await matchSellers({ text, gtins: null, claims: 0 }, null, [index]);
    const [best] = await runInSlices(pool.rank([seller], 'relevance', 0, 1));
    const first = best ? (products[best.productNo - 1]?.name ?? null) : null;
    judged.push({
      text,
      first,
      isRight: wanted.some((name) => (first === null ? name === '-' : first.includes(name))),
    });
  }
  return judged;
}

type Product = { name: string; category: string; size: string };

function productsOf({ name: category, categories = [], products = [] }: Category): Product[] {
  const own = products.map(({ name, unit_size: size = '', unit_of_measurement: unit = '' }) => {
    return { name, category, size: `${size} ${unit}`.trim() };
  });
  return [...categories.flatMap(productsOf), ...own];
}
