import { test } from 'node:test';
import { keepsCashContract, keepsGatewayContract } from '../contracts/gateway-contract.ts';
import { keepsTaxContract } from '../contracts/tax-contract.ts';
import type { Calls } from './outside-party.ts';
import { answerCharge, createGatewayBooks, createSimulatedGateway } from './simulated-gateway.ts';
import { createSimulatedTaxes, createTaxBooks, leftOf } from './simulated-taxes.ts';

/** Calls reach their party immediately. */
const DIRECT: Calls = {
  down: new Set(),
  call: async ({ effect }) => effect(),
  run: (_owner, _party, _what, task) => task(),
};

test('the gateway of the simulation keeps the contracts of a payment gateway, and of cash', async (t) => {
  const books = createGatewayBooks();
  const gateway = createSimulatedGateway(books, DIRECT, { name: 'test', isAlive: true, troubles: 0 });
  await keepsCashContract(t, gateway);
  await keepsGatewayContract(t, {
    gateway,
    booksOf: async (orderId) =>
      [...books.charges.values()]
        .filter((one) => one.orderId === orderId)
        .map(({ chargeId, amountCents, status, hold }) => {
          const over = hold && status === 'canceled' ? 'voided' : 'declined';
          return { chargeId, amountCents, status: status === 'succeeded' || status === 'authorized' ? status : over };
        }),
    token: () => 'tok_visa',
    answer: async ({ chargeId }, isApproved) => answerCharge(books, chargeId, isApproved),
  });
});

test('the tax service of the simulation keeps the contract of a tax calculator', async (t) => {
  const books = createTaxBooks();
  let lost: string | undefined;
  const losing: Calls = {
    ...DIRECT,
    call: async ({ effect, what, failure }) => {
      const answer = effect();
      const isLost = lost !== undefined && what.startsWith(lost);
      if (isLost) lost = undefined;
      if (isLost) throw failure(true);
      return answer;
    },
  };
  const taxes = createSimulatedTaxes(books, losing, { name: 'test', isAlive: true, troubles: 0 });
  await keepsTaxContract(t, {
    calculate: taxes.calculate,
    books: {
      ...taxes,
      loseAnswer: (of) => {
        lost = of;
      },
      async booked(reference) {
        const records = [...books.records.values()].filter((one) => one.reference === reference);
        const left = records.flatMap((one) => one.calculation.lines.map(({ subject }) => leftOf(books, one, subject)));
        return {
          taxCents: left.reduce((sum, { taxCents }) => sum + taxCents, 0),
          baseCents: left.reduce((sum, { baseCents }) => sum + baseCents, 0),
          records: records.length,
          reversals: [...books.reversals.values()].filter(({ recordId }) => recordId === records[0]?.recordId).length,
        };
      },
    },
  });
});
