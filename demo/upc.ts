/** UPC-A with the number system 4, which GS1 leaves to a store's own use: no real product has one of these. */
export function upcOf(itemNumber: number): string {
  const body = `4${String(itemNumber).padStart(10, '0')}`;
  return body + checkDigitOf(body);
}

/** GS1 General Specifications, 7.9: digits in odd places count three times, and all add up to a multiple of ten. */
export function checkDigitOf(body: string): string {
  const sum = [...body].reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 3 : 1), 0);
  return String((10 - (sum % 10)) % 10);
}
