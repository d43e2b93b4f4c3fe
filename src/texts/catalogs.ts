import { type Format, type FormatCountry, formatOf } from '../platform/languages/format.ts';
import type { Language } from '../platform/languages/language.ts';
import type { Words } from '../platform/languages/words.ts';
import { en } from './en/catalog.ts';
import { es } from './es/catalog.ts';
import { fr } from './fr/catalog.ts';

/** All texts of one language. Import it only in the service; browser code imports single parts. */
export type Catalog = Words<typeof en>;

const CATALOGS: Readonly<Record<Language, Catalog>> = { en, fr, es };

/** A language with its texts and number formats. */
export type Locale = { language: Language; words: Catalog; format: Format };

/** The locale of a language in the country of a store. */
export function localeOf(language: Language, country: FormatCountry): Locale {
  return { language, words: CATALOGS[language], format: formatOf(language, country) };
}
