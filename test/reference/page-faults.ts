import { join } from 'node:path';
import { loadApart } from '../apart-packages.ts';

type Report = { results: { messages: { ruleId: string; message: string; selector: string | null }[] }[] };
type Package = {
  HtmlValidate: new (loader: unknown) => { validateStringSync(markup: string): Report };
  StaticConfigLoader: new (config: object) => unknown;
};

/** Rules of taste, which break no page. */
const TASTE = {
  ...{ 'attribute-boolean-style': 'off', 'attribute-empty-style': 'off', 'doctype-style': 'off', 'void-style': 'off' },
  ...{ 'long-title': 'off', 'no-trailing-whitespace': 'off', 'no-implicit-input-type': 'off', 'require-sri': 'off' },
  // An id may begin with a digit, and a heading of a document does.
  'valid-id': ['error', { relaxed: true }],
  // Chips of a filter are checkboxes with one name.
  'form-dup-name': 'off',
  // Pages without scripts reload; `0` would loop.
  'meta-refresh': 'off',
  // The anchor of a table with a scroll bar.
  'prefer-native-element': 'off',
};

/** Two rules of the Nu validator that html-validate lacks. */
const MORE_FAULTS = [
  { pattern: /<noscript>\s*<main\b/, fault: 'main in noscript' },
  { pattern: /http-equiv="refresh" content="\d+;\S/, fault: 'no space before url' },
];

/** Returns a function that names what is wrong with a page's HTML. */
export async function validatorOfPages(): Promise<(markup: string) => string[]> {
  const { HtmlValidate, StaticConfigLoader } = await loadApart<Package>(join(import.meta.dirname, './package'));
  const loader = new StaticConfigLoader({ extends: ['html-validate:recommended'], rules: TASTE });
  const validator = new HtmlValidate(loader);
  return (markup) => [
    ...MORE_FAULTS.filter(({ pattern }) => pattern.test(markup)).map(({ fault }) => fault),
    ...validator
      .validateStringSync(markup)
      .results.flatMap(({ messages }) => messages)
      .map(({ ruleId, message, selector }) => `${ruleId}: ${message} (${selector})`),
  ];
}
