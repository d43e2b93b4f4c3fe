import { test } from 'node:test';
import { keepsGatewayContract } from '../contracts/gateway-contract.ts';
import type { Calls } from './outside-party.ts';
import { answerCharge, createGatewayBooks, createSimulatedGateway } from './simulated-gateway.ts';

/** Calls reach their party immediately. */
const DIRECT: Calls = {
  down: new Set(),
  call: async ({ effect }) => effect(),
  run: (_owner, _party, _what, task) => task(),
};

test('the gateway of the simulation keeps the contract of a payment gateway', async (t) => {
  const books = createGatewayBooks();
  await keepsGatewayContract(t, {
    gateway: createSimulatedGateway(books, DIRECT, { name: 'test', isAlive: true, troubles: 0 }),
    booksOf: async (orderId) =>
      [...books.charges.values()]
        .filter((one) => one.orderId === orderId)
        .map(({ chargeId, amountCents, status }) => {
          return { chargeId, amountCents, status: status === 'succeeded' ? 'succeeded' : 'declined' };
        }),
    token: () => 'tok_visa',
    answer: async ({ chargeId }, isApproved) => answerCharge(books, chargeId, isApproved),
  });
});
