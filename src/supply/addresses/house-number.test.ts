import assert from 'node:assert/strict';
import { test } from 'node:test';
import { comparedDoor, isSameDoor } from './house-number.ts';

const isSame = (own: string, typed: string) => isSameDoor(comparedDoor(own), comparedDoor(typed));

test('a store is at a typed address: hyphenated numbers, ranges, directions and saints in every notation', () => {
  for (const [own, typed] of [
    ['37-12 Prince St', '37-12 Prince Street'],
    ['37-12 Prince St', '3712 Prince St'],
    ['98-1005 Moanalua Rd', '981005 Moanalua Road'],
    ['100-102 Main St', '100 Main St'],
    ['100-102 Main St', '102 Main St'],
    ['100-110 Main St', '104 Main St'],
    ['100 Main St', '100-102 Main St'],
    ['100-102 Main St', '100–102 Main St'],
    ['1701 Pennsylvania Ave NW', '1701 Pennsylvania Avenue Northwest'],
    ['1701 Pennsylvania Ave NW', '1701 Pennsylvania Ave N.W. Apt 3'],
    ['12 SW 8th St', '12 Southwest 8th Street'],
    ['900 St. Charles Ave', '900 Saint Charles Avenue'],
    ['28000 12 Mile Rd', '28000 12 Mile Road'],
    ['1 10th St', '1 10th Street'],
    ['12B Oak Ct', '12b Oak Court'],
    ['N6W23001 Bluemound Rd', 'N6W23001 Bluemound Road'],
  ] as const)
    assert.ok(isSame(own, typed), `${own} | ${typed}`);
});

test('other numbers, sides of the street, directions and streets are other doors', () => {
  for (const [own, typed] of [
    ['37-12 Prince St', '37 Prince St'],
    ['37-12 Prince St', '12 Prince St'],
    ['100-102 Main St', '101 Main St'],
    ['100-102 Main St', '104 Main St'],
    ['1701 Pennsylvania Ave NW', '1701 Pennsylvania Ave SE'],
    ['1 10th St', '1 St'],
    ['110 Main St', '1 10 Oak St'],
    ['100', '100 Main St'],
  ] as const)
    assert.ok(!isSame(own, typed), `${own} | ${typed}`);
});
