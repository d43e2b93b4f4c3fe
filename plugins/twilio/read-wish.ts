/** Reads whether a reply to an SMS stops or starts messages, in English, French or Spanish. */

/** Beginnings of a message that stops messages, also without the space or hyphen within *opt out* and *stop all*. */
const STOPS = ['stop', 'stop all', 'opt out', 'unsubscribe', 'end', 'quit', 'revoke', 'arret', 'alto', 'no mas'];
/** Words that stop or start messages if they are all of a message. */
const ONLY_STOPS = ['cancel', 'parar', 'baja'];
const STARTS = ['start', 'unstop', 'yes', 'oui', 'si'];
/** A message about an order is for its store. */
const ORDER = /^(orders?|commandes?|pedidos?)$/;

/** Much more than one SMS; a longer reply is no command. */
const MAX_LENGTH = 1600;

export function readWish(body: string): 'STOP' | 'START' | undefined {
  if (body.length > MAX_LENGTH) return undefined;
  const plain = body
    .toWellFormed()
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\p{M}\p{Cf}]/gu, '');
  // Punctuation is left out within a word (S.T.O.P.), and parts words (stop,please).
  const readings = ['', ' '].map((mark) => wordsOf(plain.replace(/[^\p{L}\p{N}\p{Pd}\s]/gu, mark)));
  if (readings.some(isStop)) return 'STOP';
  return readings.some((words) => STARTS.includes(words.join(' '))) ? 'START' : undefined;
}

function wordsOf(text: string): string[] {
  const parted = text.replace(/\p{Pd}/gu, '-').replace(/\b(opt)[\s-]*(out)\b|\b(stop)[\s-]*(all)\b/g, '$1$3 $2$4');
  return parted
    .split(/\s+/)
    .map((word) => word.split('-').filter(Boolean).join('-'))
    .filter((word) => word !== '');
}

function isStop(words: readonly string[]): boolean {
  if (ONLY_STOPS.includes(words.join(' '))) return true;
  return STOPS.some((stop) => {
    const start = stop.split(' ');
    return (
      start.every((word, nth) => words[nth] === word) && !words.slice(start.length).some((word) => ORDER.test(word))
    );
  });
}
