import { type Html, html, htmlDocument, safeHttpUrl, trustMarkup } from 'doorstep/html';
import type { Branding } from '../../access/accounts/branding.ts';
import { mapPolicy } from '../../fulfillment/deliveries/street-map.ts';
import type { Config } from '../../platform/config/config.ts';
import { pageSecurity, type SecurityHeaders } from '../../platform/http/security-headers.ts';
import { LANGUAGES } from '../../platform/languages/language.ts';
import type { Locale } from '../../texts/catalogs.ts';
import { type Brand, fontPolicy } from '../tracking/brand.ts';
import { helpWays } from '../tracking/order-sections.ts';
import type { SiteFrame } from '../tracking/site.page.ts';
import type { RenderedShop } from './shop-visit.ts';

type ShopFrame = Omit<SiteFrame, 'languageQuery'> & { branding: Branding; isSandbox: boolean };

/** A shop page that is complete without scripts: the rendered components, their data, and link targets. */
export function shopPage({ brand, branding, locale, isSandbox, ...paths }: ShopFrame, shown: RenderedShop): string {
  const { title, description, canonicalUrl, pictureUrl, structuredData } = shown;
  const [anyLanguageUrl] = canonicalUrl.split('?');
  const languages = LANGUAGES.map(
    (language) => html`<link rel="alternate" hreflang="${language}" href="${anyLanguageUrl}?lang=${language}">\n`,
  );
  return htmlDocument({
    language: locale.language,
    title: title === brand.name ? title : `${title} · ${brand.name}`,
    head: html`<meta name="description" content="${description}">
${(isSandbox || !shown.isIndexed) && html`<meta name="robots" content="noindex">`}
<link rel="canonical" href="${canonicalUrl}">
${languages}<link rel="alternate" hreflang="x-default" href="${anyLanguageUrl}">
<meta property="og:type" content="website">
<meta property="og:site_name" content="${brand.name}">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${description}">
<meta property="og:url" content="${canonicalUrl}">
${pictureUrl && html`<meta property="og:image" content="${new URL(pictureUrl, canonicalUrl).href}">`}
<meta name="twitter:card" content="${pictureUrl ? 'summary_large_image' : 'summary'}">
<link rel="icon" href="${paths.iconPath}">
<link rel="stylesheet" href="${paths.stylePath}">
${paths.lookPath && html`<link rel="stylesheet" href="${paths.lookPath}">`}
${structuredData && html`<script type="application/ld+json">${inScript(structuredData)}</script>`}`,
    body: html`<div id="app">${trustMarkup(shown.markup)}</div>
${linksOf(branding, locale)}
<script type="application/json" id="boot">${inScript(shown.boot)}</script>
<script type="module" src="${paths.scriptPath}"></script>`,
  });
}

/** Help, terms and privacy, below every page; false where the account has none. */
function linksOf(branding: Branding, locale: Locale): Html | false {
  const { terms, privacy } = locale.words.checkout.finish;
  const legal = [
    { url: safeHttpUrl(branding.termsUrl), name: terms },
    { url: safeHttpUrl(branding.privacyUrl), name: privacy },
  ];
  const links = [
    ...helpWays(branding, locale),
    ...legal.flatMap(({ url, name }) => (url ? html`<a href="${url}" rel="noreferrer">${name}</a>` : [])),
  ];
  const label = locale.words.customer.page.needHelp;
  return links.length > 0 && html`<nav class="legal" aria-label="${label}">${links}</nav>`;
}

/** JSON in a script element, which nothing in it can end. */
const inScript = (json: string) => trustMarkup(json.replaceAll('<', '\\u003c'));

/** Shop pages differ only by host and language. */
export const SHOP_HEADERS: Readonly<Record<string, string>> = {
  'permissions-policy': 'geolocation=(self), camera=(), microphone=(), payment=(), usb=()',
  vary: 'accept-language, cookie, host',
};

/** Pictures are the feeds' own; the page requests only the API and map tiles. */
export function shopSecurity(
  siteUrl: string,
  { baseUrl, mapTiles }: Pick<Config, 'baseUrl' | 'mapTiles'>,
  { font }: Pick<Brand, 'font'>,
): SecurityHeaders {
  const { origin } = new URL(baseUrl);
  const { 'connect-src': tiles = [] } = mapPolicy(mapTiles);
  return pageSecurity(siteUrl, {
    ...fontPolicy(font),
    'img-src': ["'self'", 'data:', 'https:', origin],
    'connect-src': [...tiles, origin],
    'form-action': ["'self'"],
  });
}
