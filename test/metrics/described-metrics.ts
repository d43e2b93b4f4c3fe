import { textOf } from '../source-files.ts';

export type DescribedMetric = { name: string; type: string; labels: string[] };

const ROW = /^\| `(doorstep_\w+)` \| (counter|gauge|histogram) \|([^|]*)\| [^|]+ \|$/gm;

export function describedMetrics(): DescribedMetric[] {
  const section = textOf('docs/monitoring.md').split(/^#+ Metrics$/m)[1] ?? '';
  return [...(section.split(/^#+ /m)[0]?.matchAll(ROW) ?? [])].map(([, name = '', type = '', labels = '']) => ({
    name,
    type,
    labels: [...labels.matchAll(/`(\w+)`/g)].map(([, label = '']) => label).sort(),
  }));
}
