import { everydayNames } from '../../platform/lib/text/everyday-names.ts';
import { TypoIndex } from '../../platform/lib/text/typo-index.ts';
import { ACCOUNT, type Field, KIND, NAME, PLACE, Term, type TermDictionary } from './term-dictionary.ts';

/** The type before a cuisine. */
const TYPE_OF_CUISINE = /^(restaurant|grocery) (?=.)/;

/**
 * Terms of all segments that a searcher has shown. Unknown terms, such as most parts of rewritten words, skip the
 * segments; misspellings are matched once for all segments. Terms of dropped segments stay until the vocabulary is
 * rebuilt.
 */
export class Vocabulary {
  private readonly terms: Readonly<Record<Field, Map<string, Term>>> = {
    [NAME]: new Map(),
    [KIND]: new Map(),
    [PLACE]: new Map(),
    [ACCOUNT]: new Map(),
  };
  /** Terms of names, by their numbers in `typos`. */
  private readonly names: Term[] = [];
  private readonly typos = new TypoIndex();
  /** Kinds by their everyday names. */
  private readonly kinds = new Map<string, Term[]>();
  size = 0;

  /** Adds the terms of these numbers. */
  add(terms: TermDictionary, from: number, end: number): void {
    for (let nth = from; nth < end; nth += 1) {
      const field = terms.fieldAt(nth);
      const text = terms.textAt(nth);
      if (this.terms[field].has(text)) continue;
      const term = new Term(field, text);
      this.terms[field].set(text, term);
      this.size += 1;
      if (field === NAME) this.names[this.typos.add(text)] = term;
      if (field === KIND) this.addKind(term);
    }
  }

  private addKind(term: Term): void {
    for (const name of everydayNames(term.text.replace(TYPE_OF_CUISINE, ''))) {
      this.kinds.set(name, [...(this.kinds.get(name) ?? []), term]);
    }
  }

  /** Kinds that people call this (`kindPhrase`). */
  kindsNamed(phrase: string): readonly Term[] {
    return this.kinds.get(phrase) ?? [];
  }

  /** Returns undefined if no segment has the term. */
  find(field: Field, text: string): Term | undefined {
    return this.terms[field].get(text);
  }

  /** Terms of names within `maxTypos` typos of the word. */
  misspellings(word: string, maxTypos: number): readonly Term[] {
    return this.typos.near(word, maxTypos).map((number) => this.names[number] as Term);
  }
}
