/** Merges Prometheus expositions: HELP and TYPE of each metric once, then the series of all texts. */
export function mergeMetrics(texts: readonly string[]): string {
  const heads = new Map<string, string[]>();
  const series = new Map<string, string[]>();
  for (const text of texts) {
    let name = '';
    for (const line of text.split('\n')) {
      if (line === '') continue;
      if (!line.startsWith('#')) {
        series.get(name)?.push(line);
        continue;
      }
      name = line.split(' ', 3)[2] ?? '';
      if (!series.has(name)) series.set(name, []);
      const head = heads.get(name) ?? [];
      heads.set(name, head);
      if (!head.includes(line)) head.push(line);
    }
  }
  return [...heads].map(([name, head]) => `${[...head, ...(series.get(name) ?? [])].join('\n')}\n`).join('\n');
}
