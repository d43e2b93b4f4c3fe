import { parsedLine } from './exposition-line.ts';

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
