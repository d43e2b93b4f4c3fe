/** The page of the site's front, as its path. */
export const FRONT = '';
const FRONT_FILE = 'README.md';

/** How the pages of one edition of the site are addressed. */
export type SiteKind = {
  /** What stands after a page's path: nothing in the service, `.html` in a folder of files. */
  suffix: '' | '.html';
  /** The service has its reference beside the pages; a folder of files has none. */
  hasReference: boolean;
};

/** Where a link of a document leads: to a place on the site, or to a file of the repository that the site does not have. */
export type LinkTarget = { href: string } | { file: string };

/** What a link can lead to. */
export type KnownFiles = { pages: ReadonlySet<string>; images: ReadonlySet<string> };

/** The path of a document's page: `adr/0003-change-clock` for `adr/0003-change-clock.md`, `adr` for `adr/README.md`. */
export function documentPath(file: string): string {
  return file === FRONT_FILE ? FRONT : file.replace(/(\/README)?\.md$/, '');
}

/** The address of `path` as seen from `page`: relative, so that the site may lie under any path of a proxy. */
export function addressFrom(page: string, path: string): string {
  return `${'../'.repeat(page.split('/').length - 1)}${path}`;
}

/** The address of another page. */
export function pageAddress({ suffix }: SiteKind, from: string, page: string): string {
  const front = suffix === '' ? './' : `index${suffix}`;
  if (page === FRONT) return from.includes('/') ? addressFrom(from, suffix === '' ? '' : front) : front;
  return addressFrom(from, `${page}${suffix}`);
}

/** Documents of the repository whose content the site has on a page of its own. */
const ELSEWHERE: Readonly<Record<string, string>> = { 'README.md': FRONT, 'ARCHITECTURE.md': 'architecture' };

/** Resolves a link of the document `from`, as it stands there. */
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
