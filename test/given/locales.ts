import { LANGUAGES } from '../../src/platform/languages/language.ts';
import { type Locale, localeOf } from '../../src/texts/catalogs.ts';

/** Texts for a US customer without a language preference. */
export const ENGLISH: Locale = localeOf('en', 'US');

/** Every language in both countries. */
export const LOCALES: readonly Locale[] = LANGUAGES.flatMap((language) => [
  localeOf(language, 'US'),
  localeOf(language, 'CA'),
]);
