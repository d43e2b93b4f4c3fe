import type { TextLine } from 'doorstep/plugin';
import { Tokenizer } from 'htmlparser2';
import { SCHEMA_ORG_LIMITS } from './nodes.ts';

/** Finds the JSON-LD of a page or file: the scripts of a saved page, one document, or one document per line. */

const { documentCharacters } = SCHEMA_ORG_LIMITS;
const TOO_LONG = `expected at most ${documentCharacters} characters in a document`;

/** A JSON-LD value with its first line, or a broken value's error. */
type LdBlock = { line: number } & ({ value: unknown } | { fault: string });

/** The blocks of one page or file, which may refer to each other. */
export type LdDocument = { line: number; blocks: readonly LdBlock[] };

/**
 * Reads a file's documents: one per line if the first line is JSON, otherwise the whole file as one document or as a
 * page with JSON-LD blocks. Only whole files are kept in memory, up to a limit.
 */
export async function* readDocuments(lines: AsyncIterable<readonly TextLine[]>): AsyncGenerator<LdDocument[]> {
  let whole: WholeText | null = null;
  let isFirst = true;
  for await (const some of lines) {
    const [first] = some;
    if (isFirst && first && !isAlone(first)) whole = createWholeText(first.line);
    isFirst &&= first === undefined;
    if (whole) for (const one of some) whole.add(one);
    yield whole
      ? []
      : some.map((one) => ({ line: one.line, blocks: [readBlock(one.line, one.text ?? '', lineFault(one))] }));
  }
  if (whole) yield [whole.read()];
}

/** A file that is gathered line by line; after an error, its text is dropped. */
type WholeText = { add(line: TextLine): void; read(): LdDocument };

function createWholeText(firstLine: number): WholeText {
  let held: string[] = [];
  let characters = 0;
  let fault: string | null = null;
  return {
    add(line) {
      if (fault !== null) return;
      // Restores blank lines, which the line reader skips, so that line numbers stay right.
      for (; firstLine + held.length < line.line && characters <= documentCharacters; characters += 1) held.push('');
      const text = line.text ?? '';
      held.push(text);
      characters += text.length + 1;
      fault = lineFault(line) ?? (characters > documentCharacters ? TOO_LONG : null);
      if (fault !== null) held = [];
    },
    read: () => readWhole(firstLine, held.join('\n'), fault),
  };
}

function readWhole(line: number, text: string, fault: string | null): LdDocument {
  const isPage = fault === null && /^\s*</.test(text);
  if (!isPage) return { line, blocks: [readBlock(line, text, fault)] };
  const scripts = jsonLdScripts(text);
  return { line, blocks: scripts.map((script) => readBlock(line - 1 + script.line, script.text, null)) };
}

function readBlock(line: number, text: string, fault: string | null): LdBlock {
  if (fault !== null) return { line, fault };
  if (text.length > documentCharacters) return { line, fault: TOO_LONG };
  return parseBlock(line, text) ?? parseBlock(line, repairedJson(text)) ?? { line, fault: 'expected JSON' };
}

function parseBlock(line: number, text: string): LdBlock | null {
  try {
    return { line, value: JSON.parse(text) };
  } catch {
    return null;
  }
}

const ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Escapes the line breaks and tabs that templates leave in texts, and drops a semicolon after the document. */
function repairedJson(text: string): string {
  let isInText = false;
  const escaped = text.replace(/\\.|["\n\r\t]/gs, (sign) => {
    if (sign === '"') isInText = !isInText;
    return isInText ? (ESCAPES[sign] ?? sign) : sign;
  });
  return escaped.trimEnd().replace(/;$/, '');
}

const isAlone = (line: TextLine): boolean =>
  line.text !== null && /^\s*[[{]/.test(line.text) && 'value' in readBlock(line.line, line.text, null);

const lineFault = (line: TextLine): string | null => (line.text === null ? line.fault : null);

/** A JSON-LD block of a page, with its first line in the page. */
type PageScript = { line: number; text: string };

const JSON_LD = /^application\/ld\+json\s*(?:;|$)/i;
const NEWLINE = 10;

/**
 * Finds the JSON-LD blocks of a saved page, in order, in the script elements that a browser would see. Uses only
 * htmlparser2's tokenizer, because its parser scans all open elements at each tag, which is not linear.
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
      // Browsers treat `<script/>` as an opening tag.
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

/** Tracks opening tags: the last tag's name and `type`. As in a browser, the first of two attributes is used. */
function createTagReader(html: string) {
  let name = '';
  let type: string | null = null;
  let isType = false;
  return {
    name: () => name,
    type: () => type ?? '',
    callbacks: {
      onopentagname(start: number, end: number) {
        // A longer name cannot be a script's.
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

/** Removes comment marks around scripts, meant for old browsers. */
function unwrapped(text: string): string {
  return text
    .trim()
    .replace(/^(?:\/\/\s*)?(?:<!\[CDATA\[|<!--)/, '')
    .replace(/(?:\/\/\s*)?(?:\]\]>|-->)$/, '');
}

/** Counts lines incrementally, from block to block. */
function createLineCounter(text: string): (at: number) => number {
  let line = 1;
  let counted = 0;
  return (at) => {
    for (; counted < at; counted += 1) if (text.charCodeAt(counted) === NEWLINE) line += 1;
    return line;
  };
}
