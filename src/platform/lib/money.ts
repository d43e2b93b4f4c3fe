/** `numerator / denominator` rounded half away from zero, for a positive denominator. */
function roundedQuotient(numerator: number, denominator: number): number {
  const size = Math.abs(numerator);
  const rest = size % denominator;
  const whole = (size - rest) / denominator;
  const rounded = rest * 2 >= denominator ? whole + 1 : whole;
  return numerator < 0 && rounded !== 0 ? -rounded : rounded;
}

// Powers of ten that turn nearly every percentage in use into a whole number: 10, 8.875, 14.975, 0.000125.
const SCALES = [1, 1_000, 1_000_000] as const;

/**
 * Computes the percentage in whole-number arithmetic; undefined if inexact. If `whole / scale` equals the percentage,
 * it is its shortest decimal: no two decimals of up to 15 significant digits share a double (IEEE 754).
 */
function quickPercentOf(percent: number, cents: number): number | undefined {
  for (const scale of SCALES) {
    const whole = Math.round(percent * scale);
    if (whole / scale !== percent) continue;
    const numerator = whole * cents;
    const exact = Math.abs(whole) < 1e15 && Number.isSafeInteger(numerator);
    return exact ? roundedQuotient(numerator, scale * 100) : undefined;
  }
  return undefined;
}

type DecimalParts = [text: string, sign: string, whole: string, fraction?: string, exponent?: string];
const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/;

/** A finite number as its shortest decimal, as in JSON: `digits` × 10^`exponent`. */
export function decimalOf(value: number): { digits: bigint; exponent: number } {
  const [, sign, whole, fraction = '', exponent = '0'] = DECIMAL.exec(String(value)) as unknown as DecimalParts;
  return { digits: BigInt(sign + whole + fraction), exponent: Number(exponent) - fraction.length };
}

function exactPercentOf(percent: number, cents: number): number {
  const { digits: percentDigits, exponent } = decimalOf(percent);
  const shift = exponent - 2;
  const digits = percentDigits * BigInt(cents) * 10n ** BigInt(Math.max(shift, 0));
  const denominator = 10n ** BigInt(Math.max(-shift, 0));
  const size = digits < 0n ? -digits : digits;
  const rounded = (size * 2n + denominator) / (denominator * 2n);
  if (rounded > BigInt(Number.MAX_SAFE_INTEGER)) {
    throw new RangeError(`${percent} % of ${cents} cents is beyond what a number holds exactly`);
  }
  const negative = rounded > 0n && digits < 0n;
  return negative ? -Number(rounded) : Number(rounded);
}

/**
 * Returns a percentage (8.875 means 8.875 %) of whole cents, rounded once, half away from zero. Read as its shortest
 * decimal, as in JSON. RangeError if not finite or not a safe integer.
 */
export function percentOf(percent: number, cents: number): number {
  if (!Number.isFinite(percent) || !Number.isSafeInteger(cents)) {
    throw new RangeError(`cannot take ${percent} % of ${cents} cents`);
  }
  return quickPercentOf(percent, cents) ?? exactPercentOf(percent, cents);
}

/**
 * `part / whole` of an amount in whole cents: exact, then rounded once, half away from zero. `whole` is positive.
 * Throws RangeError if an argument is not a safe integer.
 */
export function shareOf(cents: number, part: number, whole: number): number {
  if (![cents, part, whole].every(Number.isSafeInteger) || whole <= 0) {
    throw new RangeError(`cannot take ${part} of ${whole} parts of ${cents} cents`);
  }
  return divideRounded(BigInt(cents) * BigInt(part), BigInt(whole));
}

/** A quotient rounded half away from zero, for a positive denominator. */
export function divideRounded(numerator: bigint, denominator: bigint): number {
  const size = numerator < 0n ? -numerator : numerator;
  const rounded = Number((size * 2n + denominator) / (denominator * 2n));
  return numerator < 0n && rounded > 0 ? -rounded : rounded;
}

/**
 * Splits cents in proportion to weights by the largest-remainder method; of equal remainders, the first get the cents.
 * There must be at least one weight. If their sum is 0, the first part gets everything.
 */
export function splitInProportion(cents: number, weights: readonly (number | bigint)[]): number[] {
  if (weights.length === 1) return [cents];
  return splitNumbers(cents, weights) ?? splitBigInts(cents, weights);
}

/** In a third of the time; undefined where a product may not be exact. */
function splitNumbers(cents: number, weights: readonly (number | bigint)[]): number[] | undefined {
  let total = 0;
  let size = 0;
  for (const weight of weights) {
    if (typeof weight !== 'number') return undefined;
    total += weight;
    size += Math.abs(weight);
  }
  if (!(Math.abs(cents) * size <= Number.MAX_SAFE_INTEGER)) return undefined;
  if (total <= 0) return weights.map((_, index) => (index === 0 ? cents : 0));
  const remainders: number[] = [];
  let rest = cents;
  const shares = weights.map((weight) => {
    const numerator = cents * (weight as number);
    const remainder = ((numerator % total) + total) % total;
    remainders.push(remainder);
    const share = (numerator - remainder) / total;
    rest -= share;
    return share + 0;
  });
  for (; rest > 0; rest -= 1) {
    let largest = 0;
    for (let at = 1; at < remainders.length; at += 1) {
      if ((remainders[at] as number) > (remainders[largest] as number)) largest = at;
    }
    shares[largest] = (shares[largest] as number) + 1;
    remainders[largest] = -1;
  }
  return shares;
}

function splitBigInts(cents: number, weights: readonly (number | bigint)[]): number[] {
  const total = weights.reduce<bigint>((sum, weight) => sum + BigInt(weight), 0n);
  if (total <= 0n) return weights.map((_, index) => (index === 0 ? cents : 0));
  const shares = weights.map((weight, index) => {
    const numerator = BigInt(cents) * BigInt(weight);
    const remainder = ((numerator % total) + total) % total;
    return { index, cents: Number((numerator - remainder) / total), remainder };
  });
  const rest = shares.reduce((left, share) => left - share.cents, cents);
  const served = shares
    .toSorted((a, b) => Number(b.remainder > a.remainder) - Number(b.remainder < a.remainder))
    .slice(0, rest)
    .map(({ index }) => index);
  return shares.map((share) => share.cents + (served.includes(share.index) ? 1 : 0));
}

export const sumCents = (amounts: readonly number[]): number => amounts.reduce((sum, cents) => sum + cents, 0);

/** `$12.34` for 1234 cents, `-$1.00` for -100, in US and Canadian dollars. */
export function formatPrice(cents: number): string {
  const size = Math.abs(cents);
  const rest = size % 100;
  return `${cents < 0 ? '-' : ''}$${(size - rest) / 100}.${String(rest).padStart(2, '0')}`;
}
