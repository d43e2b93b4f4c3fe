import { type Html, html, toMarkup } from 'doorstep/html';
import { TICKET_POLICY } from '../../fulfillment/tickets/ticket.page.ts';
import { policyText } from '../../platform/http/content-policy.ts';
import { pageSecurity, type SecurityHeaders } from '../../platform/http/security-headers.ts';
import type { Language } from '../../platform/languages/language.ts';
import { epochSeconds } from '../../platform/lib/time.ts';
import type { Country } from '../../supply/stores/store.ts';
import { localeOf } from '../../texts/catalogs.ts';

/** Common inputs of the console's pages. The paths contain only letters, digits, `/`, `.`, `-`. */
export type ConsoleFrame = {
  /** The path of BASE_URL, without a slash at its end. */
  base: string;
  language: Language;
  now: Temporal.Instant;
  iconPath: string;
  scriptPath: string;
  stylePath: string;
};

type ConsoleStore = { name: string; timeZone: string; country: Country };

/** The account whose sandbox orders a console shows; null for the store's live orders. */
type ConsoleSandbox = { name: string } | null;

/**
 * The sign-in form. `hasEnded`: the browser's session was revoked or has expired. `isOperators`: operators have a page
 * of their own.
 */
export function signInPage(
  frame: ConsoleFrame,
  { hasEnded, isSandbox, isOperators }: { hasEnded: boolean; isSandbox: boolean; isOperators: boolean },
): string {
  const attributes = html` data-page="sign-in"${isSandbox && html` data-sandbox=""`}${hasEnded && html` data-ended`}${isOperators && html` data-operators`}`;
  const { signIn, frame: say } = wordsOf(frame);
  return scriptedPage(frame, isSandbox ? say.sandboxTitle({ title: signIn.title }) : signIn.title, attributes);
}

type ConsoleMarks = { sandbox: ConsoleSandbox; staff: string | null; takesOrders: boolean; refunds: boolean };

/** The console of a signed-in store. `takesOrders`: it has an account for orders that it takes; `refunds`: it may refund. */
export function storeConsolePage(
  frame: ConsoleFrame,
  store: ConsoleStore,
  { sandbox, staff, takesOrders, refunds }: ConsoleMarks,
): string {
  const mark = sandbox ? html` data-sandbox="${sandbox.name}"` : staff && html` data-staff="${staff}"`;
  const title = sandbox ? wordsOf(frame).frame.sandboxTitle({ title: store.name }) : store.name;
  const takes = html`${takesOrders && html` data-takes-orders`}${refunds && html` data-refunds`}`;
  return scriptedPage(frame, title, html` data-page="console"${storeAttributes(store)}${mark}${takes}`);
}

/** The page where a store takes an order for a customer, in a frame of the console at `home`. */
export function newOrderPage(
  frame: ConsoleFrame,
  { storeId, isSandbox, home }: { storeId: string; isSandbox: boolean; home: string },
): string {
  const attributes = html` data-store-id="${storeId}" data-home="${home}"${isSandbox && html` data-sandbox`}`;
  return scriptedPage(frame, wordsOf(frame).newOrder.title, attributes);
}

/** The page of one order. Its script reads the link from the URL. */
export function linkedOrderPage(frame: ConsoleFrame, store: ConsoleStore, orderNumber: string): string {
  const title = wordsOf(frame).order.title({ number: orderNumber });
  return scriptedPage(frame, title, html` data-page="order"${storeAttributes(store)}`);
}

/** The page for a link that opens no order, or no longer does. */
export function deadLinkPage(frame: ConsoleFrame): string {
  const { page } = wordsOf(frame);
  return documentOf(
    frame,
    page.deadLinkTitle,
    html`<main class="message"><h1>${page.deadLink}</h1>
<p>${page.deadLinkWhy}</p>
<p><a class="button" href="${frame.base}/console">${page.openConsole}</a></p></main>`,
  );
}

/** The pages' texts do not depend on the country. */
const wordsOf = ({ language }: ConsoleFrame) => localeOf(language, 'US').words.store;

function storeAttributes({ name, timeZone, country }: ConsoleStore): Html {
  return html` data-store="${name}" data-zone="${timeZone}" data-country="${country}"`;
}

function scriptedPage(frame: ConsoleFrame, title: string, attributes: Html): string {
  const { page } = wordsOf(frame);
  return documentOf(
    frame,
    title,
    html`<div id="app" data-base="${frame.base}" data-now="${epochSeconds(frame.now)}"${attributes}>
<noscript><div class="message"><h1>${page.needsScript}</h1><p>${page.allowScript}</p></div></noscript>
</div>
<script type="module" src="${frame.scriptPath}"></script>`,
  );
}

function documentOf({ language, iconPath, stylePath }: ConsoleFrame, title: string, body: Html): string {
  return toMarkup(html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<title>${title} · Doorstep</title>
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="robots" content="noindex, nofollow">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="#ffffff" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#1c1f1c" media="(prefers-color-scheme: dark)">
<meta name="format-detection" content="telephone=no">
<link rel="icon" href="${iconPath}">
<link rel="stylesheet" href="${stylePath}">
</head>
<body>
${body}
</body>
</html>
`);
}

/** Pages are not cached, not indexed by search engines, and use no device feature except keeping the screen on. */
export const CONSOLE_HEADERS: Readonly<Record<string, string>> = {
  'permissions-policy': 'screen-wake-lock=(self), geolocation=(), camera=(), microphone=(), payment=(), usb=()',
  'x-robots-tag': 'noindex, nofollow',
};

const PHOTOS = { 'img-src': ["'self'", 'https:'] };

/** Security headers of the console, which shows a feed's photos and a brand's fonts, and frames its own tickets and its new orders. */
export function consoleSecurity(baseUrl: string): SecurityHeaders {
  return pageSecurity(baseUrl, { ...PHOTOS, 'font-src': ["'self'"], 'frame-src': ["'self'"] });
}

/** Security headers of a page that only the console frames. */
export function newOrderSecurity(baseUrl: string): SecurityHeaders {
  const policy = { ...PHOTOS, 'frame-ancestors': ["'self'"], 'form-action': ["'self'"] };
  return { ...pageSecurity(baseUrl, policy), 'x-frame-options': 'SAMEORIGIN' };
}

/** Security headers of a ticket, which has no script and may be framed only by the console. */
export function ticketSecurity(baseUrl: string): SecurityHeaders {
  return {
    ...pageSecurity(baseUrl),
    'content-security-policy': policyText(TICKET_POLICY),
    'x-frame-options': 'SAMEORIGIN',
  };
}
