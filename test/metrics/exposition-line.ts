const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)",?/g;

/** A line of a series in the text format of Prometheus. Throws for any other line. */
export function parsedLine(line: string): { name: string; labels: Record<string, string>; value: number } {
  const [, name, labels = '', value] = LINE.exec(line) ?? [];
  if (name === undefined || labels.replaceAll(LABEL, '') !== '') throw new Error(`Not a series: ${line}`);
  return {
    name,
    labels: Object.fromEntries([...labels.matchAll(LABEL)].map(([, label, text]) => [label, text])),
    value: Number(value),
  };
}
