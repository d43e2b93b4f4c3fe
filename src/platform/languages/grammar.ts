import type { Language } from './language.ts';

/** The forms of a text by count. French and Spanish use `many` from a million; without it, `other`. */
type PluralForms = { one: string; other: string; many?: string };

/** Selects the plural form of a language: French writes `0 article`, English `0 items`. */
export type Plural = (count: number, forms: PluralForms) => string;

/** Returns the plural rules of one language, for its catalog. */
export function pluralOf(language: Language): Plural {
  let rules: Intl.PluralRules | undefined;
  return (count, forms) => {
    rules ??= new Intl.PluralRules(language);
    const category = rules.select(count);
    if (category === 'one') return forms.one;
    return category === 'many' ? (forms.many ?? forms.other) : forms.other;
  };
}

/** Adds a period, unless the text already ends with one, as after a time such as `6:45 p.m.`. */
export const sentence = (text: string): string => (text.endsWith('.') ? text : `${text}.`);
