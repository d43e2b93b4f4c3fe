/** Values that differ between runs: times, ids, timestamps. */
const CHANGES: readonly [shown: RegExp, pattern: string][] = [
  [/^\b1[6-9]\d{8}\b/, String.raw`\d{10}`],
  [/^\b\d\d?:\d\d ?[AP]M/, String.raw`\d\d?:\d\d ?[AP]M`],
  [/^<\w+>/, '[^"<>]+'],
  [/^…/, String.raw`[\s\S]*?`],
];
/** Members whose value differs between runs: driver positions, durations, the numbers of a store's orders. */
const CHANGING = /_(latitude|longitude)$|^(course|seconds|order_number)$/;
const ANYTHING = '…';

/**
 * Whether a response matches a document's example. `…` matches anything, `<name>` an id; times may differ. JSON must
 * have the shown members, and its lists must match exactly except at `…`. Other text must occur in full, ignoring white
 * space.
 */
export function isShown(shown: string, answer: string): boolean {
  const expected = valuesIn(shown);
  // A loop may print words before the response.
  const given = valuesIn(answer) ?? valuesIn(answer.replace(/^(?![[{]).*\n/gm, ''));
  if (!expected || !given) return patternOf(withoutSpace(shown)).test(withoutSpace(answer));
  let next = 0;
  for (const value of expected) {
    while (next < given.length && !isValueShown(value, given[next])) next += 1;
    if (next === given.length) return false;
    next += 1;
  }
  return true;
}

const withoutSpace = (text: string) => text.replace(/\s+/g, '');

function patternOf(shown: string, ends = ''): RegExp {
  let rest = shown;
  let source = '';
  while (rest !== '') {
    const change = CHANGES.find(([part]) => part.test(rest));
    const found = change?.[0].exec(rest)?.[0] ?? rest.charAt(0);
    source += change?.[1] ?? RegExp.escape(found);
    rest = rest.slice(found.length);
  }
  return new RegExp(ends === '' ? source : `^${source}${ends}`);
}

function isValueShown(shown: unknown, given: unknown, name = ''): boolean {
  if (Array.isArray(shown)) return Array.isArray(given) && isListShown(shown, given);
  if (CHANGING.test(name)) return given === null || typeof given === typeof shown;
  if (typeof shown === 'string') return typeof given === 'string' && patternOf(shown, '$').test(given);
  if (typeof shown === 'object' && shown !== null) {
    const members = Object.entries(shown).filter(([key]) => key !== ANYTHING);
    const has = given as Record<string, unknown> | null | undefined;
    return (
      typeof has === 'object' && has !== null && members.every(([key, value]) => isValueShown(value, has[key], key))
    );
  }
  return patternOf(String(shown), '$').test(String(given));
}

/** `…` in a list matches any number of elements. */
function isListShown(shown: readonly unknown[], given: readonly unknown[]): boolean {
  let next = 0;
  let mayLeaveOut = false;
  for (const element of shown) {
    if (element === ANYTHING) mayLeaveOut = true;
    else {
      const at = given.findIndex((one, n) => n >= next && (mayLeaveOut || n === next) && isValueShown(element, one));
      if (at < 0) return false;
      next = at + 1;
      mayLeaveOut = false;
    }
  }
  return mayLeaveOut || next === given.length;
}

/** The sequence of JSON values in a text, with each `…` as a member or element; undefined for other text. */
function valuesIn(text: string): unknown[] | undefined {
  try {
    const values = valueTextsIn(text).map((value) => JSON.parse(value));
    return values.length > 0 ? values : undefined;
  } catch {
    return undefined;
  }
}

function valueTextsIn(text: string): string[] {
  const open: string[] = [];
  const values: string[] = [];
  let source = '';
  for (const [part] of text.matchAll(/"(?:[^"\\]|\\.)*"|[\s\S]/g)) {
    if ('{['.includes(part)) open.push(part);
    const anything = open.at(-1) === '{' ? `"${ANYTHING}":0` : `"${ANYTHING}"`;
    source += part === ANYTHING ? anything : part;
    if (!'}]'.includes(part)) continue;
    open.pop();
    if (open.length > 0) continue;
    values.push(source);
    source = '';
  }
  return source.trim() === '' ? values : [...values, source];
}
