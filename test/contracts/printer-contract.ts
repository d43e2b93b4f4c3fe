import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Printer, Ticket } from '../../src/notify/outbox/printer.ts';
import { OutsideError } from '../../src/platform/lib/outside-error.ts';

/** A printer, and its double: how many tickets it has taken, and what makes it fail the next one. */
export type PrinterSubject = { printer: Printer; target: string; taken(): number; failNext(): unknown };

/** ESC/POS that ends with a request of the paper's status, as every ticket does. */
const BYTES = Buffer.from('A17\n1 x Pizza\n\x1dr1', 'latin1');

/** A ticket of one pizza, of which a test may change members. */
export function ticketFor(target: string, changes: Partial<Ticket> = {}): Ticket {
  const item = { name: 'Pizza', external_id: 'pizza', fulfilled_quantity: 1, selected_options: [] };
  const order = { order_id: 'ord_1', order_number: 'A17', status: 'awaiting_confirmation', items: [item] };
  return { target, document: 'kitchen', id: 'ord_1.offered', bytes: BYTES, order, ...changes };
}

/** The contract of a printer. */
export async function keepsPrinterContract(t: TestContext, subject: PrinterSubject): Promise<void> {
  const { printer, target, taken } = subject;
  const print = (id: string, signal = AbortSignal.timeout(20_000)) => {
    const { order, ...ticket } = ticketFor(target, { id });
    return printer.print({ ...ticket, order: { ...order, order_id: id } }, signal);
  };
  await t.test('every document is taken once it is printed', async () => {
    const before = taken();
    for (const document of ['kitchen', 'changed', 'receipt', 'canceled'] as const)
      await printer.print(ticketFor(target, { document, id: `ord_1.${document}` }), AbortSignal.timeout(20_000));
    assert.ok(taken() > before);
  });
  await t.test('a rejected ticket is a retryable OutsideError, and the next attempt delivers it', async () => {
    const before = taken();
    subject.failNext();
    await assert.rejects(print('ord_2.offered'), (error) => error instanceof OutsideError && error.retryable);
    assert.equal(taken(), before);
    await print('ord_2.offered');
    assert.equal(taken(), before + 1);
  });
  await t.test('an aborted attempt ends', async () => {
    await assert.rejects(print('ord_3.offered', AbortSignal.abort()));
  });
}
