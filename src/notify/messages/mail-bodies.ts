import { type Html, type HtmlValue, html, toMarkup } from 'doorstep/html';
import { brandColors, DEFAULT_COLOR } from '../../access/accounts/brand-colors.ts';
import { type Receipt, type ReceiptItem, type ReceiptOption, totalLabel } from '../../ordering/money/receipt.ts';
import { dialUrl, phoneInWords } from '../../platform/lib/phone.ts';
import { oneLine } from '../../platform/lib/plain-text.ts';
import type { Locale } from '../../texts/catalogs.ts';
import { afterRefunds, type HelpLink, type MailContent, type MailFact, unitPriceInWords } from './mail-content.ts';

/** Placeholders, written `{{name}}`, in the HTML frame of every email (mail-frame.html). */
export const MAIL_SLOTS = [
  'language',
  'title',
  'preview',
  'brand',
  'headline',
  'lead',
  'link',
  'linkLabel',
  'facts',
  'items',
  'charges',
  'foot',
  'button',
  'onButton',
  'accent',
  'darkAccent',
] as const;
export type MailSlot = (typeof MAIL_SLOTS)[number];

/** Fills the compiled template in one pass, so that a value's text is never read as a placeholder. */
export function mailHtml(frame: string, content: MailContent): string {
  const slots = new Map<string, Html>(Object.entries(slotsOf(content)));
  return frame.replace(/\{\{(\w+)\}\}/g, (_, name: string) => toMarkup(slots.get(name) ?? html``));
}

function slotsOf(content: MailContent): Record<MailSlot, Html> {
  const { locale, brand, headline, lead, link, facts, receipt, help = [], foot } = content;
  const { button, onButton, light, dark } = brandColors(brand.color ?? DEFAULT_COLOR);
  return {
    language: html`${locale.language}`,
    title: html`${oneLine(content.subject)}`,
    preview: html`${oneLine([headline, ...lead].join(' '))}`,
    brand: brandOf(brand),
    headline: html`${oneLine(headline)}`,
    lead: html`${lead.map((text) => html`<p style="margin:0 0 8px">${oneLine(text)}</p>`)}`,
    link: html`${link.url}`,
    linkLabel: html`${link.label}`,
    facts: html`${facts.map(factRow)}`,
    items: receipt ? html`${receipt.items.map((item) => itemRows(item, locale))}` : html``,
    charges: receipt ? chargeRows(receipt, locale) : html``,
    foot: html`${helpLine(help, locale)}${foot.map((text) => html`<p style="margin:0 0 4px">${oneLine(text)}</p>`)}`,
    button: html`${button}`,
    onButton: html`${onButton}`,
    accent: html`${light.accent}`,
    darkAccent: html`${dark.accent}`,
  };
}

function helpLine(help: readonly HelpLink[], { words }: Locale): Html | null {
  if (help.length === 0) return null;
  const links = help.map(
    ({ words, href }, at) => html`${at > 0 && html` &middot; `}<a href="${href}">${oneLine(words)}</a>`,
  );
  return html`<p style="margin:0 0 4px">${words.customer.page.needHelp} ${links}</p>`;
}

function brandOf({ name, logoUrl }: MailContent['brand']): Html {
  const shown = oneLine(name);
  if (logoUrl === undefined) return html`${shown}`;
  const style = 'display:block;height:44px;max-width:280px;border:0';
  return html`<img src="${logoUrl}" alt="${shown}" height="44" style="${style}">`;
}

function factRow({ label, lines, phone }: MailFact): Html {
  const shown: HtmlValue[] = lines.map((line) => html`${oneLine(line)}<br>`);
  const call = phone ? html`<a href="${dialUrl(phone)}">${phoneInWords(phone)}</a>` : null;
  return html`<tr><td class="quiet" style="padding:4px 12px 4px 0;vertical-align:top;white-space:nowrap">${label}</td><td style="padding:4px 0">${shown}${call}</td></tr>
`;
}

function itemRows(item: ReceiptItem, locale: Locale): Html {
  const { format } = locale;
  const quiet = (line: string) => html`<div class="quiet">${oneLine(line)}</div>`;
  const unitPrice = unitPriceInWords(item, locale);
  const details = [
    unitPrice !== undefined && quiet(unitPrice),
    ...item.options.map((option) => optionLine(option, 0, locale)),
    ...item.discounts.map(quiet),
    item.change !== undefined &&
      (item.isWeighed ? quiet(item.change) : html`<div><b>${oneLine(item.change)}</b></div>`),
    oneLine(item.notes) !== '' && html`<div class="quiet"><i>${oneLine(item.notes)}</i></div>`,
  ];
  return html`<tr><td class="line" style="padding:8px 12px 8px 0;vertical-align:top"><b>${item.weight ?? html`${item.quantity} &times;`} ${oneLine(item.name)}</b>${details}</td><td class="line" align="right" style="padding:8px 0;vertical-align:top;white-space:nowrap">${format.money(item.totalCents)}</td></tr>
`;
}

function optionLine(option: ReceiptOption, depth: number, locale: Locale): Html {
  const times = option.quantity > 1 ? `${option.quantity} × ` : '';
  const extra = option.extraCents === 0 ? '' : ` (${locale.format.extra(option.extraCents)})`;
  const choice = `${times}${oneLine(option.name)}${extra}`;
  const line = locale.words.store.terms.option({ customization: oneLine(option.customization), choice });
  return html`<div class="quiet" style="padding-left:${depth * 12}px">${line}</div>${option.options.map((nested) => optionLine(nested, depth + 1, locale))}`;
}

function chargeRows(receipt: Receipt, locale: Locale): Html {
  const { words, format } = locale;
  const labels = words.customer.receipt;
  const rows = [{ label: labels.subtotal, cents: receipt.subtotalCents }, ...receipt.charges];
  const row = (label: string, cents: number) => chargeRow(label, format.money(cents));
  return html`${rows.map(({ label, cents }) => row(label, cents))}<tr><td class="line" style="padding:10px 12px 4px 0;font-size:17px"><b>${totalLabel(receipt, locale)}</b></td><td class="line" align="right" style="padding:10px 0 4px;font-size:17px;white-space:nowrap"><b>${format.money(receipt.totalCents)}</b></td></tr>
${receipt.refunds.map(({ label, cents }) => row(label, cents))}${receipt.refunds.length > 0 && row(labels.totalAfterRefunds, afterRefunds(receipt))}${
  receipt.weightNote &&
  html`<tr><td colspan="2" class="quiet" style="padding:6px 0">${receipt.weightNote}</td></tr>
`
}`;
}

function chargeRow(label: string, amount: string): Html {
  return html`<tr><td style="padding:3px 12px 3px 0">${oneLine(label)}</td><td align="right" style="padding:3px 0;white-space:nowrap">${amount}</td></tr>
`;
}

const WIDTH = 60;

/** Writes the email as plain text. Each amount ends its line. */
export function mailText(content: MailContent): string {
  const { locale, brand, headline, lead, link, facts, receipt, help = [], foot } = content;
  const blocks = [
    [oneLine(brand.name)],
    [oneLine(headline), ...lead.map(oneLine)],
    [link.label, link.url],
    ...facts.map(({ label, lines, phone }) => [
      label,
      ...lines.map((line) => `  ${oneLine(line)}`),
      ...(phone ? [`  ${phoneInWords(phone)}`] : []),
    ]),
    ...(receipt ? receiptBlocks(receipt, locale) : []),
    ...(help.length > 0
      ? [[locale.words.customer.page.needHelp, ...help.map(({ words }) => `  ${oneLine(words)}`)]]
      : []),
    foot.map(oneLine),
  ];
  return `${blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function receiptBlocks(receipt: Receipt, locale: Locale): string[][] {
  const { words, format } = locale;
  const labels = words.customer.receipt;
  const amountLine = (label: string, cents: number) => dottedLine(oneLine(label), format.money(cents));
  const items = receipt.items.flatMap((item) => [
    amountLine(`${item.weight ?? `${item.quantity} x`} ${item.name}`, item.totalCents),
    ...[unitPriceInWords(item, locale) ?? []].flat().map((price) => `    ${price}`),
    ...optionLines(item.options, '    ', locale),
    ...item.discounts.map((line) => `    ${oneLine(line)}`),
    ...(item.change === undefined ? [] : [`    ${oneLine(item.change)}`]),
    ...(oneLine(item.notes) === '' ? [] : [`    ${labels.note({ note: oneLine(item.notes) })}`]),
  ]);
  const sums = [
    amountLine(labels.subtotal, receipt.subtotalCents),
    ...receipt.charges.map(({ label, cents }) => amountLine(label, cents)),
    amountLine(totalLabel(receipt, locale), receipt.totalCents),
    ...receipt.refunds.map(({ label, cents }) => amountLine(label, cents)),
    ...(receipt.refunds.length > 0 ? [amountLine(labels.totalAfterRefunds, afterRefunds(receipt))] : []),
    ...(receipt.weightNote === undefined ? [] : [receipt.weightNote]),
  ];
  return [items, sums];
}

function optionLines(options: readonly ReceiptOption[], indent: string, locale: Locale): string[] {
  const { words, format } = locale;
  return options.flatMap((option) => {
    const times = option.quantity > 1 ? `${option.quantity} x ` : '';
    const extra = option.extraCents === 0 ? '' : ` (${format.extra(option.extraCents)})`;
    const choice = `${times}${oneLine(option.name)}${extra}`;
    const line = words.store.terms.option({ customization: oneLine(option.customization), choice });
    return [`${indent}${line}`, ...optionLines(option.options, `${indent}  `, locale)];
  });
}

function dottedLine(label: string, amount: string): string {
  const dots = '.'.repeat(Math.max(WIDTH - label.length - amount.length - 2, 3));
  return `${label} ${dots} ${amount}`;
}
