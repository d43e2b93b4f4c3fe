import { createHash } from 'node:crypto';
import { comparedLetters } from '../../../lib/text/compared-letters.ts';
import { createProductIndexBuilder, type ProductColumns } from '../build-product-index.ts';
import { IN_DELIVERY, IN_PICKUP } from '../product-layout.ts';
import type { ProductTerms } from '../product-terms.index.ts';
import { productWordsOf, STOP_WORDS, UNIT_NAMES } from '../product-words.ts';
import { packIndex } from './pack-index.ts';

/** Names with everything that the words of a name depend on, beside the kinds of words. */
const NAMES = [
  ...[
    'Whole Milk, 2%',
    'Eggs - large (12 ct)',
    'Bread with raisins',
    'Pain de mie',
    'Chips w/ salsa [new]',
    '½ Gâteau',
  ],
  ...["Men's 7Up 12oz", 'Tea; green: loose', 'Soup du jour', 'Tarte aux pommes', 'Rice / beans', 'Milk milk MILK', ''],
];
const SIZES = ['1 gal', '12 fl oz', '500ml', '', 'ea'];
const CODES = ['036000291452', '4006381333931', '', '12'];

/** Alphabets are below; other writing differs by the version of Unicode alone. */
const LETTERS_END = 0x3000;

/**
 * Names what the bytes of `packIndex` mean in this version: the bytes of a sample with each kind of name and each stop word
 * and unit, how this version compares letters, the version of Unicode, and the newest migration. A version that builds other
 * indexes has another name. `unused` are terms that no index has.
 */
export function indexFormat(newestMigration: string, unicode: string, unused: ProductTerms): string {
  const letters = comparedLetters(productWordsOf, LETTERS_END);
  const named = createHash('sha256').update(`${newestMigration} ${unicode} ${letters} `);
  return named.update(packedSample(unused)).digest('base64url');
}

function packedSample(terms: ProductTerms): Buffer {
  const kinds = [...STOP_WORDS, ...UNIT_NAMES].map((word) => `Big ${word} sample ${word}`);
  const products = sampleOf([...NAMES, ...kinds]);
  const categories = { categoryNos: Int32Array.of(7, 9), names: ['Dairy & eggs', 'Snacks'] };
  const builder = createProductIndexBuilder('0123456789abcdef01234567', categories, terms);
  builder.add(products, 0, products.names.length);
  return packIndex(builder.finish(), terms.termOf);
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
    counted: column((at) => at % 2),
    claims: column((at) => at % 5),
    modes: column((at) => [IN_DELIVERY, IN_PICKUP, IN_DELIVERY | IN_PICKUP][at % 3] as number),
    names,
    sizes: names.map((_, at) => nth(SIZES, at)),
    upcCodes: names.map((_, at) => nth(CODES, at)),
  };
}
