import { type Html, html, markupOf } from '../lib/html.ts';
import type { Brand } from './brand.ts';
import type { MapFiles } from './map-view.ts';

/** The frame of a page: its brand, and the paths of its files. The paths are the service's own: letters, digits, `/`, `.`, `-`. */
export type Frame = {
  brand: Brand;
  /** The path of the page that follows the order. */
  pagePath: string;
  /** The query of the visitor's link, with the customer's key where the visitor has it; empty without an order. */
  linkQuery: string;
  iconPath: string;
  scriptPath: string;
  stylePath: string;
  /** The styles of the brand's colour; undefined for a brand without one. */
  colorPath: string | undefined;
  eventsPath: string;
  /** The files of the map with streets; undefined where the operator gives no tiles: the page then has the sketch. */
  mapFiles: MapFiles | undefined;
};

/** Without scripts a page that may still change looks again this often. */
const REFRESH_SECONDS = 30;

/** A whole page of the site. A page that may change has the script, or loads itself again. */
export function siteDocument({ brand, ...paths }: Frame, title: string, main: Html, mayChange = false): string {
  const logo =
    brand.logoUrl && html`<img src="${brand.logoUrl}" alt="" height="32" width="160" referrerpolicy="no-referrer">`;
  return markupOf(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title} · ${brand.name}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="Where your order is, and when it arrives.">
<meta name="robots" content="noindex, nofollow">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="#f6f5f1" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#141513" media="(prefers-color-scheme: dark)">
<meta name="format-detection" content="telephone=no">
<link rel="icon" href="${paths.iconPath}">
<link rel="stylesheet" href="${paths.stylePath}">
${paths.colorPath && html`<link rel="stylesheet" href="${paths.colorPath}">`}
${
  mayChange &&
  html`<script type="module" src="${paths.scriptPath}"></script>
<noscript><meta http-equiv="refresh" content="${REFRESH_SECONDS}"></noscript>`
}
</head>
<body>
<a class="skip" href="#main">Skip to the order</a>
<header><span class="brand">${brand.name}</span>${logo}</header>
${main}
</body>
</html>
`);
}
