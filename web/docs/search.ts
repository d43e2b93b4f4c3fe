import MiniSearch from 'minisearch';
import type { SearchIndex } from '../../src/surfaces/docs/pages/docs-site.cache.ts';

export type SearchResult = {
  isDecision: boolean;
  page: string;
  title: string;
  anchor: string;
  heading: string;
  excerpt: string;
};
export type Search = (query: string) => SearchResult[];

const EXCERPT_LENGTH = 140;
/** Commands, which best answer how-to questions. */
const COMMAND = /^doorstep /;
const COMMAND_WEIGHT = 3;
/** Words of a question that carry no topic. */
const STOP_WORDS = new Set(
  'a an and are at by can do does for from get how i in is it my of on or the to we what when where which who why with you your'.split(
    ' ',
  ),
);

/** Loads the words of all pages; rejects on failure. */
export async function loadSearch(index: string): Promise<Search> {
  const reply = await fetch(index);
  if (!reply.ok) throw new Error(`The words of the pages are not there: ${reply.status}`);
  const pages = (await reply.json()) as SearchIndex;
  const sections = pages.flatMap(({ page, title, sections }) =>
    sections.map(([anchor, heading, words]) => ({ page, title, anchor, heading, words })),
  );
  const engine = new MiniSearch<(typeof sections)[number] & { id: number }>({
    fields: ['heading', 'title', 'words'],
    // Treats `keys` as `key`, in pages and queries.
    processTerm: (term) => term.toLowerCase().replace(/(?<=[a-z]{2}[^s])s$/, ''),
    searchOptions: {
      boost: { heading: 4, title: 2 },
      prefix: true,
      fuzzy: (word) => (word.length > 4 ? 0.2 : false),
      combineWith: 'AND',
      boostDocument: (id) => (COMMAND.test(sections[id]?.heading ?? '') ? COMMAND_WEIGHT : 1),
    },
  });
  engine.addAll(sections.map((section, id) => ({ ...section, id })));
  return (query) => {
    const about = aboutOf(query);
    const whole = engine.search(about);
    // A section with some of the words is better than none.
    const found = (whole.length > 0 ? whole : engine.search(about, { combineWith: 'OR' })).flatMap(({ id, terms }) => {
      const section = sections[id];
      if (!section) return [];
      return [{ ...section, isDecision: section.page.startsWith('adr/'), excerpt: excerptOf(section.words, terms) }];
    });
    // Ranks pages above decision records, which only explain them.
    return [...found.filter(({ isDecision }) => !isDecision), ...found.filter(({ isDecision }) => isDecision)];
  };
}

/** The words of a query without stop words; all of them if there are no others. */
function aboutOf(query: string): string {
  const words = query.split(/[\s?]+/).filter((word) => word !== '');
  const about = words.filter((word) => !STOP_WORDS.has(word.toLowerCase()));
  return (about.length > 0 ? about : words).join(' ');
}

/** The words around the first match, cut at word boundaries. */
function excerptOf(words: string, terms: readonly string[]): string {
  const lower = words.toLowerCase();
  const places = terms.map((term) => lower.indexOf(term)).filter((place) => place >= 0);
  const from =
    places.length === 0 ? 0 : words.lastIndexOf(' ', Math.max(0, Math.min(...places) - EXCERPT_LENGTH / 3)) + 1;
  const isWhole = words.length - from <= EXCERPT_LENGTH;
  const cut = words.lastIndexOf(' ', from + EXCERPT_LENGTH);
  const excerpt = words.slice(from, isWhole ? undefined : cut > from ? cut : from + EXCERPT_LENGTH);
  return `${from > 0 ? '… ' : ''}${excerpt}${isWhole ? '' : ' …'}`;
}
