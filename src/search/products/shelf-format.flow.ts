import { storedFormat } from '../stores/stored-format.flow.ts';
import { type ProductColumns, ProductIndexBuilder } from './build-product-index.ts';
import { STOCK_COUNT_BIT } from './product-layout.ts';
import { ProductTerms } from './product-terms.index.ts';
import { STOP_WORDS, UNIT_NAMES } from './product-words.ts';
import { ROLE_WORDS } from './word-roles.ts';

/** Names with everything that the words of a name depend on, alongside the kinds of words. */
const NAMES = [
  'Whole Milk, 2%',
  'Eggs - large (12 ct)',
  'Bread with raisins',
  'Pain de mie',
  'Chips w/ salsa [new]',
  '½ Gâteau',
  "Men's 7Up 12oz",
  'Tea; green: loose',
  'Potato/Tortilla Chips',
  'Milk milk MILK',
  '',
];
const SIZES = ['1 gal', '12 fl oz', '500ml', '', 'ea'];
const CODES = ['036000291452', '4006381333931', '', '12'];

/** Identifies this version's meaning of the shelf and a menu's terms, by kind of word. */
export function shelfFormat(): Promise<string> {
  const terms = new ProductTerms();
  const words = [...STOP_WORDS, ...UNIT_NAMES, ...ROLE_WORDS].flatMap((word) => [`sample ${word}`, `${word} sample`]);
  const products = sampleOf([...NAMES, ...words]);
  const categories = {
    categoryNos: Int32Array.of(7, 9),
    names: ['Dairy & eggs', 'Snacks'],
    taxCodes: Int32Array.of(0, 2),
  };
  const builder = new ProductIndexBuilder('0123456789abcdef01234567', categories, terms);
  builder.add(products, 0, products.names.length);
  const { log } = terms;
  return storedFormat([builder.finish().shelf, log.bytes(0, log.end)]);
}

function sampleOf(names: readonly string[]): ProductColumns {
  const column = (of: (at: number) => number) => Int32Array.from(names, (_, at) => of(at));
  const nth = (values: readonly string[], at: number) => values[at % values.length] as string;
  return {
    productNos: column((at) => at + 1),
    categoryNos: column((at) => 7 + (at % 3)),
    deliveryCents: column((at) => 100 + at),
    pickupCents: column((at) => 90 + at),
    extraCents: column((at) => at % 2),
    claims: column((at) => at % 5),
    taxCodes: column((at) => at % 3),
    facts: column((at) => 1 + (at % 3) + (at % 2) * STOCK_COUNT_BIT),
    names,
    sizes: names.map((_, at) => nth(SIZES, at)),
    upcCodes: names.map((_, at) => nth(CODES, at)),
  };
}
