import { type Html, html, htmlDocument } from 'doorstep/html';
import { languageLinks } from '../../platform/languages/page-language.ts';
import type { Locale } from '../../texts/catalogs.ts';
import type { Brand } from './brand.ts';

/** The frame of the pages on an account's site. Tracking and checkout share brand, head and language links. */
export type SiteFrame = {
  brand: Brand;
  /** Where the order was begun, or an own host's front page: the brand leads there. */
  homeUrl?: string | undefined;
  locale: Locale;
  /** The page's query without a language, which language links extend; empty, or ends with `&`. */
  languageQuery: string;
  iconPath: string;
  scriptPath: string;
  stylePath: string;
  /** Path of the style sheet of the brand's look; undefined for the service's own. */
  lookPath: string | undefined;
};

export type SitePage = { title: string; description: string; main: Html; head?: Html | false | undefined };

export function siteDocument(
  { brand, homeUrl, locale, languageQuery, ...paths }: SiteFrame,
  { title, description, main, head }: SitePage,
): string {
  const words = locale.words.customer.page;
  // The name stands where the logo does not load.
  const name = brand.logoUrl
    ? html`<img src="${brand.logoUrl}" alt="${brand.name}" height="32" referrerpolicy="no-referrer">`
    : brand.name;
  return htmlDocument({
    language: locale.language,
    title: `${title} · ${brand.name}`,
    head: html`<meta name="description" content="${description}">
<meta name="robots" content="noindex, nofollow">
<meta name="format-detection" content="telephone=no">
<link rel="icon" href="${paths.iconPath}">
<link rel="stylesheet" href="${paths.stylePath}">
${paths.lookPath && html`<link rel="stylesheet" href="${paths.lookPath}">`}
${head}`,
    body: html`<a class="skip" href="#main">${words.skip}</a>
<header>${homeUrl ? html`<a class="brand" href="${homeUrl}" rel="noreferrer">${name}</a>` : html`<span class="brand">${name}</span>`}</header>
${main}
${languageLinks(locale.language, words.language, languageQuery)}`,
  });
}
