import { lexer, type Token, type Tokens } from 'marked';
import { plainText } from './render-markdown.ts';
import { FRONT, pageOf } from './site-links.ts';

export type NavigationEntry = { page: string; title: string };
export type NavigationGroup = { title: string; entries: readonly NavigationEntry[] };

/**
 * The navigation of the site is what its front page lists: each heading of the second level is a group, and the first link of
 * each item of a list below the heading is an entry.
 */
export function navigationOf(front: string, pages: ReadonlySet<string>): NavigationGroup[] {
  const groups: { title: string; entries: NavigationEntry[] }[] = [];
  for (const token of lexer(front)) {
    if (token.type === 'heading' && token.depth === 2) {
      groups.push({ title: plainText(token.tokens ?? []), entries: [] });
    }
    if (token.type === 'list') groups.at(-1)?.entries.push(...entriesOf(token as Tokens.List, pages));
  }
  return groups.filter(({ entries }) => entries.length > 0);
}

function entriesOf({ items }: Tokens.List, pages: ReadonlySet<string>): NavigationEntry[] {
  return items.flatMap(({ tokens }) => {
    const link = firstLink(tokens);
    const page = link && pageOf(link.href.replace(/\/$/, ''));
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
