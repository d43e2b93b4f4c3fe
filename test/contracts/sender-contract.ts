import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Mail, Mailer, SmsSender } from '../../src/notify/outbox/messaging.ts';
import { OutsideError } from '../../src/platform/lib/outside-error.ts';

/** What the vendor's double has received, and how it answers the next message. */
type Vendor = { received(): number; answerNext(how: 'refused for good' | 'fails for now'): void };

const MAIL: Mail = {
  messageId: '<order@doorstep.example>',
  from: { name: 'Pizzeria', address: 'orders@pizzeria.example' },
  to: 'customer@example.com',
  bcc: null,
  subject: 'Your order – Café',
  text: 'On its way.',
  html: null,
  date: Temporal.Instant.from('2026-06-10T17:00:00Z'),
};

/** The contract of a mailer. It ends by closing it. */
export async function keepsMailerContract(t: TestContext, mailer: Mailer, vendor: Vendor): Promise<void> {
  await keepsSending(t, () => mailer.sendMail(MAIL), vendor);
  mailer.close();
}

/** The contract of an SMS sender. */
export const keepsSmsContract = (t: TestContext, sender: SmsSender, vendor: Vendor): Promise<void> =>
  keepsSending(t, () => sender.sendText({ to: '+12125550123', body: 'Your order is on its way.' }), vendor);

async function keepsSending(t: TestContext, send: () => Promise<void>, vendor: Vendor): Promise<void> {
  await t.test('a message is sent once the vendor has it', async () => {
    const before = vendor.received();
    await send();
    assert.equal(vendor.received(), before + 1);
  });
  for (const how of ['refused for good', 'fails for now'] as const) {
    await t.test(`a message that is ${how} is an OutsideError that says whether to try again`, async () => {
      vendor.answerNext(how);
      const isExpected = (error: unknown) =>
        error instanceof OutsideError && error.retryable === (how === 'fails for now');
      await assert.rejects(send(), isExpected);
    });
  }
}
