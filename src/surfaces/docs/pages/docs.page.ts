import { type Html, html, htmlDocument } from 'doorstep/html';
import { lexer, walkTokens } from 'marked';
import type { Section } from './render-markdown.ts';

/** The path of the site's front page. */
export const FRONT = '';
/** Maximum depth of headings in a page's table of contents. */
const MAX_HEADING_DEPTH = 3;

/** Parts that all pages share. */
export type SiteFrame = {
  version: string;
  navigation: readonly NavigationGroup[];
  /** File names in the site's `assets` folder. */
  files: { style: string; script: string; search: string; icon: string };
};

export type NavigationGroup = { title: string; entries: { page: string; title: string }[] };

type DocsPage = {
  page: string;
  /** The file in the documents' folder. */
  file: string;
  title: string;
  /** The page's first sentences, for search engines. */
  summary: string;
  body: Html;
  /** Sections of the page's earlier address, and where they are now. */
  moved: readonly (readonly [anchor: string, to: string])[];
  sections: readonly Section[];
};

/** Returns the relative URL of a path from a page, so that a proxy can serve the site under any path. */
export function pathFrom(page: string, path: string): string {
  return `${'../'.repeat(page.split('/').length - 1)}${path}` || './';
}

/** Maps a document to its page: `adr/0003-change-clock.md` to `adr/0003-change-clock`, `adr/README.md` to `adr`. */
export const documentPath = (file: string): string => file.replace(/(^|\/)README\.md$|\.md$|\/$/, '');

/** Renders a whole documentation page. Only its search needs a script. */
export function docsPage(frame: SiteFrame, shown: DocsPage): string {
  const asset = (name: string) => pathFrom(shown.page, `assets/${name}`);
  const title = shown.page === FRONT ? 'Doorstep documentation' : `${shown.title} · Doorstep documentation`;
  return htmlDocument({
    title,
    head: html`<meta name="description" content="${shown.summary}">
<link rel="icon" href="${asset(frame.files.icon)}">
<link rel="stylesheet" href="${asset(frame.files.style)}">
<script type="module" src="${asset(frame.files.script)}"></script>`,
    body: html`<a class="skip" href="#page-text">Skip to the text</a>
<header>
<a class="brand" href="${pathFrom(shown.page, FRONT)}">Doorstep <span class="version">${frame.version}</span></a>
<search class="search" data-index="${pathFrom(shown.page, 'search/words.json')}" data-script="${asset(frame.files.search)}" data-root="${pathFrom(shown.page, FRONT)}">
<label class="unseen" for="site-search">Search the documentation</label>
<input id="site-search" type="search" placeholder="Search" autocomplete="off" spellcheck="false" aria-controls="site-results">
<p id="site-count" class="unseen" role="status"></p>
<ol id="site-results" class="results" hidden></ol>
</search>
<a class="reference" href="${pathFrom(shown.page, '../reference/')}">API reference</a>
</header>
<div class="columns">
${menu(frame, shown.page)}
${contents(shown)}
<main id="page-text" tabindex="-1" data-moved="${JSON.stringify(shown.moved)}">
<article>
${shown.body}
</article>
</main>
</div>
<footer><p>Doorstep ${frame.version} · <code>docs/${shown.file}</code></p></footer>`,
  });
}

function menu({ navigation }: SiteFrame, page: string): Html {
  const entry = (target: string, title: string) =>
    html`<li><a href="${pathFrom(page, target)}"${target === page && html` aria-current="page"`}>${title}</a></li>\n`;
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

function contents({ sections }: DocsPage): Html {
  const listed = sections.filter(({ depth }) => depth > 1 && depth <= MAX_HEADING_DEPTH);
  if (listed.length < 2) return html`<div class="contents"></div>`;
  const items = listed.map(
    ({ depth, anchor, text }) => html`<li class="depth-${depth}"><a href="#${anchor}">${text}</a></li>\n`,
  );
  return html`<nav class="contents" aria-label="On this page" tabindex="0"><details><summary>On this page</summary>
<ul>
${items}</ul>
</details></nav>`;
}

/**
 * Reads the navigation, from the front page: each second-level heading is a group, and each list item below it starts
 * with the link of an entry.
 */
export function readNavigation(front: string): NavigationGroup[] {
  const groups: NavigationGroup[] = [];
  let isItemOpen = false;
  walkTokens(lexer(front), (token) => {
    if (token.type === 'heading' && token.depth === 2) groups.push({ title: token.text, entries: [] });
    if (token.type === 'list_item') isItemOpen = true;
    if (token.type !== 'link' || !isItemOpen) return;
    isItemOpen = false;
    groups.at(-1)?.entries.push({ page: documentPath(token.href), title: token.text });
  });
  return groups.filter(({ entries }) => entries.length > 0);
}
