/* Words as people type them: folding, plurals, typos, other spellings. */

export { firstName, foldText, MAX_TEXT_LENGTH, MAX_WORDS, splitWords } from './normalize-text.ts';
export { looseRewritesOf, type QueryRewrite, respellingsOf, rewritesOf } from './query-rewrites.ts';
export { singularOf } from './singular.ts';
export { allowedTypos, createTypoMatcher } from './typo-distance.ts';
export { EXACT, PREFIX, type TermMatches, TYPO, WordIndex } from './word-index.ts';
