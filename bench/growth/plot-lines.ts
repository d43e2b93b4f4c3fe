/** A line of a plot: its name, and points from left to right. */
export type Line = { name: string; points: readonly (readonly [x: number, y: number])[] };

/** The horizontal axis is logarithmic, the vertical axis begins at 0. */
export type Plot = { title: string; xLabel: string; yLabel: string; lines: readonly Line[] };

const WIDTH = 640;
const HEIGHT = 360;
const INNER = { left: 70, right: 620, top: 48, bottom: 262 };
const COLOURS = ['#0b63ce', '#b3261e', '#1b7f3b', '#7a4fd0', '#8a5a00'];
const Y_STEPS = 5;

/** Draws lines with axes as one SVG document that needs no script, no font and no other file. */
export function plotLines({ title, xLabel, yLabel, lines }: Plot): string {
  const xs = [...new Set(lines.flatMap(({ points }) => points.map(([x]) => x)))].toSorted((a, b) => a - b);
  const top = roundUp(Math.max(1e-9, ...lines.flatMap(({ points }) => points.map(([, y]) => y))));
  const [low, high] = [Math.log(xs[0] ?? 1), Math.log(xs.at(-1) ?? 1)];
  const xOf = (x: number) =>
    high === low
      ? (INNER.left + INNER.right) / 2
      : INNER.left + ((Math.log(x) - low) / (high - low)) * (INNER.right - INNER.left);
  const yOf = (y: number) => INNER.bottom - (y / top) * (INNER.bottom - INNER.top);
  const steps = Array.from({ length: Y_STEPS + 1 }, (_, step) => (top * step) / Y_STEPS);
  const grid = steps.map((y) => {
    const at = fixed(yOf(y));
    return `<path d="M${INNER.left} ${at}H${INNER.right}" stroke="#d9dde3"/>${text(INNER.left - 8, yOf(y) + 4, shown(y), 'end')}`;
  });
  const marks = xs.map((x) => text(xOf(x), INNER.bottom + 18, shown(x), 'middle'));
  const axis = `<path d="M${INNER.left} ${INNER.top}V${INNER.bottom}H${INNER.right}" fill="none" stroke="#5b6470"/>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12" fill="#20242a" role="img" aria-label="${escaped(title)}">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
    `<text x="${INNER.left}" y="20" font-size="15" font-weight="bold">${escaped(title)}</text>`,
    text(INNER.left, 38, yLabel, 'start'),
    ...grid,
    axis,
    ...marks,
    text((INNER.left + INNER.right) / 2, INNER.bottom + 36, xLabel, 'middle'),
    ...lines.flatMap(({ name, points }, nth) => {
      const colour = COLOURS[nth % COLOURS.length] as string;
      const at = points.map(([x, y]) => `${fixed(xOf(x))},${fixed(yOf(y))}`);
      const legendX = INNER.left + (nth % 3) * 190;
      const legendY = INNER.bottom + 58 + Math.floor(nth / 3) * 18;
      return [
        `<polyline points="${at.join(' ')}" fill="none" stroke="${colour}" stroke-width="2"/>`,
        ...points.map(([x, y]) => `<circle cx="${fixed(xOf(x))}" cy="${fixed(yOf(y))}" r="3.5" fill="${colour}"/>`),
        `<path d="M${legendX} ${legendY - 4}h18" stroke="${colour}" stroke-width="3"/>`,
        text(legendX + 24, legendY, name, 'start'),
      ];
    }),
    '</svg>',
    '',
  ].join('\n');
}

/** The next of 1, 2, 2.5, 5 and their tens: axes end at a number that divides by five. */
function roundUp(value: number): number {
  const ten = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 2.5, 5].find((part) => part * ten >= value) ?? 10) * ten;
}

function shown(value: number): string {
  if (value >= 1e6) return `${Number((value / 1e6).toFixed(2))} M`;
  if (value >= 10_000) return `${Number((value / 1000).toFixed(1))} k`;
  return String(Number(value.toFixed(2)));
}

const fixed = (value: number): string => value.toFixed(1);

function text(x: number, y: number, words: string, anchor: 'start' | 'middle' | 'end'): string {
  return `<text x="${fixed(x)}" y="${fixed(y)}" text-anchor="${anchor}">${escaped(words)}</text>`;
}

function escaped(words: string): string {
  return words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
