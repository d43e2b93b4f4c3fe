import { SCHEMA_ORG_LIMITS } from './limits.ts';

/** A JSON-LD block of a page, with the line of the page that it starts on. */
export type PageScript = { line: number; text: string };

/** Elements whose content is text to a browser, whatever tags it looks like. */
const RAW_TEXT = /<(script|style|textarea|title|xmp|iframe|noembed|noframes)(?=[\s/>])/iy;
/** Between attributes; read by itself, because a pattern that began with it would try every length of it in turn. */
const SPACE = /[\s/]*/y;
const ATTRIBUTE = /([^\s=>"'/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]*)))?/y;
const NEWLINE = 10;

/**
 * The JSON-LD blocks of a saved page, in its order: it reads what a browser takes for script elements, so comments,
 * styles and other scripts hold none. Time grows with the length of the page and with nothing else.
 */
export function jsonLdScripts(html: string): PageScript[] {
  const scripts: PageScript[] = [];
  const lineAt = createLineCounter(html);
  for (
    let at = html.indexOf('<');
    at !== -1 && scripts.length < SCHEMA_ORG_LIMITS.scripts;
    at = html.indexOf('<', at)
  ) {
    if (html.startsWith('<!--', at)) {
      at = after(html, '-->', at + 4);
      continue;
    }
    RAW_TEXT.lastIndex = at;
    const name = RAW_TEXT.exec(html)?.[1]?.toLowerCase();
    if (name === undefined) {
      at += 1;
      continue;
    }
    const tag = readTag(html, at + 1 + name.length);
    const end = endOf(html, name, tag.end);
    const isJsonLd = name === 'script' && /^application\/ld\+json\s*(?:;|$)/i.test(tag.type.trim());
    if (isJsonLd) scripts.push({ line: lineAt(tag.end), text: unwrapped(html.slice(tag.end, end)) });
    at = end;
  }
  return scripts;
}

/** Where a tag ends, and its type; an unfinished tag reaches to the end of the page. */
function readTag(html: string, from: number): { end: number; type: string } {
  let type = '';
  let at = from;
  while (at < html.length) {
    SPACE.lastIndex = at;
    SPACE.test(html);
    at = SPACE.lastIndex;
    ATTRIBUTE.lastIndex = at;
    const match = ATTRIBUTE.exec(html);
    if (match) {
      if (match[1]?.toLowerCase() === 'type' && type === '') type = match[2] ?? match[3] ?? match[4] ?? '';
      at = ATTRIBUTE.lastIndex;
      continue;
    }
    const isEnd = html[at] === '>';
    at += 1;
    if (isEnd) return { end: at, type };
  }
  return { end: html.length, type };
}

/** Where the text of an element ends; the end of the page where nothing closes it. */
function endOf(html: string, name: string, from: number): number {
  const close = new RegExp(`</${name}(?=[\\s/>])`, 'gi');
  close.lastIndex = from;
  return close.exec(html)?.index ?? html.length;
}

function after(html: string, text: string, from: number): number {
  const found = html.indexOf(text, from);
  return found === -1 ? html.length : found + text.length;
}

/** Without the marks that pages put around scripts for readers that know none. */
function unwrapped(text: string): string {
  return text
    .trim()
    .replace(/^(?:\/\/\s*)?(?:<!\[CDATA\[|<!--)/, '')
    .replace(/(?:\/\/\s*)?(?:\]\]>|-->)$/, '');
}

/** Lines are counted once, from one block to the next. */
function createLineCounter(text: string): (at: number) => number {
  let line = 1;
  let counted = 0;
  return (at) => {
    for (; counted < at; counted += 1) if (text.charCodeAt(counted) === NEWLINE) line += 1;
    return line;
  };
}
