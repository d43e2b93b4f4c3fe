import { type Html, html } from 'doorstep/html';
import { MAX_AGENT_ORDER_CENTS, USUAL_ORDER_CENTS } from '../../access/customers/agent-placing.ts';
import type { Client } from '../../access/customers/client.ts';
import { type Customer, type CustomerScope, isPhoneContact } from '../../access/customers/customer.ts';
import type { Grant } from '../../access/customers/grants.db.ts';
import { formField } from '../../platform/lib/form-field.ts';
import { phoneInWords } from '../../platform/lib/phone.ts';
import { siteDocument } from '../tracking/site.page.ts';
import type { Frame } from '../tracking/tracking.page.ts';

/* The pages where a customer signs in, allows an app, and lists the allowed apps. They need no scripts. */

/** A page: its frame, the token of its forms, and whether its codes are the sandbox's. */
export type SignInPage = { frame: Frame; token: string; isSandbox: boolean };

export function document(frame: Frame, title: string, body: Html): string {
  const main = html`<main id="main" tabindex="-1">
<section class="card now care" aria-labelledby="headline"><h1 id="headline">${title}</h1>
${body}
</section></main>`;
  return siteDocument(frame, { title, description: title, main });
}

/** A form that posts to the page's own address. */
export const form = (token: string, step: string, body: Html) => html`<form method="post">
<input type="hidden" name="csrf" value="${token}">
<input type="hidden" name="step" value="${step}">
${body}
</form>`;

export const button = (label: string, isMain = false) =>
  html`<button type="submit" class="${isMain ? 'action main' : 'action'}">${label}</button>`;

/** Shows a contact as its owner knows it. */
export const contactInWords = (contact: string): string => (isPhoneContact(contact) ? phoneInWords(contact) : contact);

export type ContactFault = 'badContact' | 'noSms' | 'tooMany';

/** The form for an email or phone number that a code is sent to. */
export function contactForm({ frame, token, isSandbox }: SignInPage, typed = '', fault?: ContactFault): Html {
  const words = frame.locale.words.signIn;
  const field = formField(
    {
      id: 'contact',
      label: words.contact,
      hint: isSandbox ? words.sandboxHint : words.contactHint,
      fault: fault && words.contactFault[fault],
    },
    (aria) =>
      html`<input id="contact" name="contact" value="${typed}" required maxlength="254" autocomplete="username" inputmode="email" autocapitalize="none" spellcheck="false"${aria}>`,
  );
  return form(token, 'contact', html`${field}${button(words.send, true)}`);
}

export function contactPage(page: SignInPage, typed: string, fault?: ContactFault): string {
  const { brand, locale } = page.frame;
  return document(page.frame, locale.words.signIn.title({ brand: brand.name }), contactForm(page, typed, fault));
}

export function codePage(
  { frame, token }: SignInPage,
  { contact, isWrong = false, isBeyond = false }: { contact: string; isWrong?: boolean; isBeyond?: boolean },
): string {
  const words = frame.locale.words.signIn;
  const fault = (isWrong && words.badCode) || (isBeyond && words.contactFault.tooMany);
  const field = formField(
    { id: 'code', label: words.code, fault },
    (aria) =>
      html`<input id="code" name="code" required maxlength="12" inputmode="numeric" autocomplete="one-time-code"${aria}>`,
  );
  return document(
    frame,
    words.codeTitle,
    html`<p class="detail">${words.codeSent({ contact: contactInWords(contact) })}</p>
${form(token, 'code', html`${field}${button(words.next, true)}`)}
${form(token, 'resend', button(words.resend))}
${form(token, 'restart', button(words.otherContact))}`,
  );
}

/** A page that says why a form did nothing: it is too old, of another browser, or its contact is another user's. */
export function notePage({ frame }: SignInPage, title: string, address: string): string {
  const { next } = frame.locale.words.signIn;
  return document(frame, title, html`<p><a class="action main" href="${address}">${next}</a></p>`);
}

export type ClientFault = 'unknownApp' | 'unreadableApp' | 'secretApp' | 'blockedApp';

export function clientFaultPage(frame: Frame, fault: ClientFault): string {
  const words = frame.locale.words.signIn;
  return document(frame, words.cannotConnect, html`<p class="detail">${words.appFault[fault]}</p>`);
}

function whoIsSignedIn({ frame, token }: SignInPage, { email, phone }: Customer, end: string): Html {
  const words = frame.locale.words.signIn;
  return html`<p class="detail">${words.signedIn({ contact: contactInWords(email ?? phone ?? '') })}</p>
${form(token, 'sign_out', button(end))}`;
}

/** The client's permissions, in sentences. */
function mayList({ locale, brand }: Frame, scopes: readonly CustomerScope[]): readonly string[] {
  const words = locale.words.signIn;
  const has = (...names: CustomerScope[]) => names.some((name) => scopes.includes(name));
  return [
    ...(has('catalog.search:read', 'catalog.lookup:read') ? [words.maySearch] : []),
    ...(has('cart:manage', 'checkout:manage') ? [words.mayFill] : []),
    ...(has('order:read') ? [words.mayReadOrders({ brand: brand.name })] : []),
    ...(has('order:manage') ? [words.mayCancel] : []),
  ];
}

type Consent = {
  client: Client;
  isOnDevice: boolean;
  customer: Customer;
  scopes: readonly CustomerScope[];
  links: Html;
};

/**
 * The consent. Its title is the name that the account vouches for: the operator's name of a registered client,
 * otherwise the client's domain, with the client's own name in small print. `placing` is the box for placing orders,
 * with an invalid limit as typed.
 */
export function consentPage(page: SignInPage, consent: Consent, placing?: { wrongLimit: string | undefined }): string {
  const { client, isOnDevice, customer, scopes, links } = consent;
  const { frame, token } = page;
  const words = frame.locale.words.signIn;
  const domain = client.host ?? words.onDevice;
  const isRegistered = client.kind === 'registered';
  const brand = frame.brand.name;
  return document(
    frame,
    words.consentTitle({ app: isRegistered ? client.name : domain, brand }),
    html`<p class="detail">${isRegistered ? domain : client.name}</p>
${isOnDevice && client.host !== null && html`<p class="detail">${words.onDevice}</p>`}
${!isRegistered && html`<p class="detail">${words.notChecked({ brand })}</p>`}
<h2>${words.may}</h2>
<ul>${mayList(frame, scopes).map((line) => html`<li>${line}</li>`)}</ul>
${form(token, 'allow', html`${placing && placingFields(frame, placing.wrongLimit)}${button(words.allow, true)}`)}
${form(token, 'deny', button(words.cancel))}
${whoIsSignedIn(page, customer, words.notYou)}
${links}`,
  );
}

/** The box that lets a client place orders, off at first, and the most that one may cost. */
function placingFields({ locale: { words, format } }: Frame, wrongLimit: string | undefined): Html {
  const { mayPlace, limit, limitHint, badLimit } = words.signIn;
  const most = { amount: format.money(MAX_AGENT_ORDER_CENTS) };
  const isWrong = wrongLimit !== undefined;
  return html`<label class="check"><input type="checkbox" name="complete" value="yes"${isWrong && html` checked`}> ${mayPlace}</label>
${formField(
  { id: 'limit', label: limit, hint: limitHint(most), fault: isWrong && badLimit(most) },
  (aria) =>
    html`<input id="limit" name="limit" value="${wrongLimit ?? USUAL_ORDER_CENTS / 100}" maxlength="20" inputmode="decimal"${aria}>`,
)}`;
}

export function connectionsPage(
  page: SignInPage,
  customer: Customer,
  grants: readonly Grant[],
  placed: ReadonlyMap<string, number>,
): string {
  const { frame, token } = page;
  const { words, format } = frame.locale;
  const { signIn } = words;
  const day = (at: Temporal.Instant) => format.dates(at.toZonedDateTimeISO('UTC').toPlainDate().toString());
  const rows = grants.map(
    ({
      grantId,
      clientName,
      clientHost,
      createdAt,
      usedAt,
      maxOrderCents,
    }) => html`<li><h2>${clientHost || signIn.onDevice}</h2>
<p class="detail">${clientName}</p>
<p class="detail">${signIn.connected({ date: day(createdAt) })}</p>
${usedAt && html`<p class="detail">${signIn.lastUsed({ date: day(usedAt) })}</p>`}
${maxOrderCents !== null && html`<p class="detail">${signIn.places({ amount: format.money(maxOrderCents), orders: placed.get(grantId) ?? 0 })}</p>`}
${form(token, 'disconnect', html`<input type="hidden" name="grant_id" value="${grantId}">${button(signIn.disconnect)}`)}</li>`,
  );
  return document(
    frame,
    signIn.connections,
    html`${grants.length > 0 ? html`<ul>${rows}</ul>` : html`<p class="detail">${signIn.noConnections}</p>`}
${whoIsSignedIn(page, customer, signIn.signOut)}`,
  );
}
