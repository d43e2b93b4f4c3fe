import { createHash } from 'node:crypto';
import { type Html, html, htmlDocument, toMarkup } from 'doorstep/html';
import type { RefusalPage } from '../../platform/http/http.ts';
import type { Fault } from '../../platform/http/refusal.ts';
import { type SecurityHeaders, securityHeaders } from '../../platform/http/security-headers.ts';
import type { Language } from '../../platform/languages/language.ts';
import { languageLinks, pageLanguage } from '../../platform/languages/page-language.ts';
import { formField } from '../../platform/lib/form-field.ts';
import { type Locale, localeOf } from '../../texts/catalogs.ts';
import { refusalWords } from '../../texts/refusals.ts';
import type { PendingApproval } from './payment-gateway.ts';

/*
 * The pages where a customer enters a card or approves a charge. They work without scripts. Their URL is a
 * credential, so their headers keep it from leaving the page.
 */

/** The inline style of the payment pages, which the policy allows by its hash. */
const PAYMENT_PAGE_STYLE = html`
:root{color-scheme:light dark;--ground:#f6f6f4;--card:#fff;--text:#1b1c1a;--soft:#5a5c58;--sunken:#eeeeeb;--line:#868883;--accent:#0b6b4a;--on-accent:#fff;--bad:#ae1f17;--bad-tint:#fce7e4}
@media (prefers-color-scheme:dark){:root{--ground:#121412;--card:#1c1f1c;--text:#f1f2ef;--soft:#abb0aa;--sunken:#272a27;--line:#7d8279;--accent:#62d3a4;--on-accent:#06281b;--bad:#ff9a8e;--bad-tint:#401713}}
*{box-sizing:border-box}
body{margin:0 auto;padding:1rem 1rem 2rem;max-width:30rem;background:var(--ground);color:var(--text);font:1rem/1.45 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;overflow-wrap:anywhere;-webkit-text-size-adjust:100%}
h1,h2,p,ul{margin:0;padding:0}
h1{font-size:1.5rem;line-height:1.2;letter-spacing:-.02em}
h2{font-size:1.05rem;margin-bottom:.5rem}
main{padding:1.25rem;border-radius:16px;background:var(--card)}
.lead,.hint{color:var(--soft)}
.lead{margin:.4rem 0 1.25rem}
.hint{font-size:.875rem}
.test{margin-bottom:.875rem;padding:.4rem .75rem;border-radius:12px;background:var(--sunken);color:var(--soft);font-size:.8125rem;text-align:center}
.field{margin-bottom:1rem}
.pair{display:flex;gap:1rem}
.pair>.field{flex:1;min-width:0}
label{display:block;margin-bottom:.25rem;font-weight:650}
input{width:100%;min-height:3rem;padding:0 .75rem;border:1px solid var(--line);border-radius:12px;background:var(--card);color:var(--text);font:inherit;font-variant-numeric:tabular-nums}
input[aria-invalid=true]{border:2px solid var(--bad)}
.fault{margin-top:.25rem;color:var(--bad);font-size:.9375rem;font-weight:600}
.summary{margin-bottom:1.25rem;padding:.875rem 1rem;border-radius:12px;background:var(--bad-tint)}
.summary h2{color:var(--bad);margin-bottom:.25rem}
.summary a{color:inherit}
ul{padding-left:1.1rem}
button,.button{display:block;width:100%;min-height:3rem;padding:.75rem 1rem;border:0;border-radius:12px;background:var(--accent);color:var(--on-accent);font:inherit;font-weight:650;text-align:center;text-decoration:none;cursor:pointer}
button.second{margin-top:.75rem;background:none;color:var(--text);border:1px solid var(--line)}
.cards{margin-top:1.25rem;padding-top:1rem;border-top:1px solid var(--line)}
.cards dl{margin:0;display:grid;gap:.5rem}
.cards dt{font-variant-numeric:tabular-nums;font-weight:650}
.cards dd{margin:0;color:var(--soft);font-size:.9375rem}
nav.languages{display:flex;padding:.5rem 0;color:var(--soft)}
.languages a{display:inline-flex;align-items:center;min-height:3rem;padding:0 .5rem;color:inherit;font-size:.9375rem;font-weight:500}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
`;

const STYLE_HASH = createHash('sha256').update(toMarkup(PAYMENT_PAGE_STYLE)).digest('base64');

/** Pages are not cached or indexed, and use no sensor of the device. */
const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'permissions-policy': 'geolocation=(), camera=(), microphone=(), payment=(), usb=()',
  'x-robots-tag': 'noindex, nofollow',
  vary: 'accept-language',
};

export function paymentPageHeaders({ language }: Locale): Readonly<Record<string, string>> {
  return { ...PAGE_HEADERS, 'content-language': language };
}

/** Returns the locale of a payment page: as chosen on the page, otherwise of the order, the browser or the account. */
export function paymentLocale(
  lang: string | undefined,
  { 'accept-language': accepted }: { 'accept-language'?: string | undefined },
  payer: { order?: Language | undefined; account?: Language } = {},
): Locale {
  return localeOf(pageLanguage([lang, payer.order], accepted, payer.account), 'US');
}

/**
 * Returns the page's headers. It runs and loads nothing, cannot be framed, and sends no referrer, because its URL is
 * the credential. Browsers apply `form-action` to the redirect after a form, so it lists the shop's origin.
 */
export function paymentPageSecurity(baseUrl: string, returnUrl?: string): SecurityHeaders {
  const policy = {
    'default-src': ["'none'"],
    'style-src': [`'sha256-${STYLE_HASH}'`],
    // An empty favicon, so that browsers do not request one.
    'img-src': ['data:'],
    'form-action': ["'self'", ...(returnUrl === undefined ? [] : [new URL(returnUrl).origin])],
    'frame-ancestors': ["'none'"],
    'base-uri': ["'none'"],
  };
  return { ...securityHeaders(baseUrl, policy), 'cross-origin-opener-policy': 'same-origin' };
}

type PaymentPage = { title: string; main: Html; isTest: boolean; locale: Locale };

/** Renders a whole document; it works without scripts. */
export function paymentDocument({ title, main, isTest, locale }: PaymentPage): string {
  const { card, page } = locale.words.customer;
  return htmlDocument({
    title,
    language: locale.language,
    head: html`<meta name="description" content="${card.description}">
<meta name="robots" content="noindex, nofollow">
<link rel="icon" href="data:,">
<style>${PAYMENT_PAGE_STYLE}</style>`,
    body: html`${isTest && html`<header class="test">${card.testPage}</header>`}
<main>
${main}
</main>
${languageLinks(locale.language, page.language)}`,
  });
}

/** Renders a page with one message; `next` is where the customer continues. */
export function noticePage(
  title: string,
  detail: string,
  locale: Locale,
  next?: { url: string; words: string },
): string {
  const main = html`<h1>${title}</h1>
<p class="lead">${detail}</p>
${next && html`<a class="button" href="${next.url}" rel="noreferrer">${next.words}</a>`}`;
  return paymentDocument({ title, main, isTest: false, locale });
}

/** Renders the page where the sandbox gateway asks for approval of a charge. */
export function askingPage({ amountCents, currency }: PendingApproval, { language, words }: Locale): string {
  const { card } = words.customer;
  const locale = localeOf(language, currency === 'cad' ? 'CA' : 'US');
  const amount = locale.format.money(amountCents);
  const main = html`<h1>${card.approveTitle}</h1>
<p class="lead">${card.approveAmount({ amount })}</p>
<form method="post">
<button type="submit" name="answer" value="approve">${card.approve}</button>
<button type="submit" class="second" name="answer" value="fail">${card.fail}</button>
</form>`;
  return paymentDocument({ title: card.approveTitle, main, isTest: true, locale });
}

/** Renders the page after the customer has answered. The customer returns to the app, which finalizes the order. */
export function answeredPage(locale: Locale): string {
  const { card } = locale.words.customer;
  return noticePage(card.answered, card.answeredDetail, locale);
}

export function unknownLinkPage(locale: Locale): string {
  const { card } = locale.words.customer;
  return noticePage(card.unknown, card.unknownDetail, locale);
}

/** The page of a refused request. Reads only the request's languages, because the service may be overloaded. */
export const paymentRefusalPage: RefusalPage = async ({ headers, query }, reply, code) => {
  const { lang } = query as { lang?: unknown };
  const locale = paymentLocale(typeof lang === 'string' ? lang : undefined, headers);
  reply.headers(paymentPageHeaders(locale));
  const { title, detail } = refusalWords(locale, code);
  return noticePage(title, detail, locale);
};

type FieldName = 'card_number' | 'expiration' | 'cvc';
/** The error of each field, as a sentence. */
export type CardFormFaults = Partial<Record<FieldName, string>>;

const FIELDS: Readonly<Record<FieldName, { autocomplete: string; maxLength: number }>> = {
  card_number: { autocomplete: 'cc-number', maxLength: 32 },
  expiration: { autocomplete: 'cc-exp', maxLength: 9 },
  cvc: { autocomplete: 'cc-csc', maxLength: 4 },
};

type CardWords = Locale['words']['customer']['card'];

const fieldWords = (card: CardWords): Readonly<Record<FieldName, { label: string; hint: string }>> => ({
  card_number: { label: card.number, hint: '' },
  expiration: { label: card.expiration, hint: card.expirationHint },
  cvc: { label: card.cvc, hint: card.cvcHint },
});

/** Lists the cards of docs/sandbox.md#sandbox-cards for trying by hand. */
const testCards = (card: CardWords): readonly (readonly [number: string, effect: string])[] => [
  ['4242 4242 4242 4242', card.pays],
  ['4000 0025 0000 3155', card.asksForApproval],
  ['4000 0000 0000 0002', card.declined],
  ['4000 0000 0000 9995', card.lacksFunds],
];

/** Renders the sandbox gateway's card form; `isOnce`: for one order of a guest. After a refusal a card must be typed again: the page repeats no digits. */
export function sandboxCardPage(faults: CardFormFaults, locale: Locale, isOnce: boolean): string {
  const { card } = locale.words.customer;
  const wrong = (Object.keys(FIELDS) as FieldName[]).filter((name) => faults[name] !== undefined);
  const main = html`<h1>${card.title}</h1>
<p class="lead">${isOnce ? card.leadOnce : card.lead}</p>
${
  wrong.length > 0 &&
  html`<div class="summary" role="alert"><h2>${isOnce ? card.wrong : card.notSaved}</h2><ul>${wrong.map(
    (name) => html`<li><a href="#${name}">${faults[name]}</a></li>`,
  )}</ul></div>`
}
<form method="post" novalidate>
${field('card_number', faults, card)}
<div class="pair">
${field('expiration', faults, card)}
${field('cvc', faults, card)}
</div>
<button type="submit" name="action" value="save">${isOnce ? card.payOnce : card.save}</button>
<button type="submit" class="second" name="action" value="cancel">${card.cancel}</button>
</form>
<section class="cards" aria-labelledby="test-cards">
<h2 id="test-cards">${card.testCards}</h2>
<dl>${testCards(card).map(([number, effect]) => html`<div><dt>${number}</dt><dd>${effect}</dd></div>`)}</dl>
<p class="hint">${card.testCardsHint}</p>
</section>`;
  return paymentDocument({ title: wrong.length > 0 ? card.titleWithFaults : card.title, main, isTest: true, locale });
}

function field(name: FieldName, faults: CardFormFaults, card: CardWords) {
  const { autocomplete, maxLength } = FIELDS[name];
  const about = { id: name, ...fieldWords(card)[name], fault: faults[name] };
  return formField(
    about,
    (aria) =>
      html`<input id="${name}" name="${name}" inputmode="numeric" autocomplete="${autocomplete}" maxlength="${maxLength}" required${aria}>`,
  );
}

/** Returns the errors of a card by form field. */
export function formFaultsOf(faults: readonly Fault[], { words }: Locale): CardFormFaults {
  const shown: CardFormFaults = {};
  for (const { name, message } of faults) {
    const field = FIELD_OF_MEMBER[name.replace(/^payment_method\.?/, '')];
    if (field) shown[field] ??= fieldMessage(field, message, words.customer.card);
  }
  return shown;
}

const FIELD_OF_MEMBER: Readonly<Record<string, FieldName>> = {
  card_number: 'card_number',
  expiration_month: 'expiration',
  expiration_year: 'expiration',
  cvc: 'cvc',
};

/** Words an error for the customer; `message` is the API's. */
function fieldMessage(field: FieldName, message: string, card: CardWords): string {
  const isMissing = /required/.test(message);
  switch (field) {
    case 'card_number':
      return isMissing ? card.numberMissing : card.numberWrong;
    case 'expiration':
      if (isMissing) return card.expirationMissing;
      return /over/.test(message) ? card.expired : card.expirationWrong;
    case 'cvc':
      return isMissing ? card.cvcMissing : card.cvcWrong;
  }
}

/** Parses month and year from one field into fields of the card reader; a two-digit year is in this century. */
export function readExpiration(text: string): { expiration_month: string; expiration_year: string } {
  const [, month = '', year = ''] = /^(\d{1,2})\s*(?:[/-]\s*)?(\d{2}|\d{4})$/.exec(text.trim()) ?? [];
  if (text.trim() !== '' && month === '') return { expiration_month: 'x', expiration_year: 'x' };
  return { expiration_month: month, expiration_year: year.length === 2 ? `20${year}` : year };
}
