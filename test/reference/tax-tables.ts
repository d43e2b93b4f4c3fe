import { stateName, TAX_ROWS } from '../../src/supply/pricing/sales-tax-table.ts';
import { TAX_GAPS, TAX_SOURCES } from '../../src/supply/pricing/tax-sources.ts';
import type { Country } from '../../src/supply/stores/store.ts';
import { TAX_CLASSES } from '../../src/supply/stores/tax-class.ts';
import { withRows } from './write-rows.ts';

const COUNTRIES = ['US', 'CA'] as const;
const TAXED = TAX_CLASSES.filter((taxClass) => taxClass !== 'exempt');
const CLASS_COLUMNS = ['prepared food', 'grocery', 'candy', 'soft drink', 'alcohol', 'supplement', 'general'];

/** The sentence that counts the rows. */
const COUNTS = /(?<=<!-- counts -->\n).*/;

/** docs/taxes.md with its generated tables: rows, gaps, sources. */
export function withTaxTables(document: string): string {
  if (!COUNTS.test(document)) throw new Error('The sentence that counts the rows is missing.');
  const columns = ['place', 'tax', ...CLASS_COLUMNS, 'from', 'until', 'sources'];
  const withTaxes = withRows(document, columns, COUNTRIES.flatMap(taxRows));
  const withGaps = withRows(withTaxes, ['place', 'what its rows leave out'], gapRows());
  return withRows(withGaps, ['source', 'title', 'section'], sourceRows()).replace(COUNTS, countRows);
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

function sourceRows(): string[][] {
  return Object.entries(TAX_SOURCES).map(([name, [title, section, url, unread]]) => [
    name,
    `[${title}](${url})`,
    unread === undefined ? section : `${section} (not read)`,
  ]);
}

function countRows(): string {
  const rows = COUNTRIES.flatMap((country) => TAX_ROWS[country]);
  const verified = rows.filter(([, , , , , , unverified = []]) => unverified.length === 0).length;
  const none = rows.filter(([, , , , , , unverified = []]) => unverified.length === TAXED.length).length;
  const partly = rows.length - verified - none;
  return (
    `Of its ${rows.length} rows, ${verified} are confirmed in every class by a source that was read, ` +
    `${partly} in all classes but those marked *unverified*, and ${none} in none.`
  );
}

function nameOf(country: Country, code: string): string {
  return stateName(country, code) ?? code;
}
