import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CATEGORIES, faultsOf, type Report, sumUp } from './scores.ts';

/** A report with one audit per category, and the indexing audit alongside the SEO category's own. */
function givenReport(points: Partial<Record<string, number>> = {}, mayIndex = true): Report {
  const audits = { 'is-crawlable': { score: Number(mayIndex) } };
  const categories = CATEGORIES.map((name) => [
    name,
    { score: points[name] ?? 1, auditRefs: [{ id: `of-${name}`, weight: 1 }] },
  ]);
  const report: Report = { categories: Object.fromEntries(categories), audits };
  for (const name of CATEGORIES) audits[`of-${name}` as 'is-crawlable'] = { score: points[name] ?? 1 };
  report.categories.seo?.auditRefs.push({ id: 'is-crawlable', weight: 4 });
  return report;
}

test('a page scores the median points of its runs and the lowest, and names the audits that cost points in any run', () => {
  const runs = [0.7, 0.98, 0.96].map((performance) => givenReport({ performance }));
  const { scores, lowest, failed } = sumUp(runs);
  assert.deepEqual(scores, { performance: 96, accessibility: 100, 'best-practices': 100, seo: 100 });
  assert.deepEqual([lowest.performance, lowest.seo], [70, 100]);
  assert.deepEqual(failed.performance, ['of-performance']);
  assert.deepEqual(failed.seo, []);
});

test('a page below 95 points in one category is at fault, and so is a page without a score', () => {
  assert.deepEqual(faultsOf(sumUp([givenReport({ performance: 0.95 })]), false), []);
  assert.deepEqual(faultsOf(sumUp([givenReport({ performance: 0.94 })]), false), ['performance 94: of-performance']);
  assert.equal(faultsOf(sumUp([{ categories: {}, audits: {} }]), false).length, CATEGORIES.length);
});

test('a secret page must forbid search engines, and must lose SEO points by nothing else', () => {
  const secret = { ...givenReport({}, false) };
  assert.deepEqual(faultsOf(sumUp([secret]), true), []);
  assert.deepEqual(faultsOf(sumUp([givenReport()]), true), ['seo: search engines may show the address']);
  assert.deepEqual(faultsOf(sumUp([givenReport({ seo: 0.5 }, false)]), true), ['seo: of-seo']);
});
