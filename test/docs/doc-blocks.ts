import { globSync } from 'node:fs';
import { ROOT, textOf } from '../source-files.ts';

/** A fenced code block of a document, to paste, save or compare. */
export type Block = { file: string; line: number; language: string; text: string };

/** Documents whose code blocks readers run. */
export const DOCUMENTS: readonly string[] = ['README.md', ...globSync('docs/*.md', { cwd: ROOT }).sort()];

const FENCED = /^```(\w*)\n([\s\S]*?)^```$/gm;

export function blocksOf(file: string): Block[] {
  const text = textOf(file);
  return [...text.matchAll(FENCED)].map(({ 1: language = '', 2: block = '', index }) => ({
    file,
    line: text.slice(0, index).split('\n').length,
    language,
    text: block,
  }));
}
