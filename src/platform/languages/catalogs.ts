import { en } from './en/catalog.ts';
import { es } from './es/catalog.ts';
import { type Format, type FormatCountry, formatOf } from './format.ts';
import { fr } from './fr/catalog.ts';
import type { Language } from './language.ts';
import type { Words } from './words.ts';

/** Every text of one language, by its reader. Only code of the service imports it: browser code imports one part. */
export type Catalog = Words<typeof en>;

const CATALOGS: Readonly<Record<Language, Catalog>> = { en, fr, es };

/** What a text needs: the language's sentences, and the format of its figures. */
export type Locale = { language: Language; words: Catalog; format: Format };

/** The locale of a language in the country of a store. */
export function localeOf(language: Language, country: FormatCountry): Locale {
  return { language, words: CATALOGS[language], format: formatOf(language, country) };
}
