/** A UPC-A of number system 4, which GS1 leaves to a store's own use: no real product has such a code. */
export function upcOf(itemNumber: number): string {
  const body = `4${String(itemNumber).padStart(10, '0')}`;
  return body + checkDigitOf(body);
}

/** GS1 General Specifications, 7.9: digits at odd positions count three times; the sum is a multiple of ten. */
export function checkDigitOf(body: string): string {
  const sum = [...body].reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 3 : 1), 0);
  return String((10 - (sum % 10)) % 10);
}
