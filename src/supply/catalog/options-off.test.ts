import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { listOptions, withoutOptions } from './options-off.ts';
import type { Customization, Option } from './product.ts';
import { shownChoices } from './shown-choices.ts';

const option = (id: string, customizations: Customization[] = []): Option => ({
  id,
  name: id.toUpperCase(),
  price: 100,
  defaultQty: 0,
  minQty: 0,
  maxQty: 1,
  conditionalPrice: {},
  customizations,
});
const choice = (id: string, options: Option[], minChoiceOptions = 0): Customization => ({
  id,
  name: id,
  minChoiceOptions,
  maxChoiceOptions: options.length,
  options,
});

/** Modifiers up to three levels deep, with unique option ids. */
const choices: fc.Arbitrary<Customization[]> = fc
  .array(fc.tuple(fc.nat(1), fc.array(fc.nat(2), { maxLength: 4 })), { maxLength: 3 })
  .map((groups) => {
    let next = 0;
    const givenOption = (depth: number): Option => {
      const id = `o${next++}`;
      return option(id, depth === 0 ? [] : [choice(`c${id}`, [givenOption(depth - 1), givenOption(depth - 1)])]);
    };
    return groups.map(([min, depths], at) => choice(`g${at}`, depths.map(givenOption), min));
  });

/** The ids that remain, found by walking paths: an option is shown if neither it nor an ancestor is off. */
function shownIds(customizations: readonly Customization[], off: ReadonlySet<string>): string[] {
  const ids: string[] = [];
  const walk = (level: readonly Customization[], path: readonly string[]): void => {
    for (const { options } of level) {
      for (const { id, customizations: nested } of options) {
        if ([...path, id].every((one) => !off.has(one))) ids.push(id);
        walk(nested, [...path, id]);
      }
    }
  };
  walk(customizations, []);
  return ids;
}

test('shown options are exactly those on sale under options on sale, in the feed’s order', () => {
  fc.assert(
    fc.property(choices, fc.uniqueArray(fc.integer({ min: 0, max: 20 })), (customizations, numbers) => {
      const off = new Set(numbers.map((n) => `o${n}`));
      const shown = withoutOptions(customizations, off);
      assert.deepEqual(
        listOptions(shown, new Set()).map(({ id }) => id),
        shownIds(customizations, off),
      );
      assert.equal(shownChoices(shown).optionCount, shownIds(customizations, off).length);
      for (const { id, minChoiceOptions } of customizations) {
        if (minChoiceOptions > 0) assert.ok(shown.some((one) => one.id === id));
      }
    }),
  );
});

test('a required choice stays with its last option off, an optional one leaves, and an always-empty one stays', () => {
  const menu = [choice('size', [option('s')], 1), choice('extra', [option('x')]), choice('empty', [])];
  assert.deepEqual(
    withoutOptions(menu, new Set(['s', 'x'])).map(({ id, options }) => [id, options.length]),
    [
      ['size', 0],
      ['empty', 0],
    ],
  );
});

test('keys pressed in any order show the view of the last one, and load nothing else', () => {
  const priced = { ...option('a'), conditionalPrice: { x: 1, y: 2 } };
  const turned = Object.fromEntries(Object.entries({ ...priced, conditionalPrice: { y: 2, x: 1 } }).reverse());
  const menu = [choice('c', [priced, option('b')])];
  assert.equal(shownChoices(menu).view, shownChoices([choice('c', [{ ...priced, ...turned }, option('b')])]).view);
  assert.notEqual(shownChoices(menu).view, shownChoices(withoutOptions(menu, new Set(['b']))).view);
  const many = (name: string) => [
    choice(
      'c',
      Array.from({ length: 41 }, (_, n) => option(`${name}${n}`)),
    ),
  ];
  assert.equal(shownChoices(many('a')).view, shownChoices(many('b')).view);
  assert.equal(shownChoices([]).view, 0n);
});
