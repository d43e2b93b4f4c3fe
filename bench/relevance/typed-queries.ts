/** A query with its first hit; null if nothing is found. */
export type Judged = { text: string; first: string | null; isRight: boolean };

/** Every other query is held out: its result is no reason to tune the search. */
export type Half = 'tuned' | 'held out';

/** Returns the lines of a text as `key: values`, whose values commas separate. */
export function linesOf(text: string): { key: string; values: string[] }[] {
  return text
    .trim()
    .split('\n')
    .map((line) => {
      const [key = '', values = ''] = line.split(': ');
      return { key, values: values.split(', ') };
    });
}

export function halfOf<T>(queries: readonly T[], half: Half): T[] {
  return queries.filter((_, nth) => (nth % 2 === 0) === (half === 'tuned'));
}
