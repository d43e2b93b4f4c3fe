/** Letters of the Arabic script join their neighbours: each has up to four forms, in this sequence. */
type Forms = { isolated: string; final: string; initial?: string | undefined; medial?: string | undefined };

const MARK = /^\p{M}$/u;

/** Unicode's presentation forms, by the letter or ligature that each decomposes to: A for Arabic, B for its neighbours. */
const FORMS: ReadonlyMap<string, Forms> = new Map([...formsIn(0xfb50, 0xfbff), ...formsIn(0xfe80, 0xfefc)]);

/** The forms of a letter follow each other: isolated, final, and for letters that join on both sides initial, medial. */
function formsIn(first: number, last: number): [string, Forms][] {
  const found = new Map<string, string[]>();
  for (let code = first; code <= last; code += 1) {
    const form = String.fromCodePoint(code);
    const letter = form.normalize('NFKC');
    found.set(letter, [...(found.get(letter) ?? []), form]);
  }
  return [...found].flatMap(([letter, [isolated, final, initial, medial]]): [string, Forms][] =>
    isolated === undefined || final === undefined ? [] : [[letter, { isolated, final, initial, medial }]],
  );
}

/** Arabic letters in the forms that they take beside each other; any other text stays as it is. */
export function joinArabic(text: string): string {
  const letters = withLigatures([...text]);
  const neighbour = (at: number, step: 1 | -1): Forms | undefined => {
    let next = at + step;
    while (MARK.test(letters[next] ?? '')) next += step;
    return FORMS.get(letters[next] ?? '');
  };
  return letters
    .map((letter, at) => {
      const forms = FORMS.get(letter);
      if (!forms) return letter;
      const isJoinedBefore = neighbour(at, -1)?.initial !== undefined;
      const isJoinedAfter = forms.initial !== undefined && neighbour(at, 1) !== undefined;
      if (isJoinedBefore) return (isJoinedAfter ? forms.medial : forms.final) ?? letter;
      return (isJoinedAfter ? forms.initial : forms.isolated) ?? letter;
    })
    .join('');
}

/** Lam and alef beside each other are one letter. */
function withLigatures(letters: readonly string[]): string[] {
  const joined: string[] = [];
  for (const letter of letters) {
    const pair = `${joined.at(-1) ?? ''}${letter}`;
    if (pair.length === 2 && FORMS.has(pair)) joined.pop();
    joined.push(pair.length === 2 && FORMS.has(pair) ? pair : letter);
  }
  return joined;
}
