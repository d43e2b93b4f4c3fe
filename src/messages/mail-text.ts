import { formatPrice } from '../lib/money.ts';
import { phoneInWords } from '../lib/phone.ts';
import {
  AFTER_REFUNDS,
  afterRefunds,
  formatExtra,
  type MailContent,
  needsUnitPrice,
  totalLabelOf,
} from './mail-content.ts';
import { oneLine } from './plain-text.ts';
import type { Receipt, ReceiptOption } from './receipt.ts';

const WIDTH = 60;

/** The e-mail as plain text. Each amount stands at the end of its line. */
export function mailText(content: MailContent): string {
  const { brand, headline, lead, link, facts, receipt, help = [], foot } = content;
  const blocks = [
    [oneLine(brand.name)],
    [oneLine(headline), ...lead.map(oneLine)],
    [`${link.label}:`, link.url],
    ...facts.map(({ label, lines, phone }) => [
      `${label}:`,
      ...lines.map((line) => `  ${oneLine(line)}`),
      ...(phone ? [`  ${phoneInWords(phone)}`] : []),
    ]),
    ...(receipt ? receiptBlocks(receipt) : []),
    ...(help.length > 0 ? [['Need help?', ...help.map(({ words }) => `  ${oneLine(words)}`)]] : []),
    foot.map(oneLine),
  ];
  return `${blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function receiptBlocks(receipt: Receipt): string[][] {
  const items = receipt.items.flatMap((item) => [
    amountLine(`${item.quantity} x ${oneLine(item.name)}`, item.totalCents),
    ...(needsUnitPrice(item) ? [`    ${formatPrice(item.unitCents)} each`] : []),
    ...optionLines(item.options, '    '),
    ...(item.change === undefined ? [] : [`    ${oneLine(item.change)}`]),
    ...(oneLine(item.notes) === '' ? [] : [`    Note: ${oneLine(item.notes)}`]),
  ]);
  const sums = [
    amountLine('Subtotal', receipt.subtotalCents),
    ...receipt.charges.map(({ label, cents }) => amountLine(oneLine(label), cents)),
    amountLine(totalLabelOf(receipt), receipt.totalCents),
    ...receipt.refunds.map(({ label, cents }) => amountLine(oneLine(label), cents)),
    ...(receipt.refunds.length > 0 ? [amountLine(AFTER_REFUNDS, afterRefunds(receipt))] : []),
  ];
  return [items, sums];
}

function optionLines(options: readonly ReceiptOption[], indent: string): string[] {
  return options.flatMap((option) => {
    const times = option.quantity > 1 ? `${option.quantity} x ` : '';
    const extra = option.extraCents === 0 ? '' : ` (${formatExtra(option.extraCents)})`;
    const line = `${indent}${oneLine(option.customization)}: ${times}${oneLine(option.name)}${extra}`;
    return [line, ...optionLines(option.options, `${indent}  `)];
  });
}

function amountLine(label: string, cents: number): string {
  const amount = formatPrice(cents);
  const dots = '.'.repeat(Math.max(WIDTH - label.length - amount.length - 2, 3));
  return `${label} ${dots} ${amount}`;
}
