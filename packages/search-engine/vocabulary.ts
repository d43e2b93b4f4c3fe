import { everydayNames } from './everyday-names.ts';
import { ACCOUNT, type Field, KIND, NAME, PLACE, Term, type TermDictionary } from './term-dictionary.ts';
import { numberForms } from './text/singular.ts';
import { TypoIndex } from './text/typo-index.ts';

const MAX_MISSPELLED = 4096;
/** The store type that precedes a cuisine in a term. */
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
  /** Cached misspellings by maximum typos and word; cleared when a name has a new word. */
  private readonly misspelled = new Map<string, readonly Term[]>();
  /** Kinds by their everyday names. */
  private readonly kinds = new Map<string, Term[]>();
  /** First words of places and of kinds' names that have several words. */
  private readonly phraseStarts = new Set<string>();
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
      if (field === NAME) this.addName(term);
      if (field === KIND) this.addKind(term);
      if (field === PLACE) this.addPhrase(text);
    }
  }

  private addName(term: Term): void {
    this.names[this.typos.add(term.text)] = term;
    this.misspelled.clear();
  }

  private addKind(term: Term): void {
    for (const name of everydayNames(term.text.replace(TYPE_OF_CUISINE, ''))) {
      this.kinds.set(name, [...(this.kinds.get(name) ?? []), term]);
      this.addPhrase(name);
    }
  }

  private addPhrase(phrase: string): void {
    const end = phrase.indexOf(' ');
    if (end !== -1) this.phraseStarts.add(phrase.slice(0, end));
  }

  /** Whether a place or kind of several words may begin with the word or its singular. */
  startsPhrase(word: string, singular: string): boolean {
    return this.phraseStarts.has(word) || this.phraseStarts.has(singular);
  }

  /** Returns the kinds with this everyday name (`kindPhrase`). */
  kindsNamed(phrase: string): readonly Term[] {
    return this.kinds.get(phrase) ?? [];
  }

  /** Returns undefined if no segment has the term. */
  find(field: Field, text: string): Term | undefined {
    return this.terms[field].get(text);
  }

  /** Singulars, plurals and possessives of the word that names contain. */
  forms(word: string): readonly Term[] {
    return numberForms(word).flatMap((form) => this.find(NAME, form) ?? []);
  }

  /** Returns the terms of names within `maxTypos` typos of the word, and its other forms. */
  misspellings(word: string, maxTypos: number): readonly Term[] {
    const key = `${maxTypos}${word}`;
    const known = this.misspelled.get(key);
    if (known !== undefined) return known;
    const typos = this.typos.near(word, maxTypos).map((number) => this.names[number] as Term);
    const found = [...new Set([...this.forms(word), ...typos])];
    if (this.misspelled.size >= MAX_MISSPELLED) this.misspelled.clear();
    this.misspelled.set(key, found);
    return found;
  }
}
