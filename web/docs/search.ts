import MiniSearch from 'minisearch';

type Section = [anchor: string, heading: string, words: string];
type Page = { page: string; title: string; sections: Section[] };

export type Found = { page: string; title: string; anchor: string; heading: string; excerpt: string };
export type Search = (query: string) => Found[];

const EXCERPT_LENGTH = 140;
/** A decision explains what a page says: the page comes first. */
const DECISION_WEIGHT = 0.4;

/** Reads the words of all pages. Rejects where they cannot be read. */
export async function loadSearch(index: string): Promise<Search> {
  const reply = await fetch(index);
  if (!reply.ok) throw new Error(`The words of the pages are not there: ${reply.status}`);
  const pages = (await reply.json()) as Page[];
  const sections = pages.flatMap(({ page, title, sections }) =>
    sections.map(([anchor, heading, words]) => ({ page, title, anchor, heading, words })),
  );
  const engine = new MiniSearch<(typeof sections)[number] & { id: number }>({
    fields: ['heading', 'title', 'words'],
    searchOptions: {
      boost: { heading: 4, title: 2 },
      prefix: true,
      fuzzy: (word) => (word.length > 4 ? 0.2 : false),
      combineWith: 'AND',
      boostDocument: (id) => (sections[id]?.page.startsWith('adr/') ? DECISION_WEIGHT : 1),
    },
  });
  engine.addAll(sections.map((section, id) => ({ ...section, id })));
  return (query) =>
    engine.search(query).flatMap(({ id, terms }) => {
      const section = sections[id];
      return section ? [{ ...section, excerpt: excerptOf(section.words, terms) }] : [];
    });
}

/** The words around the first word that was found, each whole. */
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
