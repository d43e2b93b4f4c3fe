/** A code's parsed form. */
const CODE_PATTERN = /^[A-Z0-9-]{4,32}$/;

const DASHES = /[\p{Pd}\u2212\u2043]/gu;
/** White space, control and format characters, and letters that show nothing. */
const UNSEEN = /[\s\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/**
 * A promotion's code as it is typed, pasted or printed, in the one form where codes are stored and compared. Every
 * door reads codes with it; what does not match `CODE_PATTERN` then is no code.
 */
export const readCode = (typed: string): string =>
  typed.normalize('NFKC').replaceAll(DASHES, '-').replaceAll(UNSEEN, '').toUpperCase();

export const isCode = (typed: string): boolean => CODE_PATTERN.test(readCode(typed));
