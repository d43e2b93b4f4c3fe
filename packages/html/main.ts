/* Markup from templates whose values are escaped. */

export { type Html, type HtmlValue, html, htmlDocument, safeHttpUrl, toMarkup, trustMarkup } from './html.ts';
