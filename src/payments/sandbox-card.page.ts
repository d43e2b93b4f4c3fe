import type { Fault } from '../http/refusal.ts';
import { html } from '../lib/html.ts';
import { paymentDocument } from './payment.page.ts';

type FieldName = 'card_number' | 'expiration' | 'cvc';
/** What is wrong with each field, in words. */
export type CardFormFaults = Partial<Record<FieldName, string>>;

const FIELDS: Readonly<Record<FieldName, { label: string; hint: string; autocomplete: string; maxLength: number }>> = {
  card_number: { label: 'Card number', hint: '', autocomplete: 'cc-number', maxLength: 32 },
  expiration: { label: 'Expires', hint: 'MM/YY', autocomplete: 'cc-exp', maxLength: 9 },
  cvc: { label: 'Security code', hint: '3 digits, 4 for Amex', autocomplete: 'cc-csc', maxLength: 4 },
};

/** The cards of docs/behaviour.md#sandbox-cards that a person tries by hand. */
const TEST_CARDS: readonly (readonly [number: string, effect: string])[] = [
  ['4242 4242 4242 4242', 'Pays.'],
  ['4000 0025 0000 3155', 'Asks the customer to approve the payment.'],
  ['4000 0000 0000 0002', 'Is declined when it is charged.'],
  ['4000 0000 0000 9995', 'Has insufficient funds when it is charged.'],
];

/** The card page of the sandbox gateway. A card that was refused is typed anew: the page repeats no digit. */
export function sandboxCardPage(faults: CardFormFaults): string {
  const wrong = (Object.keys(FIELDS) as FieldName[]).filter((name) => faults[name] !== undefined);
  const main = html`<h1>Add a card</h1>
<p class="lead">The card is kept for your next orders. You are not charged now.</p>
${
  wrong.length > 0 &&
  html`<div class="summary" role="alert"><h2>The card was not saved</h2><ul>${wrong.map(
    (name) => html`<li><a href="#${name}">${FIELDS[name].label}: ${faults[name]}</a></li>`,
  )}</ul></div>`
}
<form method="post" novalidate>
${field('card_number', faults)}
<div class="pair">
${field('expiration', faults)}
${field('cvc', faults)}
</div>
<button name="action" value="save">Save card</button>
<button class="second" name="action" value="cancel">Cancel</button>
</form>
<section class="cards" aria-labelledby="test-cards">
<h2 id="test-cards">Test cards</h2>
<dl>${TEST_CARDS.map(([number, effect]) => html`<div><dt>${number}</dt><dd>${effect}</dd></div>`)}</dl>
<p class="hint">With any later month and any security code.</p>
</section>`;
  return paymentDocument({ title: `${wrong.length > 0 ? 'Error: ' : ''}Add a card`, main, isTest: true });
}

function field(name: FieldName, faults: CardFormFaults) {
  const { label, hint, autocomplete, maxLength } = FIELDS[name];
  const fault = faults[name];
  const described = [hint !== '' && `${name}-hint`, fault !== undefined && `${name}-fault`].filter(Boolean).join(' ');
  return html`<div class="field"><label for="${name}">${label}</label>
<input id="${name}" name="${name}" inputmode="numeric" autocomplete="${autocomplete}" maxlength="${maxLength}" required${
    described !== '' && html` aria-describedby="${described}"`
  }${fault !== undefined && html` aria-invalid="true"`}>
${hint !== '' && html`<p class="hint" id="${name}-hint">${hint}</p>`}
${fault !== undefined && html`<p class="fault" id="${name}-fault">${fault}</p>`}</div>`;
}

/** The faults of a card by the fields of the form. */
export function formFaultsOf(faults: readonly Fault[]): CardFormFaults {
  const shown: CardFormFaults = {};
  for (const { name, message } of faults) {
    const field = FIELD_OF_MEMBER[name.replace(/^payment_method\.?/, '')];
    if (field) shown[field] ??= wordsOf(field, message);
  }
  return shown;
}

const FIELD_OF_MEMBER: Readonly<Record<string, FieldName>> = {
  card_number: 'card_number',
  expiration_month: 'expiration',
  expiration_year: 'expiration',
  cvc: 'cvc',
};

function wordsOf(field: FieldName, message: string): string {
  if (/required/.test(message)) return 'is missing.';
  if (field === 'expiration')
    return /over/.test(message) ? 'the card has expired.' : 'must be a month and a year, such as 07/31.';
  return `${message}.`;
}

/** Month and year as the customer typed them in one field, for the reader of cards; a year of two digits is of this century. */
export function readExpiration(text: string): { expiration_month: string; expiration_year: string } {
  const [, month = '', year = ''] = /^\s*(\d{1,2})\s*[/ -]?\s*(\d{2}|\d{4})\s*$/.exec(text) ?? [];
  if (text.trim() !== '' && month === '') return { expiration_month: 'x', expiration_year: 'x' };
  return { expiration_month: month, expiration_year: year.length === 2 ? `20${year}` : year };
}
