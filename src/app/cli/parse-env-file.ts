/** A file's names and values in line order, or the number of its first malformed line, from 1. */
export type EnvFile = { entries: (readonly [name: string, value: string])[] } | { malformedLine: number };

const QUOTES = ['"', "'", '`'];
const EMPTY = /^[ \t]*(#|$)/;
const ASSIGNMENT = /^[ \t]*(?:export [ \t]*)?([\w.-]+)[ \t]*=(.*)$/;
/** Begins the comment after a value without quotes. */
const COMMENT = /[ \t]#/;
const AFTER_QUOTE = /^[ \t]*(#.*)?$/;

/**
 * Parses NAME=value like Node's `parseEnv`, but refuses lines that Node would silently drop or cut: no assignment, `#`
 * inside a plain value, an open quote, text after a quote. An empty value stays empty, even after a space.
 */
export function parseEnvFile(text: string): EnvFile {
  const lines = text.replaceAll('\r', '').split('\n');
  const entries: (readonly [string, string])[] = [];
  for (let n = 0; n < lines.length; n++) {
    const line = lines[n] ?? '';
    if (EMPTY.test(line) && !line.includes('\0')) continue;
    const [, name = '', text = ''] = ASSIGNMENT.exec(line) ?? [];
    const read = name === '' ? undefined : (quotedValue(lines, n, text.trimStart()) ?? plainValue(text, n));
    if (!read || read.value.includes('\0')) return { malformedLine: n + 1 };
    entries.push([name, read.value]);
    n = read.lastLine;
  }
  return { entries };
}

type ParsedValue = { value: string; lastLine: number };

function plainValue(text: string, n: number): ParsedValue | undefined {
  const value = (text.split(COMMENT, 1)[0] ?? '').trim();
  const isClear = !value.includes('#') && !QUOTES.includes(value.charAt(0));
  return isClear ? { value, lastLine: n } : undefined;
}

/** The quoted value, if its quote is closed and only a comment follows. */
function quotedValue(lines: readonly string[], from: number, first: string): ParsedValue | undefined {
  const quote = QUOTES.find((mark) => first.startsWith(mark));
  if (quote === undefined) return undefined;
  let [value, rest, lastLine] = ['', first.slice(1), from];
  while (!rest.includes(quote)) {
    lastLine += 1;
    const next = lines[lastLine];
    if (next === undefined) return undefined;
    value += `${rest}\n`;
    rest = next;
  }
  const end = rest.indexOf(quote);
  if (!AFTER_QUOTE.test(rest.slice(end + 1))) return undefined;
  value += rest.slice(0, end);
  return { value: quote === '"' ? value.replaceAll('\\n', '\n') : value, lastLine };
}
