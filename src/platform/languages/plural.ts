import type { Language } from './language.ts';

/** The forms of a text by count. `many` is for a million and more in French and Spanish; without it `other` is used. */
type PluralForms = { one: string; other: string; many?: string };

/** Selects the plural form of a language: French writes `0 article`, English `0 items`. */
export type Plural = (count: number, forms: PluralForms) => string;

/** The plural rules of one language, for its catalog. */
export function pluralOf(language: Language): Plural {
  let rules: Intl.PluralRules | undefined;
  return (count, forms) => {
    rules ??= new Intl.PluralRules(language);
    const category = rules.select(count);
    if (category === 'one') return forms.one;
    return category === 'many' ? (forms.many ?? forms.other) : forms.other;
  };
}
