import { type Html, html } from '../lib/html.ts';
import { type Content, type Endpoint, JSON_TYPE, type Parameter } from './api-document.ts';

/** A request that succeeds on the demo: its first line, and its body. Nothing for a request that is its path alone. */
export function showRequest({ method, path, operation }: Endpoint): Html | undefined {
  const { parameters = [], requestBody } = operation;
  const body = exampleIn(requestBody?.content);
  const line = `${method} ${addressOf(path, parameters)}`;
  if (body === undefined && line === `${method} ${path}`) return undefined;
  return html`<details class="example"><summary>Example request</summary><pre tabindex="0">${line}${
    body !== undefined && `\n\n${textOf(body)}`
  }</pre></details>`;
}

/** An answer of the demo, with lists cut to their first entries. */
export function showAnswerExample(content: Content): Html | undefined {
  const example = exampleIn(content);
  if (example === undefined) return undefined;
  return html`<details class="example"><summary>Example</summary><pre tabindex="0">${textOf(example)}</pre></details>`;
}

function addressOf(path: string, parameters: readonly Parameter[]): string {
  let address = path;
  const query: string[] = [];
  for (const { name, in: part, example } of parameters) {
    if (example === undefined) continue;
    if (part === 'path') address = address.replace(`{${name}}`, encodeURIComponent(String(example)));
    if (part === 'query') query.push(`${name}=${readable(String(example))}`);
  }
  return query.length > 0 ? `${address}?${query.join('&')}` : address;
}

/** A placeholder keeps its braces. */
const readable = (value: string) => (/^\{[a-z_]+\}$/.test(value) ? value : encodeURIComponent(value));

function exampleIn(content: Content = {}): unknown {
  return content[JSON_TYPE]?.example ?? content['application/x-www-form-urlencoded']?.example;
}

const textOf = (example: unknown) => JSON.stringify(example, null, 2);
