import { joinArabic } from './arabic-forms.ts';
import { lettersOf } from './printable-text.ts';

const LETTER = '\\p{Script=Hebrew}\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Thaana}\\p{Script=Nko}';
const RIGHT_TO_LEFT = new RegExp(`[${LETTER}]`, 'u');
/** From a letter that is written right to left to the last of these before any other letter, and a bracket after it. */
const RUN = new RegExp(`[${LETTER}](?:(?:[${LETTER}]|\\P{L})*[${LETTER}\\p{M}])?[)\\]]?`, 'gu');
const NUMBER = /\p{Nd}+(?:[.,:]\p{Nd}+)*/gu;
const MIRRORED: Readonly<Record<string, string>> = { '(': ')', ')': '(', '[': ']', ']': '[', '<': '>', '>': '<' };

/**
 * A row of a left-to-right ticket in the sequence in which its letters stand on paper: Hebrew and Arabic words run right
 * to left, numbers within them left to right (Unicode Standard Annex 9, without its embeddings).
 */
export function visualOrder(text: string): string {
  if (!RIGHT_TO_LEFT.test(text)) return text;
  return joinArabic(text).replace(RUN, (found) => {
    // A bracket after the last word belongs to the words where its pair does.
    const isOutside = /[)\]]$/.test(found) && count(found, /[([]/g) < count(found, /[)\]]/g);
    const run = isOutside ? found.slice(0, -1) : found;
    return reversed(run) + found.slice(run.length);
  });
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

function reversed(run: string): string {
  return lettersOf(run)
    .reverse()
    .map((letter) => MIRRORED[letter] ?? letter)
    .join('')
    .replace(NUMBER, (number) => [...number].reverse().join(''));
}
