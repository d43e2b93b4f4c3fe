import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import manifest from '../../../../package.json' with { type: 'json' };
import { lazyAsync } from '../../../platform/lib/lazy-async.ts';
import { bundleOnce, type WebFile } from '../../../platform/lib/web-files.ts';
import { docsPage, type NavigationGroup, navigationOf, type SiteFrame } from './docs.page.ts';
import { imageSize, readSections, renderMarkdown } from './render-markdown.ts';
import { documentPath, FRONT, type KnownFiles, linkTarget, type SiteKind } from './site-links.ts';

const FOLDER = join(import.meta.dirname, '../../../../docs');
const DECISIONS = 'adr';
const IMAGE_TYPES: Readonly<Record<string, string>> = { png: 'image/png', svg: 'image/svg+xml' };
/** Maximum length of a summary, about as much as search engines show. */
const SUMMARY_LENGTH = 160;

/** The site's own files, bundled once per process. */
export const docsFiles = bundleOnce(join(import.meta.dirname, '../../../../web/docs'), {
  style: 'page.css',
  script: 'page.ts',
  search: 'search.ts',
  icon: '../tracking/icon.svg',
});

export type DocsImage = { type: string; bytes: Buffer };

/** One edition of the site, built only from the documents' folder. */
export type DocsSite = {
  version: string;
  /** Every page by path, rendered on request. */
  pages: ReadonlyMap<string, () => string>;
  images: ReadonlyMap<string, DocsImage>;
  assets: ReadonlyMap<string, WebFile>;
  /** The words of all pages, for search in the browser. */
  searchIndex(): string;
};

/** A document of the site. */
type Doc = { page: string; file: string; markdown: string };

/** The site that is served beside the reference, read once per process. */
export const docsSite = lazyAsync(() => readDocsSite({ suffix: '', hasReference: true }));

/** Reads the documents' folder. Throws if a document cannot be read or shows a missing image. */
export async function readDocsSite(kind: SiteKind): Promise<DocsSite> {
  const [docs, images, assets] = await Promise.all([readDocs(), readImages(), docsFiles()]);
  const known: KnownFiles = { pages: new Set(docs.map(({ page }) => page)), images: new Set(images.keys()) };
  const front = docs.find(({ page }) => page === FRONT);
  const { style, script, search, icon } = assets;
  const frame: SiteFrame = {
    kind,
    version: manifest.version,
    navigation: withUnlisted(navigationOf(front?.markdown ?? '', known.pages), docs),
    files: { style: style.name, script: script.name, search: search.name, icon: icon.name },
  };
  return {
    version: manifest.version,
    pages: new Map(docs.map((doc) => [doc.page, () => writePage(doc, frame, known, images)])),
    images,
    assets: assets.byName,
    searchIndex: () => JSON.stringify(docs.map(searchableWords)),
  };
}

/** Adds pages that the front page does not list, below its groups. */
function withUnlisted(groups: readonly NavigationGroup[], docs: readonly Doc[]): NavigationGroup[] {
  const listed = new Set(groups.flatMap(({ entries }) => entries.map(({ page }) => page)));
  const entries = docs
    .filter(({ page }) => page !== FRONT && !page.startsWith(`${DECISIONS}/`) && !listed.has(page))
    .map(({ page, markdown }) => ({ page, title: readSections(markdown)[0]?.text ?? page }));
  return entries.length === 0 ? [...groups] : [...groups, { title: 'More', entries }];
}

function writePage(doc: Doc, frame: SiteFrame, known: KnownFiles, images: ReadonlyMap<string, DocsImage>): string {
  const { page, file, markdown } = doc;
  const { body, headings } = renderMarkdown(markdown, {
    linkTo: (target) => linkTarget(frame.kind, known, file, target),
    sizeOf: (image) => {
      const found = images.get(join(file, '..', image));
      return found && imageSize(found.bytes);
    },
  });
  const sections = readSections(markdown);
  const [first] = sections;
  // A page may begin with its first section's heading.
  const words = sections.find(({ body }) => body !== '')?.body ?? '';
  const summary = words.length <= SUMMARY_LENGTH ? words : words.slice(0, SUMMARY_LENGTH).replace(/\s\S*$/, '…');
  return docsPage(frame, { page, file, title: first?.text ?? file, summary, body, headings });
}

/** A page with its sections (anchor, heading and words) for the search. */
function searchableWords({ page, markdown }: Doc) {
  const sections = readSections(markdown);
  return {
    page,
    title: sections[0]?.text ?? page,
    sections: sections.map(({ anchor, text, body }) => [anchor, text, body]),
  };
}

async function readDocs(): Promise<Doc[]> {
  const files = globSync('{*,adr/*}.md', { cwd: FOLDER }).sort();
  return Promise.all(
    files.map(async (file) => ({
      page: documentPath(file),
      file,
      markdown: await readFile(join(FOLDER, file), 'utf8'),
    })),
  );
}

async function readImages(): Promise<Map<string, DocsImage>> {
  const files = globSync('images/*.{png,svg}', { cwd: FOLDER }).sort();
  const images = files.map(async (file): Promise<[string, DocsImage]> => {
    const type = IMAGE_TYPES[file.slice(-3)] ?? '';
    return [file, { type, bytes: await readFile(join(FOLDER, file)) }];
  });
  return new Map(await Promise.all(images));
}
