/** A North American number without its country code. */
const NATIONAL = /^[2-9]\d{2}[2-9]\d{6}$/;

/** Returns a phone number in E.164: ten digits are a US or Canadian number; longer ones include the country code. */
export function e164Of(phone: number): string {
  const digits = String(phone);
  return NATIONAL.test(digits) ? `+1${digits}` : `+${digits}`;
}

/** Writes `(212) 555-0123` for numbers of the US and Canada, E.164 for others. */
export function phoneInWords(phone: number): string {
  const [, area, exchange, line] = /^\+1(\d{3})(\d{3})(\d{4})$/.exec(e164Of(phone)) ?? [];
  return area === undefined ? e164Of(phone) : `(${area}) ${exchange}-${line}`;
}

const WRITTEN = /^(?:\s*\+)?[\d\s().-]+$/;
/** `+44 (0)20 …`: the zero is dialed only within the country. */
const TRUNK_ZERO = '(0)';
const DIGITS = /^[1-9]\d{6,14}$/;

/** Parses a phone number from digits or common notation; undefined for anything else. */
export function parsePhone(phone: unknown): number | undefined {
  if (typeof phone !== 'number' && (typeof phone !== 'string' || !WRITTEN.test(phone))) return undefined;
  const digits = typeof phone === 'string' ? phone.replace(TRUNK_ZERO, '').replace(/\D/g, '') : String(phone);
  return DIGITS.test(digits) ? Number(digits) : undefined;
}
