/** A selector of an expression: metric, matchers, and the labels of surrounding aggregations. */
export type Selector = { metric: string; matchers: { label: string; values: string[] }[]; grouped: string[] };

const TOKEN = /\s+|"(?:[^"\\]|\\.)*"|\[[^\]]*\]|\$?[a-zA-Z_:][\w:]*|\d[\w.]*|[(){},]|[=!]~|[=!<>]=|[-+*/%^<>=]/gy;
/** The Prometheus functions and aggregations that the expressions use. */
const FUNCTIONS = new Set(
  'sum min max avg count topk rate increase histogram_quantile absent min_over_time max_over_time'.split(' '),
);
const GROUPINGS = new Set(['by', 'without']);
const OPERATORS = new Set(['and', 'or', 'unless', 'bool']);

function tokensOf(expression: string): string[] {
  const tokens = [...expression.matchAll(TOKEN)].map(([token]) => token);
  const read = tokens.join('').length;
  if (read !== expression.length) throw new Error(`No PromQL from "${expression.slice(read)}": ${expression}`);
  return tokens.filter((token) => token.trim() !== '');
}

/** Every selector of a PromQL expression. Throws on unknown syntax, so that nothing stays unchecked. */
export function selectorsOf(expression: string): Selector[] {
  const tokens = tokensOf(expression);
  const selectors: Selector[] = [];
  let at = 0;
  const fail = (what: string): never => {
    throw new Error(`${what} at token ${at} "${tokens[at] ?? 'end'}": ${expression}`);
  };
  const take = (token: string): void => {
    if (tokens[at] !== token) fail(`Expected "${token}"`);
    at += 1;
  };
  const isName = (token = ''): boolean => /^[a-zA-Z_:]/.test(token);

  function labelList(): string[] {
    const labels: string[] = [];
    take('(');
    while (tokens[at] !== ')') {
      labels.push(isName(tokens[at]) ? (tokens[at] ?? '') : fail('Expected a label'));
      at += 1;
      if (tokens[at] === ',') at += 1;
    }
    take(')');
    return labels;
  }

  function matchers(): Selector['matchers'] {
    const found: Selector['matchers'] = [];
    take('{');
    while (tokens[at] !== '}') {
      const [label = '', operator = '', text = ''] = tokens.slice(at, at + 3);
      if (!isName(label) || !/^(=|!=|=~|!~)$/.test(operator) || !text.startsWith('"')) fail('Expected a matcher');
      const value = text.slice(1, -1);
      found.push({ label, values: operator.endsWith('~') ? value.split('|') : [value] });
      at += 3;
      if (tokens[at] === ',') at += 1;
    }
    take('}');
    return found;
  }

  function parts(grouped: readonly string[], end: string | undefined): void {
    while (tokens[at] !== end) {
      const token = tokens[at];
      if (token === undefined) fail('Unbalanced');
      else if (token === '(') group(grouped);
      else if (isName(token) && !OPERATORS.has(token)) named(token, grouped);
      else if (/^[){}[]/.test(token)) fail('Unexpected');
      else at += 1;
    }
  }

  function group(grouped: readonly string[]): void {
    take('(');
    parts(grouped, ')');
    take(')');
  }

  function named(token: string, grouped: readonly string[]): void {
    at += 1;
    if (tokens[at] === '(' || GROUPINGS.has(tokens[at] ?? '')) {
      if (!FUNCTIONS.has(token)) fail(`Unknown function ${token}`);
      const isGrouping = GROUPINGS.has(tokens[at] ?? '');
      if (isGrouping) at += 1;
      group(isGrouping ? [...grouped, ...labelList()] : grouped);
      return;
    }
    selectors.push({ metric: token, matchers: tokens[at] === '{' ? matchers() : [], grouped: [...grouped] });
    if (tokens[at]?.startsWith('[')) at += 1;
  }

  parts([], undefined);
  return selectors;
}
