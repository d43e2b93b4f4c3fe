export type CardBrand = 'visa' | 'mastercard' | 'amex' | 'discover' | 'diners' | 'jcb' | 'unionpay' | 'maestro';

/** The brand that a list of payment methods shows: a gateway may take cards of further brands. */
export type ShownBrand = CardBrand | 'other';

type BrandRule = { brand: CardBrand; prefixes: RegExp; lengths: readonly number[] };

const SIXTEEN_TO_NINETEEN = [16, 17, 18, 19];

/**
 * The issuer ranges of ISO/IEC 7812 as the networks publish them. The first rule that fits is the card's: UnionPay's
 * 622126–622925 runs on Discover's network too and is UnionPay's here.
 */
const RULES: readonly BrandRule[] = [
  { brand: 'visa', prefixes: /^4/, lengths: [13, 16, 19] },
  { brand: 'mastercard', prefixes: /^(5[1-5]|222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720)/, lengths: [16] },
  { brand: 'amex', prefixes: /^3[47]/, lengths: [15] },
  { brand: 'discover', prefixes: /^(6011|64[4-9]|65)/, lengths: SIXTEEN_TO_NINETEEN },
  { brand: 'diners', prefixes: /^(30[0-5]|309|36|38|39)/, lengths: [14, 15, ...SIXTEEN_TO_NINETEEN] },
  { brand: 'jcb', prefixes: /^35(2[89]|[3-8]\d)/, lengths: SIXTEEN_TO_NINETEEN },
  { brand: 'unionpay', prefixes: /^(62|81)/, lengths: SIXTEEN_TO_NINETEEN },
  {
    brand: 'maestro',
    prefixes: /^(50|5[6-8]|6304|6759|676[1-3])/,
    lengths: [12, 13, 14, 15, ...SIXTEEN_TO_NINETEEN],
  },
];

/** The brand by a gateway's word for it. */
export function brandNamed(word: string): ShownBrand {
  return RULES.find(({ brand }) => brand === word)?.brand ?? 'other';
}

/** The brand of a card number, its digits alone; undefined when no brand has such numbers. */
export function brandOf(number: string): CardBrand | undefined {
  return RULES.find(({ prefixes }) => prefixes.test(number))?.brand;
}

/** Whether the brand's cards come with that many digits. */
export function hasBrandLength(brand: CardBrand, number: string): boolean {
  return RULES.some((rule) => rule.brand === brand && rule.lengths.includes(number.length));
}

/** Digits of the security code: 4 for American Express, 3 for every other brand. */
export function cvcLengthOf(brand: CardBrand): number {
  return brand === 'amex' ? 4 : 3;
}

/** The check digit of ISO/IEC 7812-1, annex B: from the right every second digit counts double, cross-summed. */
export function passesLuhn(number: string): boolean {
  let sum = 0;
  for (let place = 0; place < number.length; place += 1) {
    const digit = Number(number[number.length - 1 - place]);
    const doubled = digit * 2;
    sum += place % 2 === 0 ? digit : doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
