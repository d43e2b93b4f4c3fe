/** How a text stands out, and how large it is. Each way of printing has its own look for a style. */
export type TextStyle = 'number' | 'banner' | 'title' | 'item' | 'alert' | 'total' | 'strong' | 'plain' | 'centre';

/** One line of a ticket before it is wrapped to a width. `indent` counts steps to the right. */
export type TicketLine =
  | { kind: 'text'; style: TextStyle; lead: string; text: string; indent: number }
  | { kind: 'amount'; style: TextStyle; label: string; amount: string; indent: number }
  | { kind: 'rule' };

export type PrintedLine = Exclude<TicketLine, { kind: 'rule' }>;

export const RULE: TicketLine = { kind: 'rule' };

/** A line of text; later rows of a wrapped text begin below the text, right of `lead`. */
export function textLine(style: TextStyle, text: string, { indent = 0, lead = '' } = {}): TicketLine {
  return { kind: 'text', style, lead, text, indent };
}

/** A label at the left edge and an amount at the right edge. */
export function amountLine(style: TextStyle, label: string, amount: string, indent = 0): TicketLine {
  return { kind: 'amount', style, label, amount, indent };
}

/** The part of a line that may hold text of a customer, a store or an account. */
export function foreignText(line: PrintedLine): string {
  return line.kind === 'amount' ? line.label : line.text;
}
