import type { TextLine } from '../../lib/read-lines.ts';
import { jsonLdScripts } from './json-ld-scripts.ts';
import { SCHEMA_ORG_LIMITS } from './limits.ts';

const { documentCharacters } = SCHEMA_ORG_LIMITS;
const TOO_LONG = `expected at most ${documentCharacters} characters in a document`;

/** A JSON-LD value with the line it starts on, or the fault of a broken value. */
export type LdBlock = { line: number } & ({ value: unknown } | { fault: string });

/** The blocks of one page or file, which may refer to each other. */
export type LdDocument = { line: number; blocks: readonly LdBlock[] };

/**
 * The documents of a file: every line where the first line is JSON by itself, else the whole file as one document or as a
 * page with JSON-LD blocks. Only a whole file is held in memory, up to a limit.
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
      : some.map((one) => ({ line: one.line, blocks: [readBlock(one.line, one.text ?? '', faultOf(one))] }));
  }
  if (whole) yield [whole.read()];
}

/** A file gathered line by line; once something is wrong with it, nothing more is kept. */
type WholeText = { add(line: TextLine): void; read(): LdDocument };

function createWholeText(firstLine: number): WholeText {
  let held: string[] = [];
  let characters = 0;
  let fault: string | null = null;
  return {
    add(line) {
      if (fault !== null) return;
      // The line reader skips blank lines; put them back, so that lines keep their numbers.
      for (; firstLine + held.length < line.line && characters <= documentCharacters; characters += 1) held.push('');
      const text = line.text ?? '';
      held.push(text);
      characters += text.length + 1;
      fault = faultOf(line) ?? (characters > documentCharacters ? TOO_LONG : null);
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
  try {
    return { line, value: JSON.parse(text) };
  } catch {
    return { line, fault: 'expected JSON' };
  }
}

function isAlone(line: TextLine): boolean {
  return line.text !== null && /^\s*[[{]/.test(line.text) && 'value' in readBlock(line.line, line.text, null);
}

function faultOf(line: TextLine): string | null {
  return line.text === null ? line.fault : null;
}
