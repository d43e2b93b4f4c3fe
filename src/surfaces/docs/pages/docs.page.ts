import { lexer, type Token, type Tokens } from 'marked';
import { type Html, html, htmlDocument } from '../../../platform/lib/html.ts';
import { type Heading, plainText } from './render-markdown.ts';
import { addressFrom, documentPath, FRONT, pageAddress, type SiteKind } from './site-links.ts';

/** Maximum depth of headings in a page's table of contents. */
const MAX_HEADING_DEPTH = 3;

/** Parts that all pages of an edition share. */
export type SiteFrame = {
  kind: SiteKind;
  version: string;
  navigation: readonly NavigationGroup[];
  /** File names in the site's `assets` folder. */
  files: { style: string; script: string; search: string; icon: string };
};

type DocsPage = {
  page: string;
  /** The file in the documents' folder. */
  file: string;
  title: string;
  /** The page's first sentences, for search engines. */
  summary: string;
  body: Html;
  headings: readonly Heading[];
};

/** A whole documentation page. Only its search needs a script. */
export function docsPage(frame: SiteFrame, shown: DocsPage): string {
  const asset = (name: string) => addressFrom(shown.page, `assets/${name}`);
  const title = shown.page === FRONT ? 'Doorstep documentation' : `${shown.title} · Doorstep documentation`;
  return htmlDocument({
    title,
    head: html`<meta name="description" content="${shown.summary}">
<link rel="icon" href="${asset(frame.files.icon)}">
<link rel="stylesheet" href="${asset(frame.files.style)}">
<script type="module" src="${asset(frame.files.script)}"></script>`,
    body: html`<a class="skip" href="#page-text">Skip to the text</a>
${header(frame, shown.page)}
<div class="columns">
${menu(frame, shown.page)}
${contents(shown)}
<main id="page-text" tabindex="-1">
<article>
${shown.body}
</article>
${neighbors(frame, shown.page)}
</main>
</div>
<footer><p>Doorstep ${frame.version} · <code>docs/${shown.file}</code></p></footer>`,
  });
}

function header({ kind, version, files }: SiteFrame, page: string): Html {
  const index = addressFrom(page, 'search/words.json');
  const search = addressFrom(page, `assets/${files.search}`);
  return html`<header>
<a class="brand" href="${pageAddress(kind, page, FRONT)}">Doorstep <span class="version">${version}</span></a>
<search class="search" data-index="${index}" data-script="${search}" data-suffix="${kind.suffix}" data-root="${addressFrom(page, '')}">
<label class="unseen" for="site-search">Search the documentation</label>
<input id="site-search" type="search" placeholder="Search" autocomplete="off" spellcheck="false" aria-controls="site-results">
<p id="site-count" class="unseen" role="status"></p>
<ol id="site-results" class="results" hidden></ol>
</search>
<a class="reference" href="${addressFrom(page, kind.hasReference ? '../reference/' : '../index.html')}">${kind.hasReference ? 'API reference' : 'All versions'}</a>
</header>`;
}

function menu({ kind, navigation }: SiteFrame, page: string): Html {
  const entry = (target: string, title: string) =>
    html`<li><a href="${pageAddress(kind, page, target)}"${target === page && html` aria-current="page"`}>${title}</a></li>\n`;
  const groups = navigation.map(
    ({ title, entries }) => html`<li><span class="group">${title}</span>
<ul>
${entries.map((one) => entry(one.page, one.title))}</ul></li>\n`,
  );
  return html`<nav class="menu" aria-label="Pages" tabindex="0"><details><summary>Pages</summary>
<ul>
${entry(FRONT, 'Overview')}${groups}</ul>
</details></nav>`;
}

function contents({ headings }: DocsPage): Html | false {
  const listed = headings.filter(({ depth }) => depth > 1 && depth <= MAX_HEADING_DEPTH);
  if (listed.length < 2) return html`<div class="contents"></div>`;
  const items = listed.map(
    ({ depth, anchor, text }) => html`<li class="depth-${depth}"><a href="#${anchor}">${text}</a></li>\n`,
  );
  return html`<nav class="contents" aria-label="On this page" tabindex="0"><details><summary>On this page</summary>
<ul>
${items}</ul>
</details></nav>`;
}

function neighbors({ kind, navigation }: SiteFrame, page: string): Html {
  const entries = navigation.flatMap((group) => group.entries);
  const at = entries.findIndex((one) => one.page === page);
  const before = entries[at - 1];
  const next = at < 0 && page !== FRONT ? undefined : entries[at + 1];
  const link = (target: typeof next, words: string, rel: string) =>
    target &&
    html`<a class="${rel}" rel="${rel}" href="${pageAddress(kind, page, target.page)}"><span>${words}</span> ${target.title}</a>`;
  return html`<nav class="neighbors" aria-label="Neighboring pages">${link(at > 0 ? before : undefined, 'Before', 'prev')}${link(next, 'Next', 'next')}</nav>`;
}

type NavigationEntry = { page: string; title: string };
export type NavigationGroup = { title: string; entries: readonly NavigationEntry[] };

/**
 * The navigation, from the front page: each second-level heading is a group, and the first link of each list item below
 * it is an entry.
 */
export function navigationOf(front: string, pages: ReadonlySet<string>): NavigationGroup[] {
  const groups: { title: string; entries: NavigationEntry[] }[] = [];
  for (const token of lexer(front)) {
    if (token.type === 'heading' && token.depth === 2) {
      groups.push({ title: plainText(token.tokens ?? []), entries: [] });
    }
    if (token.type === 'list') groups.at(-1)?.entries.push(...navigationEntries(token as Tokens.List, pages));
  }
  return groups.filter(({ entries }) => entries.length > 0);
}

function navigationEntries({ items }: Tokens.List, pages: ReadonlySet<string>): NavigationEntry[] {
  return items.flatMap(({ tokens }) => {
    const link = firstLink(tokens);
    const page = link && documentPath(link.href.replace(/\/$/, ''));
    return link && page !== undefined && page !== FRONT && pages.has(page)
      ? [{ page, title: plainText(link.tokens) }]
      : [];
  });
}

function firstLink(tokens: readonly Token[]): Tokens.Link | undefined {
  for (const token of tokens) {
    if (token.type === 'link') return token as Tokens.Link;
    const inside = 'tokens' in token && token.tokens ? firstLink(token.tokens) : undefined;
    if (inside) return inside;
  }
  return undefined;
}
