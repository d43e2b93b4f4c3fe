import { Tokenizer } from 'htmlparser2';
import { SCHEMA_ORG_LIMITS } from './limits.ts';

/** A JSON-LD block of a page, with the line of the page that it starts on. */
export type PageScript = { line: number; text: string };

const JSON_LD = /^application\/ld\+json\s*(?:;|$)/i;
const NEWLINE = 10;

/**
 * The JSON-LD blocks of a saved page, in its order: it reads what a browser takes for script elements, so comments,
 * styles and other scripts hold none. Time grows with the length of the page and with nothing else: htmlparser2's parser
 * looks through all open elements at each tag, so only its tokenizer is used.
 */
export function jsonLdScripts(html: string): PageScript[] {
  const scripts: PageScript[] = [];
  const lineAt = createLineCounter(html);
  const tag = createTagReader(html);
  let start: number | null = null;

  function open(end: number): void {
    if (tag.name() === 'script' && JSON_LD.test(tag.type().trim())) start = end + 1;
  }

  function close(end: number): void {
    if (start === null) return;
    scripts.push({ line: lineAt(start), text: unwrapped(html.slice(start, end)) });
    start = null;
    if (scripts.length === SCHEMA_ORG_LIMITS.scripts) tokenizer.pause();
  }

  const tokenizer = new Tokenizer(
    {},
    {
      ...tag.callbacks,
      onopentagend: open,
      // A browser takes `<script/>` for an opening tag.
      onselfclosingtag: open,
      onclosetag: (nameStart) => close(nameStart - '</'.length),
      onend: () => close(html.length),
    },
  );
  tokenizer.write(html);
  tokenizer.end();
  return scripts;
}

function ignore(): void {}

/** Follows the tokens of opening tags: the name of the last tag, and its `type`. As in a browser, the first of two counts. */
function createTagReader(html: string) {
  let name = '';
  let type: string | null = null;
  let isType = false;
  return {
    name: () => name,
    type: () => type ?? '',
    callbacks: {
      onopentagname(start: number, end: number) {
        // A longer name is no script's.
        name = end - start > 'script'.length ? '' : html.slice(start, end).toLowerCase();
        type = null;
      },
      onattribname(start: number, end: number) {
        isType = type === null && html.slice(start, end).toLowerCase() === 'type';
        if (isType) type = '';
      },
      onattribdata(start: number, end: number) {
        if (isType) type += html.slice(start, end);
      },
      onattribentity(code: number) {
        if (isType) type += String.fromCodePoint(code);
      },
      onattribend: ignore,
      oncdata: ignore,
      oncomment: ignore,
      ondeclaration: ignore,
      onprocessinginstruction: ignore,
      ontext: ignore,
      ontextentity: ignore,
    },
  };
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
