/** The lengths of GS1's trade item numbers: GTIN-8 (EAN-8), GTIN-12 (UPC-A), GTIN-13 (EAN-13), GTIN-14. */
const LENGTHS: ReadonlySet<number> = new Set([8, 12, 13, 14]);
const DIGITS = /^[0-9]+$/;
/** Separators of printed codes: `0 36000 29145 2`, `978-0-306-40615-7`. */
const SEPARATORS = /[\s-]+/g;

/**
 * Reads a code of 8, 12, 13 or 14 digits with a valid check digit as GTIN-14; undefined otherwise. Eight digits from 0
 * are read as UPC-E, because GS1 assigns such EAN-8 codes within stores only; from 1, as EAN-8 first.
 */
export function gtin14Of(code: string): number | undefined {
  const digits = code.replace(SEPARATORS, '');
  if (!LENGTHS.has(digits.length) || !DIGITS.test(digits)) return undefined;
  if (digits.length > 8) return checkedNumber(digits);
  const short = numberOfUpcE(digits);
  return digits.startsWith('0') ? (short ?? checkedNumber(digits)) : (checkedNumber(digits) ?? short);
}

/** Verifies GS1's check digit: with weights 3 and 1 alternating from the right, the sum is a multiple of ten. */
export function hasCheckDigit(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i += 1) {
    const weight = (digits.length - i) % 2 === 0 ? 3 : 1;
    sum += weight * Number(digits[i]);
  }
  return sum % 10 === 0;
}

function checkedNumber(digits: string): number | undefined {
  const number = Number(digits);
  return hasCheckDigit(digits) && number > 0 ? number : undefined;
}

function numberOfUpcE(digits: string): number | undefined {
  const [system = '', a = '', b = '', c = '', d = '', e = '', last = '', check = ''] = digits;
  if (system !== '0' && system !== '1') return undefined;
  return checkedNumber(`${system}${expanded([a, b, c, d, e], last)}${check}`);
}

/**
 * Expands UPC-E. The last digit encodes the position and number of the suppressed zeros (General Specifications, zero
 * suppression).
 */
function expanded([a, b, c, d, e]: readonly [string, string, string, string, string], last: string): string {
  if (last <= '2') return `${a}${b}${last}0000${c}${d}${e}`;
  if (last === '3') return `${a}${b}${c}00000${d}${e}`;
  if (last === '4') return `${a}${b}${c}${d}00000${e}`;
  return `${a}${b}${c}${d}${e}0000${last}`;
}
