import { type Html, html, safeHttpUrl } from '../lib/html.ts';

/** The Markdown that descriptions use: paragraphs, lists with `-`, code, bold text, links to other sites. */
export function showProse(text: string | undefined): Html[] {
  if (!text) return [];
  return text.split(/\n{2,}/).map((block) => showBlock(block.split('\n')));
}

function showBlock(lines: readonly string[]): Html {
  const words = lines.filter((line) => !line.startsWith('- '));
  const items = lines.filter((line) => line.startsWith('- '));
  const paragraph = words.length > 0 && html`<p>${showInline(words.join(' '))}</p>`;
  const list =
    items.length > 0 &&
    html`<ul class="prose">${items.map((item) => html`<li>${showInline(item.slice(2))}</li>`)}</ul>`;
  return html`${paragraph}${list}`;
}

/** One line of text with its code, bold words and links. */
export function showInline(text: string): Html[] {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*|\[[^\]]+\]\([^)\s]+\))/).map((part) => {
    if (part.startsWith('`') && part.endsWith('`') && part.length > 2) return html`<code>${part.slice(1, -1)}</code>`;
    if (part.startsWith('**') && part.length > 4) return html`<strong>${part.slice(2, -2)}</strong>`;
    const [, words, target = ''] = /^\[([^\]]+)\]\(([^)\s]+)\)$/.exec(part) ?? [];
    const url = words === undefined ? undefined : safeHttpUrl(target);
    if (words !== undefined) return url ? html`<a href="${url}">${words}</a>` : html`${words}`;
    return html`${part}`;
  });
}
