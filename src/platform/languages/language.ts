/** The languages of customers, stores and drivers. */
export const LANGUAGES = ['en', 'fr', 'es'] as const;
export type Language = (typeof LANGUAGES)[number];

export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: 'English', fr: 'Français', es: 'Español' };

/** The language of accounts and stores that have not chosen one. */
export const DEFAULT_LANGUAGE: Language = 'en';

/** Maximum characters of a language tag: the length that RFC 5646 asks software to support. */
export const MAX_TAG_LENGTH = 35;
const TAG = /^([a-z]{2})(?:-[a-z0-9]{1,8})*$/i;

/** Whether a text has the shape of a BCP 47 tag, of any language. */
export function isLanguageTag(text: string): boolean {
  return text.length <= MAX_TAG_LENGTH && /^[a-z]{2,8}(?:-[a-z0-9]{1,8})*$/i.test(text);
}

/** Reads a BCP 47 tag: `fr-CA` is French, `es-MX` Spanish. Undefined for other languages and invalid tags. */
export function parseLanguage(tag: string | null | undefined): Language | undefined {
  if (!tag || tag.length > MAX_TAG_LENGTH) return undefined;
  const primary = TAG.exec(tag)?.[1]?.toLowerCase();
  return LANGUAGES.find((language) => language === primary);
}

/** Maximum read characters and entries of the header; browsers send up to ten languages. */
const MAX_HEADER_LENGTH = 1000;
const MAX_ENTRIES = 32;
const ENTRY = /^([\w-]+)(?:\s*;\s*q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/i;

/** Returns the supported language that `Accept-Language` ranks first (RFC 9110); undefined if it names none. */
export function acceptedLanguage(header: string | null | undefined): Language | undefined {
  const entries = (header ?? '').slice(0, MAX_HEADER_LENGTH).split(',', MAX_ENTRIES);
  let best: { language: Language; quality: number } | undefined;
  for (const entry of entries) {
    const [, tag, quality = '1'] = ENTRY.exec(entry.trim()) ?? [];
    const language = parseLanguage(tag);
    if (language && Number(quality) > (best?.quality ?? 0)) best = { language, quality: Number(quality) };
  }
  return best?.language;
}
