import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ADDRESS, wordsOf } from '../../../test/given/street-addresses.ts';
import { readAddressLine } from './address-line.ts';
import {
  namesDoor,
  partsOfMatch,
  readStreet,
  streetWithoutDoor,
  writeAddress,
  writeAddressLines,
  writeStreet,
  writeUnit,
} from './street-address.ts';

test('a house number leads its street, and a number within the street’s name isn’t one', () => {
  const cases: readonly [line: string, streetNum: string, streetName: string][] = [
    ['120 5th Ave', '120', '5th Ave'],
    ['1 10th St', '1', '10th St'],
    ['28000 12 Mile Rd', '28000', '12 Mile Rd'],
    ['12 Mile Rd', '', '12 Mile Rd'],
    ['125 1re Avenue', '125', '1re Avenue'],
    ['1re Avenue', '', '1re Avenue'],
    ['3e Rang Ouest', '', '3e Rang Ouest'],
    ['30 2e Rang', '30', '2e Rang'],
    ['5th Avenue 120', '', '5th Avenue 120'],
    ['12B Main St', '12B', 'Main St'],
    ['12E Main St', '12E', 'Main St'],
    ['1-123 King St W', '1-123', 'King St W'],
    ['12-34 31st Ave', '12-34', '31st Ave'],
    ['85\u2011080 Waianae Valley Rd', '85\u2011080', 'Waianae Valley Rd'],
    ['12 1/2 Elm St', '12 1/2', 'Elm St'],
    ['1½ Elm St', '1½', 'Elm St'],
    ['100 1/2B 2nd Ave', '100 1/2B', '2nd Ave'],
    ['26W123 Grand Ave', '26W123', 'Grand Ave'],
    ['N6W23001 Bluemound Rd', 'N6W23001', 'Bluemound Rd'],
    ['W239 N3490 Pewaukee Rd', 'W239 N3490', 'Pewaukee Rd'],
    ['N1234 County Road A', 'N1234', 'County Road A'],
    ['123, rue Principale', '123', 'rue Principale'],
    ['2450 Chemin Ste-Foy', '2450', 'Chemin Ste-Foy'],
    ['One Apple Park Way', 'One', 'Apple Park Way'],
    ['Two Penn Plaza', 'Two', 'Penn Plaza'],
    ['Two Rivers Rd', '', 'Two Rivers Rd'],
    ['RR 2 Box 15', '', 'RR 2 Box 15'],
    ['Pier 39', '', 'Pier 39'],
    ['120', '', '120'],
    ['', '', ''],
  ];
  for (const [line, streetNum, streetName] of cases)
    assert.deepEqual(readStreet(line), { streetNum, streetName }, line);
});

test('a line is read into its parts, whose units and regions are not parts of its street', () => {
  const parts = (line: string) => Object.values(readAddressLine(line));
  const cases: readonly [string, string[]][] = [
    ['932 W Randolph St, Chicago, IL 60607, USA', ['932', 'W Randolph St', '', 'Chicago', 'IL', '60607', 'USA']],
    ['932 W Randolph St #4B, Chicago, IL 60607', ['932', 'W Randolph St', '#4B', 'Chicago', 'IL', '60607', '']],
    ['932 W Randolph St, 4B, Chicago, Illinois', ['932', 'W Randolph St', '4B', 'Chicago', 'Illinois', '', '']],
    ['12-34 31st Ave Apt 2, Queens, NY 11106-1234', ['12-34', '31st Ave', 'Apt 2', 'Queens', 'NY', '11106-1234', '']],
    ['1480, rue Saint-Paul O, Montréal, QC H2Y 1Z5', ['1480', 'rue Saint-Paul O', '', 'Montréal', 'QC', 'H2Y 1Z5', '']],
    ['2450 Chemin Ste-Foy, Québec (Québec) G1V1T2', ['2450', 'Chemin Ste-Foy', '', 'Québec', 'Québec', 'G1V1T2', '']],
    ['77A King St W, Toronto, ON m5k1a1', ['77A', 'King St W', '', 'Toronto', 'ON', 'M5K1A1', '']],
    ['100 Main St Bldg 4 Apt 2B, Troy, MI', ['100', 'Main St', 'Bldg 4 Apt 2B', 'Troy', 'MI', '', '']],
    ['932 W Randolph St Apt 4 Chicago IL 60607', ['932', 'W Randolph St', 'Apt 4', 'Chicago', 'IL', '60607', '']],
    [
      '1600 Pennsylvania Ave NW Washington DC 20500',
      ['1600', 'Pennsylvania Ave NW', '', 'Washington', 'DC', '20500', ''],
    ],
    ['8 Oak Ct', ['8', 'Oak Ct', '', '', '', '', '']],
    ['8 Oak Ct 06103', ['8', 'Oak Ct', '', '', '', '06103', '']],
    ['932 W Randolph St, Chicago', ['932', 'W Randolph St', '', 'Chicago', '', '', '']],
    ['RR 2 Box 15, Tuttle, Okla. 73089', ['', 'RR 2 Box 15', '', 'Tuttle', 'Okla.', '73089', '']],
    ['RR #2, Bath, ON K0H 1G0', ['', 'RR #2', '', 'Bath', 'ON', 'K0H 1G0', '']],
    ['Carr 693 Km 8.1, Dorado, PR 00646', ['', 'Carr 693 Km 8.1', '', 'Dorado', 'PR', '00646', '']],
    ['Apt 5, 932 W Randolph St, Chicago, IL', ['932', 'W Randolph St', 'Apt 5', 'Chicago', 'IL', '', '']],
    ['#5 932 W Randolph St, 2nd floor, Troy', ['932', 'W Randolph St', '#5, 2nd floor', 'Troy', '', '', '']],
    ['Lot 5, Pine Park, Troy, MI', ['', 'Lot 5', 'Pine Park', 'Troy', 'MI', '', '']],
    ['932 W Randolph St, Chicago, IL 606071234', ['932', 'W Randolph St', '', 'Chicago', 'IL', '606071234', '']],
    ['Charleston, West Virginia', ['', '', '', 'Charleston', 'West Virginia', '', '']],
    ['60607', ['', '', '', '', '', '60607', '']],
    ['Springfield', ['', 'Springfield', '', '', '', '', '']],
    [' , ', ['', '', '', '', '', '', '']],
  ];
  for (const [line, expected] of cases) assert.deepEqual(parts(line), expected, line);
});

test('a door is a house number, or the box or route that the street names, and no post office box', () => {
  for (const streetName of [
    'RR 2 Box 15',
    'R.R. #2',
    'HC 1 Box 23',
    'Rural Route 3',
    'Star Rte 4',
    '120 5th Ave',
    'Lot 7 Con 4',
    'Site 12 Comp 5',
    'Carr 693 Km 8.1',
    'Mile 5 Alaska Hwy',
  ])
    assert.ok(namesDoor({ streetNum: '', streetName }), streetName);
  for (const streetName of [
    '',
    'W Randolph St',
    '5th Ave',
    'Route 66',
    '12 Mile Rd',
    'PO Box 12',
    'P.O. Box 12',
    'Boxwood Ln',
  ])
    assert.equal(namesDoor({ streetNum: '', streetName }), false, streetName);
  assert.ok(namesDoor({ streetNum: '1½', streetName: 'Elm St' }));
});

test('a street without its door keeps its own number', () => {
  const shown = (streetNum: string, streetName: string) => streetWithoutDoor({ streetNum, streetName });
  assert.equal(shown('1', '10th St'), '10th St');
  assert.equal(shown('28000', '12 Mile Rd'), '12 Mile Rd');
  assert.equal(shown('', '125 1re Avenue'), '1re Avenue');
  assert.equal(shown('10', '10 W 21st St'), 'W 21st St');
  assert.equal(shown('', 'RR 2 Box 15'), 'RR 2');
  assert.equal(shown('', 'Carr 693 Km 8.1'), 'Carr 693');
});

test('a bare number is named as an apartment, and a unit with its own word is not', () => {
  const written = (aptNum: string) => writeUnit(aptNum, ({ number }) => `Apartment ${number}`);
  assert.deepEqual(['4B', '#12', 'C', '', 'Suite 200', '3rd floor'].map(written), [
    'Apartment 4B',
    'Apartment 12',
    'Apartment C',
    '',
    'Suite 200',
    '3rd floor',
  ]);
});

test('a number that the street repeats is written once, unless the street begins with it', () => {
  assert.equal(writeStreet({ streetNum: '10', streetName: '10 W 21st St' }), '10 W 21st St');
  assert.equal(writeStreet({ streetNum: '12', streetName: '12 Mile Rd' }), '12 12 Mile Rd');
});

test("a typed address has the geocoder's parts, and its own street where the geocoder lacks the house", () => {
  const found = {
    streetNum: '',
    streetName: 'West Twelve Mile Road',
    aptNum: '',
    city: 'Warren',
    state: 'MI',
    zipcode: '48092',
  };
  const typed = readAddressLine('28000 12 Mile Rd Apt 3, Warren');
  assert.equal(writeAddress(partsOfMatch(typed, found)), '28000 12 Mile Rd, Apt 3, Warren, MI 48092');
  const house = { ...found, streetNum: '28000' };
  assert.equal(writeStreet(partsOfMatch(typed, house)), '28000 West Twelve Mile Road');
});

test('an address that came in parts is written with every word, on one line and on two', () => {
  fc.assert(
    fc.property(ADDRESS, (address) => {
      const all = wordsOf(Object.values(address).join(' '));
      assert.deepEqual(wordsOf(writeAddress(address)), all);
      assert.deepEqual(wordsOf(writeAddressLines(address).join('\n')), all);
      assert.equal(writeAddressLines(address).length, 2);
    }),
    { numRuns: 2000 },
  );
});

test('a line that was typed loses no word in its parts, and its parts are read again as they are', () => {
  const separators = fc.constantFrom(', ', ' , ', ',', ' ');
  fc.assert(
    fc.property(
      ADDRESS,
      separators,
      fc.constantFrom('', 'USA', 'Canada', 'United States'),
      (address, separator, country) => {
        const { streetNum, streetName, aptNum, city, state, zipcode } = address;
        const line = [`${streetNum} ${streetName}`, aptNum, city, `${state} ${zipcode}`, country]
          .filter((part) => part.trim() !== '')
          .join(separator);
        const read = readAddressLine(line);
        const written = writeAddress(read, read.country);
        assert.deepEqual(wordsOf(written), wordsOf(line), line);
        assert.deepEqual(wordsOf(writeAddress(readAddressLine(written), '')), wordsOf(writeAddress(read)), line);
        if (separator.includes(',')) {
          assert.equal(writeStreet(read), `${streetNum} ${streetName}`.trim(), line);
          assert.deepEqual([read.aptNum, read.city, read.state], [aptNum, city, state], line);
        }
      },
    ),
    { numRuns: 5000 },
  );
});

test('a text beyond any address is no pattern’s: it stays whole', () => {
  for (const text of [' ,'.repeat(50_000), '1 '.repeat(50_000), 'apt '.repeat(50_000)]) {
    assert.equal(readAddressLine(text).streetName, text);
    assert.equal(readStreet(text).streetNum, '');
    assert.ok(writeAddress(readAddressLine(text)).length > 0);
  }
});

const PIECES = ['12', 'apt', '#', 'ste', 'NE', ',', ' ', '-', 'box', 'one', 'é', 'IL', '60607', '(', ')', '½'] as const;
const lettersAndDigits = (text: string) =>
  [...text.toLowerCase()]
    .filter((sign) => /[\p{L}\p{N}]/u.test(sign))
    .sort()
    .join('');

test('any text at all keeps its words, and is read in no time beyond its length', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 120 }), (pieces) => {
      const line = pieces.join('');
      assert.equal(lettersAndDigits(Object.values(readAddressLine(line)).join('')), lettersAndDigits(line));
    }),
    { numRuns: 2000 },
  );
});

test('pieces that repeat up to the bound are read without backtracking, and keep their words', () => {
  const pieces = fc.array(fc.constantFrom(...PIECES, 'fl', 'é 5'), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(pieces, (repeated) => {
      const once = repeated.join('');
      const line = `1 Main St ${once.repeat(280 / once.length)}!`;
      assert.equal(lettersAndDigits(Object.values(readAddressLine(line)).join('')), lettersAndDigits(line));
    }),
    // Two ways to read one space doubled the time with each unit.
    { numRuns: 2000, examples: [[['apt', ' ', '12', ' ']], [['#', '12', ' ']], [['box', ' ', '12', ' ']]] },
  );
});
