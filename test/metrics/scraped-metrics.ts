export type ScrapedMetric = {
  type: string;
  help: string;
  series: { name: string; labels: Readonly<Record<string, string>>; value: number }[];
};

/** Parses Prometheus text into metrics by name. Throws on a malformed line, and on a series without its header. */
export function scrapedMetrics(text: string): Map<string, ScrapedMetric> {
  const metrics = new Map<string, ScrapedMetric>();
  let current: ScrapedMetric | undefined;
  for (const line of text.split('\n').filter((each) => each !== '')) {
    const [, kind, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? [];
    if (kind) {
      current = metrics.get(name) ?? { type: '', help: '', series: [] };
      metrics.set(name, current);
      if (kind === 'HELP') current.help = rest;
      else current.type = rest;
      continue;
    }
    if (!current) throw new Error(`A series without a head: ${line}`);
    current.series.push(parsedLine(line));
  }
  return metrics;
}

const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)",?/g;

/** A line of a series in the text format of Prometheus. Throws for any other line. */
function parsedLine(line: string): { name: string; labels: Record<string, string>; value: number } {
  const [, name, labels = '', value] = LINE.exec(line) ?? [];
  if (name === undefined || labels.replaceAll(LABEL, '') !== '') throw new Error(`Not a series: ${line}`);
  return {
    name,
    labels: Object.fromEntries([...labels.matchAll(LABEL)].map(([, label, text]) => [label, text])),
    value: Number(value),
  };
}
