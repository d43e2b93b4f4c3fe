import { type Html, html, htmlDocument } from 'doorstep/html';
import { languageLinks } from '../../platform/languages/page-language.ts';
import type { Locale } from '../../texts/catalogs.ts';
import type { Brand } from './brand.ts';

/** The frame of the pages on an account's site. Tracking and checkout share brand, head and language links. */
export type SiteFrame = {
  brand: Brand;
  locale: Locale;
  /** The page's query without a language, to which language links add theirs; empty, or ends with `&`. */
  languageQuery: string;
  iconPath: string;
  scriptPath: string;
  stylePath: string;
  /** Path of the style sheet with the brand's color; undefined if the brand has none. */
  colorPath: string | undefined;
};

export type SitePage = {
  title: string;
  description: string;
  main: Html;
  head?: Html | false | undefined;
};

export function siteDocument(
  { brand, locale, languageQuery, ...paths }: SiteFrame,
  { title, description, main, head }: SitePage,
): string {
  const words = locale.words.customer.page;
  const logo =
    brand.logoUrl && html`<img src="${brand.logoUrl}" alt="" height="32" width="160" referrerpolicy="no-referrer">`;
  return htmlDocument({
    language: locale.language,
    title: `${title} · ${brand.name}`,
    head: html`<meta name="description" content="${description}">
<meta name="robots" content="noindex, nofollow">
<meta name="format-detection" content="telephone=no">
<link rel="icon" href="${paths.iconPath}">
<link rel="stylesheet" href="${paths.stylePath}">
${paths.colorPath && html`<link rel="stylesheet" href="${paths.colorPath}">`}
${head}`,
    body: html`<a class="skip" href="#main">${words.skip}</a>
<header><span class="brand">${brand.name}</span>${logo}</header>
${main}
${languageLinks(locale.language, words.language, languageQuery)}`,
  });
}
