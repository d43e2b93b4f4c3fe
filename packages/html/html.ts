const MARKUP = Symbol('markup');

/** Trusted markup, sent unescaped. Stored or received text never has this type. */
export type Html = { readonly [MARKUP]: string };

export type HtmlValue = Html | string | number | null | undefined | false | readonly HtmlValue[];

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
};

/** Escapes text for elements and quoted attributes. */
const escapeHtml = (text: string): string => text.replace(/[&<>"'`]/g, (character) => ESCAPES[character] ?? '');

/** Builds markup: values are escaped unless they are markup, lists are joined, null and false render nothing. */
export const html = (parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html => ({
  [MARKUP]: parts.map((part, at) => part + (at < values.length ? htmlPart(values[at]) : '')).join(''),
});

/** Marks text as HTML. Only for text that a renderer has escaped. */
export const trustMarkup = (markup: string): Html => ({ [MARKUP]: markup });

export const toMarkup = (markup: Html): string => markup[MARKUP];

type Document = { title: string; head: Html; body: Html; language?: string };

const WRONG = ' aria-invalid="true"';

/** A document in the service's colors; `head` is added to its head. A refused form begins at its first wrong field. */
export function htmlDocument({ title, head, body, language = 'en' }: Document): string {
  const markup = toMarkup(html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="#f6f6f4" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#121412" media="(prefers-color-scheme: dark)">
${head}
</head>
<body>
${body}
</body>
</html>
`);
  return markup.replace(WRONG, `${WRONG} autofocus`);
}

function htmlPart(value: HtmlValue): string {
  if (value === null || value === undefined || value === false) return '';
  if (typeof value === 'object') return isList(value) ? value.map(htmlPart).join('') : value[MARKUP];
  return escapeHtml(String(value));
}

const isList = (value: Html | readonly HtmlValue[]): value is readonly HtmlValue[] => Array.isArray(value);

/** Returns a URL that is safe in links and images; undefined for schemes other than http and https. */
export function safeHttpUrl(text: string | null): string | undefined {
  const url = text === null ? null : URL.parse(text);
  return url && /^https?:$/.test(url.protocol) ? url.href : undefined;
}
