/** The four categories of Lighthouse, in the sequence of its report. */
export const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
export type Category = (typeof CATEGORIES)[number];

/** Points of 100, below which a category of a page fails. */
export const MIN_SCORE = 95;

/** The audit that fails where a page forbids search engines to show its address. */
const FORBIDS_SEARCH_ENGINES = 'is-crawlable';
/** Read from within the page, which a page that may contact nothing forbids; a page that is not shown needs no such file. */
const OF_SHOWN_PAGES = 'robots-txt';

/** The part of Lighthouse's result that is read here: scores are fractions of one, null for an audit without a score. */
export type Report = {
  categories: Record<string, { score: number | null; auditRefs: { id: string; weight: number }[] }>;
  audits: Record<string, { score: number | null }>;
};

/** What some runs found on one page: median and lowest points of each category, and the audits that cost points in any run. */
export type Found = {
  scores: Record<Category, number>;
  lowest: Record<Category, number>;
  failed: Record<Category, string[]>;
};

/** Sums up an odd number of runs. A category without a score, as where the page did not load, has 0 points. */
export function sumUp(reports: readonly Report[]): Found {
  const each = <Value>(find: (category: Category) => Value) =>
    Object.fromEntries(CATEGORIES.map((category) => [category, find(category)])) as Record<Category, Value>;
  const pointsOf = (name: Category) =>
    reports.map(({ categories }) => Math.round(100 * (categories[name]?.score ?? 0)));
  return {
    scores: each((name) => medianOf(pointsOf(name))),
    lowest: each((name) => Math.min(...pointsOf(name))),
    failed: each((name) => [...new Set(reports.flatMap((report) => failedIn(report, name)))].sort()),
  };
}

function failedIn({ categories, audits }: Report, category: Category): string[] {
  const counted = (categories[category]?.auditRefs ?? []).filter(({ weight }) => weight > 0);
  return counted.map(({ id }) => id).filter((id) => (audits[id]?.score ?? 1) < 1);
}

function medianOf(numbers: readonly number[]): number {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0;
}

/**
 * What is wrong with a page, in words; empty for a good page. A secret page's link is a permission that search engines
 * must not show: Lighthouse counts that as a fault, and here its absence is one (docs/tracking.md).
 */
export function faultsOf({ scores, failed }: Found, isSecret: boolean): string[] {
  const counted = CATEGORIES.filter((category) => !(isSecret && category === 'seo'));
  const low = counted
    .filter((category) => scores[category] < MIN_SCORE)
    .map((category) => `${category} ${scores[category]}: ${failed[category].join(', ')}`);
  if (!isSecret) return low;
  const others = failed.seo.filter((id) => id !== FORBIDS_SEARCH_ENGINES && id !== OF_SHOWN_PAGES);
  if (others.length > 0) low.push(`seo: ${others.join(', ')}`);
  if (!failed.seo.includes(FORBIDS_SEARCH_ENGINES)) low.push('seo: search engines may show the address');
  return low;
}
