/** The path of the site's front page. */
export const FRONT = '';
const FRONT_FILE = 'README.md';

/** How the pages of an edition are addressed. */
export type SiteKind = {
  /** Suffix of page paths, empty in the service and `.html` in a folder of files. */
  suffix: '' | '.html';
  /** Whether the reference is beside the pages, as in the service; a folder of files has none. */
  hasReference: boolean;
};

/** The target of a link: a page of the site, or a repository file outside of it. */
export type LinkTarget = { href: string } | { file: string };

export type KnownFiles = { pages: ReadonlySet<string>; images: ReadonlySet<string> };

/** The path of a document's page: `adr/0003-change-clock` for `adr/0003-change-clock.md`, `adr` for `adr/README.md`. */
export function documentPath(file: string): string {
  return file === FRONT_FILE ? FRONT : file.replace(/(\/README)?\.md$/, '');
}

/** The URL of `path` relative to `page`, so that a proxy can serve the site under any path. */
export function addressFrom(page: string, path: string): string {
  return `${'../'.repeat(page.split('/').length - 1)}${path}`;
}

export function pageAddress({ suffix }: SiteKind, from: string, page: string): string {
  const front = suffix === '' ? './' : `index${suffix}`;
  if (page === FRONT) return from.includes('/') ? addressFrom(from, suffix === '' ? '' : front) : front;
  return addressFrom(from, `${page}${suffix}`);
}

/** Repository documents whose content is a page of the site. */
const ELSEWHERE: Readonly<Record<string, string>> = { 'README.md': FRONT, 'ARCHITECTURE.md': 'architecture' };

/** Resolves a link in the document `from`. */
export function linkTarget(kind: SiteKind, known: KnownFiles, from: string, target: string): LinkTarget {
  if (/^([a-z]+:|#)/.test(target)) return { href: target };
  const { pathname, hash } = new URL(target, `file:///docs/${from}`);
  const inRepository = pathname.slice(1).replace(/\/$/, '');
  const inDocs = /^docs(?:\/(.*))?$/.exec(inRepository);
  const file = inDocs ? (inDocs[1] ?? '') : '';
  const page = inDocs ? documentPath(file) : ELSEWHERE[inRepository];
  const ofPage = documentPath(from);
  if (page !== undefined && known.pages.has(page)) return { href: `${pageAddress(kind, ofPage, page)}${hash}` };
  return known.images.has(file) ? { href: addressFrom(ofPage, file) } : { file: inRepository };
}
