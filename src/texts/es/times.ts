/**
 * A formatted time within a Spanish sentence, with the article it needs: `las 6:45 p.m.`, `la 1:05 p.m.`; with its day
 * `el vie, 12 de jun, 6:45 p.m.`.
 */
export function withArticle(time: string): string {
  if (!/^\d{1,2}:/.test(time)) return `el ${time}`;
  return time.startsWith('1:') ? `la ${time}` : `las ${time}`;
}

/** `a las 6:45 p.m.`; a time with its day has no `a`. */
export function atTime(time: string): string {
  const whole = withArticle(time);
  return whole.startsWith('el ') ? whole : `a ${whole}`;
}

/** `de las 6:45 p.m.`, `del vie, 12 de jun, 6:45 p.m.`. */
export const ofTime = (time: string): string => `de ${withArticle(time)}`.replace(/^de el /, 'del ');
