export const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
export type Category = (typeof CATEGORIES)[number];

export const MIN_SCORE = 95;

/** The audit that fails where a page forbids indexing. */
const FORBIDS_SEARCH_ENGINES = 'is-crawlable';
/** Fetched from within the page, which a strict content security policy blocks. Private pages need no such file. */
const OF_SHOWN_PAGES = 'robots-txt';

/** The used part of Lighthouse's result: scores are fractions of 1, or null. */
export type Report = {
  categories: Record<string, { score: number | null; auditRefs: { id: string; weight: number }[] }>;
  audits: Record<string, { score: number | null }>;
};

/**
 * Results of several runs on one page: median and lowest points per category, and the audits that cost points in any
 * run.
 */
export type Found = {
  scores: Record<Category, number>;
  lowest: Record<Category, number>;
  failed: Record<Category, string[]>;
};

/**
 * Aggregates an odd number of runs. A category without a score, such as when the page failed to load, counts 0 points.
 */
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
 * Faults of a page in words; empty for a good page. Lighthouse lowers the score of a page that forbids indexing, but an
 * unlisted page must forbid it.
 */
export function faultsOf({ scores, failed }: Found, isUnlisted: boolean): string[] {
  const counted = CATEGORIES.filter((category) => !(isUnlisted && category === 'seo'));
  const low = counted
    .filter((category) => scores[category] < MIN_SCORE)
    .map((category) => `${category} ${scores[category]}: ${failed[category].join(', ')}`);
  if (!isUnlisted) return low;
  const others = failed.seo.filter((id) => id !== FORBIDS_SEARCH_ENGINES && id !== OF_SHOWN_PAGES);
  if (others.length > 0) low.push(`seo: ${others.join(', ')}`);
  if (!failed.seo.includes(FORBIDS_SEARCH_ENGINES)) low.push('seo: search engines may show the address');
  return low;
}
