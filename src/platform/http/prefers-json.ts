/** Whether `Accept` prefers JSON to HTML (RFC 9110, section 12.5.1); false for browsers and without a preference. */
export function prefersJson(accept: string | undefined): boolean {
  const ranges = (accept ?? '').split(',').map(parseRange);
  const acceptWeight = (types: readonly string[]) =>
    Math.max(0, ...ranges.filter(({ type }) => types.includes(type)).map(({ weight }) => weight));
  const json = acceptWeight(['application/json', 'application/problem+json', 'application/*']);
  return json > acceptWeight(['text/html', 'application/xhtml+xml', 'text/*']);
}

function parseRange(range: string): { type: string; weight: number } {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
  const weight = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1);
  return { type, weight: Number.isFinite(weight) ? weight : 0 };
}
