import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { givenMessageContext } from '../../../test/given/message-context.ts';
import { PAYS, paidBy } from '../../../test/lives/ledger-lives.ts';
import { assertEnd, LIFE_COMMANDS } from '../../../test/lives/life-commands.ts';
import { modelStep, type Pays, placedModel } from '../../../test/lives/life-model.ts';
import { placedLife, takeStep } from '../../../test/lives/pure-life.ts';
import { carts, orderOf } from '../../../test/oracles/carts.ts';
import type { OracleCart } from '../../../test/oracles/price-oracle.ts';
import { runs } from '../../../test/runs.ts';
import type { AdvanceEvent } from '../order/order.ts';

const LIVES = runs(10_000);
const filled = carts.filter(({ lines }) => lines.length > 0);
/** An order's state when its random life begins. */
const BEGINNINGS: readonly (readonly AdvanceEvent[])[] = [
  [],
  ['confirm'],
  ['confirm', 'assign_driver', 'pick_up'],
  ['confirm', 'assign_driver', 'pick_up', 'complete'],
];

/** Starts an order of a cart after some steps, in both the model and the rules. */
function begin(cart: OracleCart, pays: Pays, steps: readonly AdvanceEvent[]) {
  const { order } = givenMessageContext(orderOf(cart));
  const life = { model: placedModel(cart, pays), real: placedLife(order, pays) };
  for (const step of steps) assert.equal(takeStep(life.real, step), modelStep(life.model, step));
  return life;
}

test(`${LIVES} random lives of an order: charges less refunds equal the receipt and the gateway's books, and never exceed the agreed amount`, (t) => {
  const ends = new Map<string, number>();
  let lived = 0;
  const lives = fc.property(
    filled,
    PAYS,
    fc.constantFrom(...BEGINNINGS),
    fc.commands(LIFE_COMMANDS, { maxCommands: 24, size: 'max' }),
    (cart, pays, steps, commands) => {
      const life = begin(cart, paidBy(cart, pays), steps);
      fc.modelRun(() => life, commands);
      assertEnd(life.model, life.real);
      lived += 1;
      const { status, refunds, charges } = life.model;
      for (const what of [status, ...refunds.map(({ kind }) => kind), ...charges.slice(1).map(() => 'tipped')]) {
        ends.set(what, (ends.get(what) ?? 0) + 1);
      }
    },
  );
  fc.assert(lives, { numRuns: LIVES });
  t.diagnostic(JSON.stringify(Object.fromEntries(ends)));
  // Guards against vacuous runs where nothing happens.
  for (const what of ['completed', 'canceled', 'asked', 'changed', 'outside', 'tipped']) {
    assert.ok((ends.get(what) ?? 0) > lived / 20, `${what}: ${ends.get(what)}`);
  }
});
