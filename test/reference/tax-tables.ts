import { formatPrice } from '../../src/platform/lib/money.ts';
import { DISCOUNT_TAX_ROWS, type DiscountTaxRow } from '../../src/supply/pricing/discount-tax-table.ts';
import { PROMOTION_KINDS } from '../../src/supply/pricing/promotion.ts';
import { TAX_ROWS } from '../../src/supply/pricing/sales-tax-table.ts';
import { TAX_GAPS } from '../../src/supply/pricing/tax-gaps.ts';
import { regionName } from '../../src/supply/stores/region.ts';
import type { Country } from '../../src/supply/stores/store.ts';
import { TAX_CLASSES } from '../../src/supply/stores/tax-class.ts';
import { BASKET, BY_HAND, DELIVERY_CENTS } from './tax-basket.ts';
import { exampleSource, NOT_COMPUTED, TAX_EXAMPLES } from './tax-examples.ts';
import { DISCOUNT_SOURCES, TAX_SOURCES, type TaxSource } from './tax-sources.ts';
import { withRows } from './write-rows.ts';

const COUNTRIES = ['US', 'CA'] as const;
const TAXED = TAX_CLASSES.filter((taxClass) => taxClass !== 'exempt');
const CLASS_COLUMNS = ['prepared food', 'grocery', 'candy', 'soft drink', 'alcohol', 'supplement', 'general'];

/** The sentence that counts the rows. */
const COUNTS = /(?<=<!-- counts -->\n).*/;

/** The sentence that counts the examples. */
const EXAMPLES = /(?<=<!-- examples -->\n).*/;

/** docs/tax-table.md with its generated tables: rows, gaps, examples, sources. */
export function withTaxTables(document: string): string {
  if (!COUNTS.test(document) || !EXAMPLES.test(document)) throw new Error('A sentence that counts is missing.');
  const columns = ['place', 'tax', ...CLASS_COLUMNS, 'from', 'until', 'sources'];
  const withTaxes = withRows(document, columns, COUNTRIES.flatMap(taxRows));
  const withGaps = withRows(withTaxes, ['place', 'not included'], gapRows());
  const withSources = withRows(withGaps, ['source', 'title', 'section'], sourceRows(TAX_SOURCES));
  const withExamples = withRows(withSources, ['place', 'example', 'rule that is not computed', 'as in'], exampleRows());
  const withGoods = withRows(withExamples, ['in the basket', 'class', 'price'], goodsRows());
  const basketColumns = ['place', 'tax', 'on', 'base', 'percent', 'tax by hand', 'sources'];
  const withBasket = withRows(withGoods, basketColumns, basketRows());
  return withBasket.replace(COUNTS, countRows).replace(EXAMPLES, countExamples);
}

/** docs/taxes.md with its generated tables of discounts. */
export function withDiscountTables(document: string): string {
  const discountColumns = ['where', 'who pays', 'kinds', 'tax is on the price', 'confirmed', 'sources'];
  const withDiscounts = withRows(document, discountColumns, DISCOUNT_TAX_ROWS.map(discountRow));
  return withRows(withDiscounts, ['source on discounts', 'title', 'section'], sourceRows(DISCOUNT_SOURCES));
}

function taxRows(country: Country): string[][] {
  return TAX_ROWS[country].map(([code, tax, from, until, percents, sources, unverified = []]) => [
    nameOf(country, code),
    tax,
    ...percents.map((percent, index) => {
      const taxClass = TAXED[index];
      return taxClass !== undefined && unverified.includes(taxClass) ? `${percent} *unverified*` : String(percent);
    }),
    from,
    until,
    sources,
  ]);
}

function gapRows(): string[][] {
  return Object.entries(TAX_GAPS).map(([place, gap]) => {
    const [country = '', code = ''] = place.split('-');
    return [nameOf(country === 'US' ? 'US' : 'CA', code), gap];
  });
}

function discountRow({ places, payer, kinds, base, confirmed, sources }: DiscountTaxRow): string[] {
  const names = places.map((place) => {
    const [country, code] = place.split('-');
    if (code !== undefined) return nameOf(country === 'US' ? 'US' : 'CA', code);
    return country === 'US' ? 'United States' : 'Canada';
  });
  return [
    names.join(', '),
    payer === 'own' ? 'the owner of the price' : 'another',
    kinds === PROMOTION_KINDS ? 'all' : kinds.map((kind) => `\`${kind}\``).join(', '),
    base === 'after' ? 'after the discount' : 'before the discount',
    confirmed === 'with_code' ? 'with a code' : confirmed ? 'yes' : '*no*',
    sources,
  ];
}

function sourceRows(sources: Readonly<Record<string, TaxSource>>): string[][] {
  return Object.entries(sources).map(([name, [title, section, url, unread]]) => [
    name,
    linked(title, url),
    unread === undefined ? section : `${section} (not read)`,
  ]);
}

/** Laws without a known official address are cited without a link. */
const linked = (text: string, url: string) => (url === '' ? text : `[${text}](${url})`);

function exampleRows(): string[][] {
  return NOT_COMPUTED.map(([place, thing, rule, source]) => {
    const [title = '', section = '', url = ''] = exampleSource(source) ?? [];
    const [country, code = ''] = place.split('-');
    return [nameOf(country === 'US' ? 'US' : 'CA', code), thing, rule, linked(`${title}, ${section}`, url)];
  });
}

function goodsRows(): string[][] {
  const goods = BASKET.map(([thing, taxClass, cents]) => [thing, `\`${taxClass}\``, formatPrice(cents)]);
  return [...goods, ['delivery, taxable', '', formatPrice(DELIVERY_CENTS)]];
}

function basketRows(): string[][] {
  return BY_HAND.map(([place, tax, on, base, percent, cents, sources]) => {
    const [country, code = ''] = place.split('-');
    const name = nameOf(country === 'US' ? 'US' : 'CA', code);
    return [name, tax, on, formatPrice(base), `${percent}%`, cents === null ? '' : formatPrice(cents), sources];
  });
}

function countExamples(): string {
  const things = TAX_EXAMPLES.flatMap((examples) => examples.things).length;
  const places = new Set(TAX_EXAMPLES.map(({ place }) => place)).size;
  const sources = new Set(TAX_EXAMPLES.map(({ source }) => source)).size;
  return (
    `A test (\`test/reference/tax-examples.ts\`) compares the table with ${things} published examples for ${places} places. ` +
    `Their ${sources} sources were read, and the percents are the same. ` +
    `These ${NOT_COMPUTED.length} examples need a rule by price, size or count, so they aren't computed:`
  );
}

function countRows(): string {
  const rows = COUNTRIES.flatMap((country) => TAX_ROWS[country]);
  const verified = rows.filter(([, , , , , , unverified = []]) => unverified.length === 0).length;
  const none = rows.filter(([, , , , , , unverified = []]) => unverified.length === TAXED.length).length;
  const partly = rows.length - verified - none;
  return (
    `Sources confirm ${verified} of the ${rows.length} rows in every class, ` +
    `${partly} in all classes not marked *unverified*, and ${none} in none.`
  );
}

const nameOf = (country: Country, code: string): string => regionName(code, country) ?? code;
