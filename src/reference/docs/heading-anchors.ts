const MARKS = /[^\p{L}\p{N}\p{M}\s_-]/gu;

/**
 * Names the headings of one page, from its first to its last, as GitHub names them: a link to a heading leads to the same
 * place on both. A repeated heading is numbered. `heading` is the text without its marks.
 */
export function createAnchors(): (heading: string) => string {
  const taken = new Set<string>();
  return (heading) => {
    const plain = heading.trim().toLowerCase().replace(MARKS, '').replace(/\s/g, '-');
    let anchor = plain;
    for (let n = 1; taken.has(anchor); n += 1) anchor = `${plain}-${n}`;
    taken.add(anchor);
    return anchor;
  };
}
