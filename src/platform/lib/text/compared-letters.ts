/** `splitWords` may drop words of a long text; up to this many characters it keeps every word. */
const LETTERS_AT_ONCE = 16;
const CODE_UNITS = 0x10000;

/** Every character as `splitWords` folds it, by this version's rules and Unicode version. */
export function comparedLetters(wordsOf: (text: string) => readonly string[]): string {
  let letters = '';
  for (let code = 0; code < CODE_UNITS; code += LETTERS_AT_ONCE) {
    const codes = Array.from({ length: LETTERS_AT_ONCE }, (_, nth) => code + nth);
    letters += `${wordsOf(String.fromCharCode(...codes)).join(' ')},`;
  }
  return letters;
}
