import { type Html, html } from 'doorstep/html';
import { Type } from 'typebox';
import {
  acceptedLanguage,
  LANGUAGE_NAMES,
  LANGUAGES,
  type Language,
  MAX_TAG_LENGTH,
  parseLanguage,
} from './language.ts';

/** A page's language: how a request selects it, and the links that switch to another. */

/** `?lang=` of a page. Any text is accepted; an unsupported language counts as absent. */
export const LANG = {
  lang: Type.Optional(
    Type.String({
      maxLength: MAX_TAG_LENGTH,
      description: 'The BCP 47 tag of the language: English, French or Spanish of any region.',
    }),
  ),
};

/** Returns the first tag with a supported language, otherwise the best of `Accept-Language`, otherwise `otherwise`. */
export function pageLanguage(
  tags: readonly (string | null | undefined)[],
  accepted: string | undefined,
  otherwise: Language = 'en',
): Language {
  for (const tag of tags) {
    const language = parseLanguage(tag);
    if (language) return language;
  }
  return acceptedLanguage(accepted) ?? otherwise;
}

/** Returns the links to the same page in the other languages; `query` is the rest of the address's query. */
export function languageLinks(shown: Language, label: string, query = ''): Html {
  const others = LANGUAGES.filter((language) => language !== shown);
  const links = others.map(
    (language) =>
      html`<a href="?${query}lang=${language}" lang="${language}" hreflang="${language}" id="lang-${language}">${LANGUAGE_NAMES[language]}</a>`,
  );
  return html`<nav class="languages" aria-label="${label}">${links}</nav>`;
}
