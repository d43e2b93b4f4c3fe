import { LANGUAGE_NAMES, LANGUAGES } from '../../src/platform/languages/language.ts';
import { store as words } from '../../src/texts/en/store.ts';
import type { ConsoleContext } from './console-context.ts';

const YEAR_S = 365 * 86_400;

/** Chooses the language of this tablet, independent of the store's. The service reads the choice from a cookie. */
export function LanguageChoice({ context: { base, language } }: { context: ConsoleContext }) {
  function choose(chosen: string): void {
    const secure = location.protocol === 'https:' ? '; secure' : '';
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in older tablets
    document.cookie = `doorstep_language=${chosen}; path=${base}/console; max-age=${YEAR_S}; samesite=lax${secure}`;
    // Reading waits until the browser has stored the cookie; an earlier reload would bring the previous language.
    if (document.cookie !== '') location.reload();
  }
  return (
    <p class="language">
      <span>{words.frame.language}</span>
      <LanguageSelect label={words.frame.language} language={language} choose={choose} />
    </p>
  );
}

type SelectProps = {
  label?: string;
  labelledBy?: string;
  isBusy?: boolean;
  language: string;
  choose: (language: string) => void;
};

export function LanguageSelect({ label, labelledBy, isBusy, language, choose }: SelectProps) {
  return (
    <select
      aria-label={label}
      aria-labelledby={labelledBy}
      aria-busy={isBusy}
      value={language}
      onChange={({ currentTarget }) => choose(currentTarget.value)}
    >
      {LANGUAGES.map((each) => (
        <option key={each} value={each} lang={each}>
          {LANGUAGE_NAMES[each]}
        </option>
      ))}
    </select>
  );
}
