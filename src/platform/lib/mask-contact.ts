const VISIBLE_DIGITS = 4;

/** Returns the end of a phone number: `…0123`. */
export function maskPhone(phone: number | null): string {
  return phone === null ? '' : `…${String(phone).slice(-VISIBLE_DIGITS)}`;
}

/** Returns the first letter of a mailbox, and its host: `j…@example.com`. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  return at < 1 ? '' : `${email.slice(0, 1)}…${email.slice(at)}`;
}
