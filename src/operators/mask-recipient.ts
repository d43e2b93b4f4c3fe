const SHOWN = 4;

/** `…0123`: the end of a phone number. */
export function maskPhone(phone: number | null): string {
  return phone === null ? '' : `…${String(phone).slice(-SHOWN)}`;
}

/** `j…@example.com`: the first letter of a mailbox, and its host. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  return at < 1 ? '' : `${email.slice(0, 1)}…${email.slice(at)}`;
}
