import { lexer, type Token, type Tokens } from 'marked';
import { type Html, html } from '../../../platform/lib/html.ts';
import type { LinkTarget } from './site-links.ts';

export type Heading = { depth: number; text: string; anchor: string };

/** A heading with the text below it, for search. */
type Section = Heading & { body: string };

type RenderedPage = { body: Html; headings: readonly Heading[] };

/** Link targets and image sizes, as resolved by the site. */
type RenderContext = {
  linkTo(target: string): LinkTarget;
  sizeOf(image: string): ImageSize | undefined;
};

type Context = RenderContext & { anchorOf: (heading: string) => string; headings: Heading[] };

/**
 * Renders GitHub Markdown as markup. Everything is escaped. Of raw HTML only link targets, `<a id="…"></a>`, are kept;
 * other raw HTML is shown as text.
 */
export function renderMarkdown(markdown: string, surroundings: RenderContext): RenderedPage {
  const context: Context = { ...surroundings, anchorOf: createAnchors(), headings: [] };
  const body = renderAll(lexer(markdown), context);
  return { body, headings: context.headings };
}

/** A document's sections as plain text. */
export function readSections(markdown: string): Section[] {
  const anchorOf = createAnchors();
  const sections: Section[] = [];
  for (const token of lexer(markdown)) {
    if (token.type === 'heading') {
      const text = plainText(token.tokens ?? []);
      sections.push({ depth: token.depth, text, anchor: anchorOf(text), body: '' });
      continue;
    }
    const section = sections.at(-1);
    if (section) section.body = `${section.body} ${plainText([token])}`.replace(/\s+/g, ' ').trim();
  }
  return sections;
}

/** The words of tokens without markup. */
export function plainText(tokens: readonly Token[]): string {
  return tokens.map(tokenText).join('');
}

const childrenOf = (token: Token): readonly Token[] => ('tokens' in token && token.tokens) || [];

function tokenText(token: Token): string {
  if (token.type === 'table') {
    const { header, rows } = token as Tokens.Table;
    return [header, ...rows].map((row) => row.map((cell) => plainText(cell.tokens)).join(' ')).join(' ');
  }
  if (token.type === 'list') return (token as Tokens.List).items.map((item) => plainText(item.tokens)).join(' ');
  if (token.type === 'br' || token.type === 'space') return ' ';
  if (token.type === 'html' || token.type === 'hr') return '';
  const children = childrenOf(token);
  if (children.length > 0) return plainText(children);
  return 'text' in token ? String(token.text) : '';
}

function renderAll(tokens: readonly Token[], context: Context): Html {
  return html`${tokens.map((token) => renderBlock(token, context))}`;
}

function renderBlock(token: Token, context: Context): Html {
  const inside = () => renderAll(childrenOf(token), context);
  switch (token.type) {
    case 'heading':
      return renderHeading(token as Tokens.Heading, context);
    case 'paragraph':
      return html`<p>${inside()}</p>\n`;
    case 'code':
      return renderCode(token as Tokens.Code);
    case 'table':
      return renderTable(token as Tokens.Table, context);
    case 'list':
      return renderList(token as Tokens.List, context);
    case 'blockquote':
      return html`<blockquote>${inside()}</blockquote>\n`;
    case 'hr':
      return html`<hr>\n`;
    case 'space':
      return html``;
    default:
      return renderInline(token, context);
  }
}

function renderInline(token: Token, context: Context): Html {
  const inside = () => renderAll(childrenOf(token), context);
  switch (token.type) {
    case 'strong':
      return html`<strong>${inside()}</strong>`;
    case 'em':
      return html`<em>${inside()}</em>`;
    case 'del':
      return html`<del>${inside()}</del>`;
    case 'codespan':
      return html`<code>${token.text}</code>`;
    case 'br':
      return html`<br>`;
    case 'link':
      return renderLink(token as Tokens.Link, context);
    case 'image':
      return renderImage(token as Tokens.Image, context);
    case 'html':
      return renderTarget(token.raw);
    default:
      return childrenOf(token).length > 0 ? inside() : html`${'text' in token ? String(token.text) : token.raw}`;
  }
}

function renderHeading({ depth, tokens }: Tokens.Heading, context: Context): Html {
  const text = plainText(tokens);
  const anchor = context.anchorOf(text);
  context.headings.push({ depth, text, anchor });
  const inside = renderAll(tokens, context);
  const link = html`<a class="anchor" href="#${anchor}" aria-label="Link to this section: ${text}">#</a>`;
  switch (depth) {
    case 1:
      return html`<h1 id="${anchor}">${inside}</h1>\n`;
    case 2:
      return html`<h2 id="${anchor}">${inside}${link}</h2>\n`;
    case 3:
      return html`<h3 id="${anchor}">${inside}${link}</h3>\n`;
    default:
      return html`<h4 id="${anchor}">${inside}${link}</h4>\n`;
  }
}

function renderCode({ text, lang }: Tokens.Code): Html {
  return html`<div class="code"><pre tabindex="0"><code>${highlightCode(text, lang)}</code></pre></div>\n`;
}

/**
 * A wide table scrolls within a frame that the keyboard can reach. If the first column has no heading, its cells are
 * row headings, so that every cell can be read aloud with a heading.
 */
function renderTable({ header, rows }: Tokens.Table, context: Context): Html {
  const isNumber = ({ align }: Tokens.TableCell) => align === 'right' && html` class="number"`;
  const namesRows = header.some(({ tokens }) => tokens.length === 0);
  const cell = (one: Tokens.TableCell, column: number) =>
    namesRows && column === 0
      ? html`<th scope="row">${renderAll(one.tokens, context)}</th>`
      : html`<td${isNumber(one)}>${renderAll(one.tokens, context)}</td>`;
  // A column without a name must not have an empty heading, which would be read aloud.
  const head = (one: Tokens.TableCell) =>
    one.tokens.length === 0
      ? html`<td></td>`
      : html`<th scope="col"${isNumber(one)}>${renderAll(one.tokens, context)}</th>`;
  return html`<div class="table" tabindex="0"><table>
<thead><tr>${header.map(head)}</tr></thead>
<tbody>${rows.map((cells) => html`<tr>${cells.map(cell)}</tr>\n`)}</tbody>
</table></div>\n`;
}

function renderList({ ordered, start, items }: Tokens.List, context: Context): Html {
  const list = items.map(({ tokens }) => html`<li>${renderAll(tokens, context)}</li>\n`);
  if (!ordered) return html`<ul>${list}</ul>\n`;
  return html`<ol${typeof start === 'number' && start !== 1 && html` start="${start}"`}>${list}</ol>\n`;
}

/** A link to a file outside the site becomes the file's name. */
function renderLink({ href, tokens }: Tokens.Link, context: Context): Html {
  const target = context.linkTo(href);
  const inside = renderAll(tokens, context);
  if ('href' in target) return html`<a href="${target.href}">${inside}</a>`;
  const isNamed = plainText(tokens) === target.file;
  return html`<span class="file" title="In the repository: ${target.file}">${inside}${!isNamed && html` <span class="path">(${target.file})</span>`}</span>`;
}

function renderImage({ href, text }: Tokens.Image, context: Context): Html {
  const target = context.linkTo(href);
  if (!('href' in target)) throw new Error(`There is no image ${target.file}.`);
  const size = context.sizeOf(href);
  const room = size && html` width="${size.width}" height="${size.height}"`;
  return html`<img src="${target.href}" alt="${text}"${room} loading="lazy" decoding="async">`;
}

function renderTarget(raw: string): Html {
  const [, id] = /^<a id="([\w-]+)">$/.exec(raw) ?? [];
  if (id !== undefined) return html`<span id="${id}"></span>`;
  return raw === '</a>' ? html`` : html`${raw}`;
}

const MARKS = /[^\p{L}\p{N}\p{M}\s_-]/gu;

/**
 * Creates anchors of a page's headings in order, like GitHub's, so that links work on both. Repeated headings are
 * numbered. `heading` is the text without markup.
 */
function createAnchors(): (heading: string) => string {
  const taken = new Set<string>();
  return (heading) => {
    const plain = heading.trim().toLowerCase().replace(MARKS, '').replace(/\s/g, '-');
    let anchor = plain;
    for (let n = 1; taken.has(anchor); n += 1) anchor = `${plain}-${n}`;
    taken.add(anchor);
    return anchor;
  };
}

const SHELL = /(?<=^|\s)(?<comment>#.*)$|(?<string>"(?:[^"\\]|\\.)*"|'[^']*')|(?<value>\$\{?\w+\}?)/gm;
const JSON_PARTS = /(?<string>"(?:[^"\\\n]|\\.)*")|(?<value>(?<![\w.])-?\d+(?:\.\d+)?\b|\b(?:true|false|null)\b)/gm;
const SCRIPT_PARTS = [
  /(?<comment>\/\/.*$|\/\*[\s\S]*?\*\/)/,
  /(?<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`[^`]*`)/,
  /(?<value>(?<![\w.])-?\d+(?:\.\d+)?\b|\b(?:true|false|null|undefined)\b)/,
  /(?<word>\b(?:async|await|break|case|const|else|export|for|from|function|if|import|let|new|of|return|throw|try|type|while)\b)/,
];
const SCRIPT = new RegExp(SCRIPT_PARTS.map(({ source }) => source).join('|'), 'gm');

const PARTS_OF: Readonly<Record<string, RegExp>> = {
  sh: SHELL,
  bash: SHELL,
  json: JSON_PARTS,
  js: SCRIPT,
  ts: SCRIPT,
};

/** Wraps comments, strings, values and keywords in elements of their own; code of other languages stays as it is. */
function highlightCode(code: string, language: string | undefined): Html {
  const parts = PARTS_OF[language ?? ''];
  if (!parts) return html`${code}`;
  const pieces: (string | Html)[] = [];
  let end = 0;
  for (const { 0: text, index, groups = {} } of code.matchAll(parts)) {
    const [kind] = Object.entries(groups).find(([, part]) => part !== undefined) ?? ['word'];
    pieces.push(code.slice(end, index), html`<span class="code-${kind}">${text}</span>`);
    end = index + text.length;
  }
  return html`${[...pieces, code.slice(end)]}`;
}

type ImageSize = { width: number; height: number };

const PNG_HEAD_BYTES = 24;

/**
 * A PNG's or SVG's declared size in pixels, so that a page reserves the space before it loads. Undefined for other
 * bytes.
 */
export function imageSize(bytes: Buffer): ImageSize | undefined {
  if (bytes.length >= PNG_HEAD_BYTES && bytes.toString('latin1', 1, 4) === 'PNG') {
    return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  }
  const [, box = ''] = /<svg\b[^>]*?\bviewBox="([^"]*)"/.exec(bytes.toString('utf8', 0, 1024)) ?? [];
  const [, , width, height] = box.split(/[\s,]+/).map(Number);
  return width && height ? { width, height } : undefined;
}
