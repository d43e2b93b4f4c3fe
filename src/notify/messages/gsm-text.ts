/** The GSM 7-bit alphabet (3GPP TS 23.038); the characters of the second line count twice. */
const BASIC: ReadonlySet<string> = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
const EXTENDED: ReadonlySet<string> = new Set('^{}\\[~]|€');

const LOOKALIKES: Readonly<Record<string, string>> = {
  '‘': "'",
  '’': "'",
  '“': '"',
  '”': '"',
  '–': '-',
  '—': '-',
  '…': '...',
  '\u00a0': ' ',
  '\u202f': ' ',
  '`': "'",
  '•': '-',
};

/**
 * Converts a text to the GSM alphabet as far as possible: typographic marks become plain, accents outside of the
 * alphabet are dropped. Other characters (Chinese, emoji) stay; an SMS with them has only 70 characters per part.
 */
export const gsmText = (text: string): string => [...text.normalize('NFC')].map(gsmCharacter).join('');

function gsmCharacter(character: string): string {
  if (BASIC.has(character) || EXTENDED.has(character)) return character;
  const lookalike = LOOKALIKES[character] ?? character.normalize('NFKD').replace(/\p{M}/gu, '');
  return lookalike !== '' && [...lookalike].every((one) => BASIC.has(one)) ? lookalike : character;
}

/** Returns the number of SMS parts of a text; a part has 160 characters of the GSM alphabet, or 70 others. */
export function smsParts(text: string): number {
  const characters = [...text];
  const isGsm = characters.every((one) => BASIC.has(one) || EXTENDED.has(one));
  if (!isGsm) return text.length <= 70 ? 1 : Math.ceil(text.length / 67);
  const length = characters.reduce((sum, one) => sum + (EXTENDED.has(one) ? 2 : 1), 0);
  return length <= 160 ? 1 : Math.ceil(length / 153);
}
