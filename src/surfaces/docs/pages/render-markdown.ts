import { type Html, html, toMarkup, trustMarkup } from 'doorstep/html';
import { Marked, type Tokens } from 'marked';

/** A heading with the words below it. */
export type Section = { depth: number; anchor: string; text: string; body: string };

/** Resolves the links and images of a document. */
type Links = {
  /** Returns a page's link, or undefined for a file outside the documents. */
  linkTo(target: string): string | undefined;
  image(target: string, alt: string): Html;
};

/**
 * Renders a document. Its headings get the anchors that GitHub gives them, and of raw HTML only link targets,
 * `<a id="…"></a>`, are kept; other raw HTML is shown as text.
 */
export function renderMarkdown(markdown: string, { linkTo, image }: Links): Html {
  const anchorOf = createAnchors();
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const inside = this.parser.parseInline(tokens);
        const anchor = anchorOf(textOf(inside));
        const link = html`<a class="anchor" href="#${anchor}" aria-label="Link to this section: ${textOf(inside)}"></a>`;
        return `<h${depth} id="${anchor}">${inside}${depth > 1 ? toMarkup(link) : ''}</h${depth}>\n`;
      },
      code: ({ text }) => toMarkup(html`<div class="code"><pre tabindex="0"><code>${text}</code></pre></div>\n`),
      table(table) {
        return toMarkup(renderTable(table, ({ tokens }) => trustMarkup(this.parser.parseInline(tokens))));
      },
      link({ href, tokens }) {
        const inside = trustMarkup(this.parser.parseInline(tokens));
        const target = linkTo(href);
        if (target !== undefined) return toMarkup(html`<a href="${target}">${inside}</a>`);
        return toMarkup(
          html`<span class="file" title="In the repository: ${href.replace(/^(\.\.\/)+/, '')}">${inside}</span>`,
        );
      },
      image: ({ href, text }) => toMarkup(image(href, text)),
      html: ({ raw }) => (/^(<a id="[\w-]+">|<\/a>|<!-- [\w -]+ -->\n*)$/.test(raw) ? raw : toMarkup(html`${raw}`)),
    },
  });
  return trustMarkup(marked.parse(markdown, { async: false }));
}

/**
 * Renders a table. A wide one scrolls within a frame that the keyboard can reach. If a column has no heading, the first
 * cells are row headings, so that every cell can be read aloud with a heading.
 */
function renderTable({ header, rows }: Tokens.Table, inside: (cell: Tokens.TableCell) => Html): Html {
  const hasRowHeadings = header.some(({ tokens }) => tokens.length === 0);
  const isNumber = ({ align }: Tokens.TableCell) => align === 'right' && html` class="figure"`;
  // A column without a name must not have an empty heading, which would be read aloud.
  const head = (cell: Tokens.TableCell) =>
    cell.tokens.length === 0 ? html`<td></td>` : html`<th scope="col"${isNumber(cell)}>${inside(cell)}</th>`;
  const body = (cell: Tokens.TableCell, column: number) =>
    hasRowHeadings && column === 0
      ? html`<th scope="row">${inside(cell)}</th>`
      : html`<td${isNumber(cell)}>${inside(cell)}</td>`;
  return html`<div class="scroll" tabindex="0"><table>
<thead><tr>${header.map(head)}</tr></thead>
<tbody>${rows.map((cells) => html`<tr>${cells.map(body)}</tr>\n`)}</tbody>
</table></div>\n`;
}

/** Reads the sections of a rendered document. */
export function readSections(body: Html): Section[] {
  const sections = toMarkup(body).matchAll(/<h([1-6]) id="([^"]*)">([\s\S]*?)<\/h\1>([\s\S]*?)(?=<h[1-6] |$)/g);
  return [...sections].map(([, depth, anchor = '', heading = '', below = '']) => ({
    depth: Number(depth),
    anchor,
    text: textOf(heading),
    body: textOf(below),
  }));
}

const CHARACTERS: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#39': "'", '#96': '`', amp: '&' };

/** Returns the words of rendered markup. */
function textOf(markup: string): string {
  return markup
    .replace(/<\/(?:p|li|td|th|pre)>|<br>/g, ' ')
    .replace(/<[^<>]*>/g, '')
    .replace(/&(lt|gt|quot|#39|#96|amp);/g, (entity, name: string) => CHARACTERS[name] ?? entity)
    .replace(/\s+/g, ' ')
    .trim();
}

/** Creates the anchors of a page's headings in order; repeated headings are numbered. */
function createAnchors(): (heading: string) => string {
  const taken = new Set<string>();
  return (heading) => {
    const plain = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, '')
      .replace(/\s/g, '-');
    let anchor = plain;
    for (let n = 1; taken.has(anchor); n += 1) anchor = `${plain}-${n}`;
    taken.add(anchor);
    return anchor;
  };
}
