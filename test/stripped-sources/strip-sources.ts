import { chmodSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** What `load-stripped.cjs` reads: where each source of `root` is in the file `text`. */
type StrippedSources = {
  /** Another Node.js may know other syntax. */
  version: string;
  root: string;
  text: string;
  spans: Record<string, [number, number]>;
};

/** The programs that run tests load each test file once; other sources are loaded by many processes. */
const FILES = ['src/**/*.ts', 'test/**/*.ts', 'demo/**/*.ts'];
const PRELOADED = join(import.meta.dirname, 'load-stripped.cjs');

/**
 * Writes the sources without their types as one file of the folder. The answer is the settings by which the processes of
 * a run, and the processes that they start, load sources from there. The files are of one run: no later source can be
 * missed.
 */
export function stripSources(root: string, folder: string): Record<string, string> {
  const [text, list] = [join(folder, 'stripped-sources'), join(folder, 'stripped-sources.json')];
  const pieces: Buffer[] = [];
  const spans: StrippedSources['spans'] = {};
  let end = 0;
  for (const file of globSync(FILES, { cwd: root, exclude: (path) => path.endsWith('.test.ts') })) {
    const piece = Buffer.from(stripTypeScriptTypes(readFileSync(join(root, file), 'utf8')));
    pieces.push(piece);
    spans[file] = [end, end + piece.length];
    end += piece.length;
  }
  writeFileSync(text, Buffer.concat(pieces));
  const sources: StrippedSources = { version: process.version, root: pathToFileURL(join(root, '/')).href, text, spans };
  writeFileSync(list, JSON.stringify(sources));
  // Some tests start processes as users without rights.
  chmodSync(folder, 0o755);
  return {
    NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --require=${JSON.stringify(PRELOADED)}`.trim(),
    DOORSTEP_TEST_STRIPPED_SOURCES: list,
  };
}
