import { createHash } from 'node:crypto';
import { type SecurityOptions, strictTransport } from '../http/security-headers.ts';
import { type Html, html, markupOf } from '../lib/html.ts';
import { PAYMENT_PAGE_STYLE } from './payment-page-style.ts';

const STYLE_HASH = createHash('sha256').update(markupOf(PAYMENT_PAGE_STYLE)).digest('base64');

/** The page is kept nowhere, found by no search engine, and asks for no sensor of the device. */
export const PAYMENT_PAGE_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'permissions-policy': 'geolocation=(), camera=(), microphone=(), payment=(), usb=()',
  'x-robots-tag': 'noindex, nofollow',
};

/**
 * Security headers of a payment page: it runs and loads nothing, no other site frames it, and its address, which is the
 * permission, is sent to no other site. A browser holds the redirect that answers a form to `form-action`, so the origin
 * of the shop stands there.
 */
export function paymentPageSecurity(baseUrl: string, returnUrl?: string) {
  const targets = ["'self'", ...(returnUrl === undefined ? [] : [new URL(returnUrl).origin])];
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'none'"],
        'style-src': [`'sha256-${STYLE_HASH}'`],
        // The empty icon, without which a browser asks the service for one.
        'img-src': ['data:'],
        'form-action': targets,
        'frame-ancestors': ["'none'"],
        'base-uri': ["'none'"],
      },
    },
    strictTransportSecurity: strictTransport(baseUrl),
    referrerPolicy: { policy: 'no-referrer' },
    xFrameOptions: { action: 'deny' },
    crossOriginOpenerPolicy: { policy: 'same-origin' },
  } satisfies SecurityOptions;
}

type PaymentPage = { title: string; main: Html; isTest: boolean };

/** A whole document; complete without any script. */
export function paymentDocument({ title, main, isTest }: PaymentPage): string {
  return markupOf(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="The page on which you save a card for your orders.">
<meta name="robots" content="noindex, nofollow">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="#f6f5f1" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#141513" media="(prefers-color-scheme: dark)">
<link rel="icon" href="data:,">
<style>${PAYMENT_PAGE_STYLE}</style>
</head>
<body>
${isTest && html`<header class="test">Test page: no money moves. Use test cards only.</header>`}
<main>
${main}
</main>
</body>
</html>
`);
}

/** A page that says one thing; `next` is where the customer goes on. */
export function noticePage(title: string, detail: string, next?: { url: string; words: string }): string {
  const main = html`<h1>${title}</h1>
<p class="lead">${detail}</p>
${next && html`<a class="button" href="${next.url}" rel="noreferrer">${next.words}</a>`}`;
  return paymentDocument({ title, main, isTest: false });
}
