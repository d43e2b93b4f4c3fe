import { EXACT, PREFIX, TYPO } from '../../lib/text/term-dictionary.ts';

/** Names that match a rewrite of the query; the classes before are those of the term dictionary. */
const REWRITTEN = 3;
export const NAME_CLASSES = [EXACT, PREFIX, TYPO, REWRITTEN] as const;
export type NameClass = (typeof NAME_CLASSES)[number];

/**
 * Numbers of the names that match a query, by class; the class of a name is that of its worst word. A class is worked
 * out when a search first asks for it: most pages are full before the costly classes. Valid until a name comes or goes.
 */
export type NameMatch = {
  of(nameClass: NameClass): Uint32Array;
  /** The names of all classes. */
  all(): Uint32Array;
};
