import { type ApiDocument, type Endpoint, endpointsOf, type Operation, type Parameter } from '../api-document.ts';
import { fillPlaceholders, findId } from './former-answers.ts';

/* Request forms of the API reference: fields from the description, the call with the reader's key, and the response. */

const TIMEOUT_MS = 30_000;
/** Maximum characters shown of a response; a list of stores is about 60 kB. */
const MAX_SHOWN_CHARACTERS = 200_000;

/** Answers shown on this page, newest first, whose ids fill later examples. */
const shownAnswers: unknown[] = [];
const MAX_FORMER = 50;

/** The description is loaded once, with the first form. */
let reading: Promise<ApiDocument> | undefined;
export const readDocument = () => {
  reading ??= fetch('../openapi.json').then((reply) => reply.json());
  return reading;
};

/** Adds a button to each endpoint that opens a form in its place. */
export function addRequestForms(key: () => string): void {
  for (const place of document.querySelectorAll<HTMLElement>('.try')) {
    const button = make('button', { type: 'button', textContent: 'Try it' });
    button.addEventListener('click', () => void open(place, key));
    place.append(button);
  }
}

async function open(place: HTMLElement, key: () => string): Promise<void> {
  const described = await readDocument();
  const endpoint = endpointsOf(described).find(({ id }) => id === place.dataset.operation);
  if (!endpoint) return;
  const form = make('form', {});
  const idFor = formerId(endpoint);
  const fields = (endpoint.operation.parameters ?? [])
    .filter((parameter) => parameter.in !== 'cookie')
    .map((parameter) => fieldOf(parameter, idFor));
  const isVisible = ({ required, input }: Field) => required || input.value !== '';
  form.append(...fields.filter(isVisible).map(({ label }) => label));
  const example = bodyOf(endpoint.operation);
  const body =
    example === undefined
      ? undefined
      : make('textarea', { value: fillPlaceholders(example, idFor), spellcheck: false });
  if (body) form.append(labeled('Body', body, 'wide'));
  const more = fields.filter((field) => !isVisible(field));
  if (more.length > 0) form.append(folded(`${more.length} optional fields`, more));
  const answer = make('div', {});
  answer.setAttribute('role', 'status');
  form.append(make('button', { type: 'submit', textContent: `Send ${endpoint.method}` }));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const values = fields.map(({ name, in: part, input }) => ({
      name,
      part,
      value: fillPlaceholders(input.value, idFor),
    }));
    void send(endpoint, values, body && fillPlaceholders(body.value, idFor), key(), answer);
  });
  place.replaceChildren(form, answer);
  form.querySelector<HTMLElement>('input, textarea, button')?.focus();
}

type Field = Parameter & { input: HTMLInputElement; label: HTMLLabelElement };

function fieldOf(parameter: Parameter, idFor: (name: string) => string | undefined): Field {
  const input = make('input', { type: 'text', required: parameter.required ?? false, autocomplete: 'off' });
  const value = startValueOf(parameter);
  input.value =
    value === '' && parameter.in === 'path' ? (idFor(parameter.name) ?? '') : fillPlaceholders(value, idFor);
  input.spellcheck = false;
  return { ...parameter, input, label: labeled(parameter.name, input) };
}

/** A collapsed group of fields that a first request leaves empty. */
function folded(words: string, fields: readonly Field[]): HTMLElement {
  const box = make('details', { className: 'wide' });
  const grid = make('div', { className: 'fields' });
  grid.append(...fields.map(({ label }) => label));
  box.append(make('summary', { textContent: words }), grid);
  return box;
}

type Value = { name: string; part: string; value: string };

async function send(endpoint: Endpoint, values: Value[], body: string | undefined, key: string, answer: HTMLElement) {
  answer.replaceChildren(make('p', { textContent: 'Sending…' }));
  const startedAt = performance.now();
  try {
    const reply = await fetch(addressOf(endpoint, values), {
      method: endpoint.method,
      headers: headersOf(values, key, body !== undefined),
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body === undefined ? {} : { body }),
    });
    const text = readable(await reply.text());
    remember(text);
    const ms = Math.round(performance.now() - startedAt);
    const line = make('p', { className: 'outcome' });
    const status = make('code', {
      className: `status s${Math.floor(reply.status / 100)}`,
      textContent: `${reply.status}`,
    });
    line.append(status, ` ${reply.statusText} in ${ms} ms`);
    answer.replaceChildren(line, ...(text === '' ? [] : [bodyShown(endpoint, text)]));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    answer.replaceChildren(make('p', { textContent: `No answer: ${reason}` }));
  }
}

/** The path is relative to the page, because a service may be mounted below a path of its host. */
function addressOf({ path }: Endpoint, values: Value[]): string {
  let address = path;
  const query = new URLSearchParams();
  for (const { name, part, value } of values) {
    if (part === 'path') address = address.replace(`{${name}}`, encodeURIComponent(value));
    else if (part === 'query' && value !== '') query.append(name, value);
  }
  const search = query.size > 0 ? `?${query}` : '';
  return `..${address}${search}`;
}

function headersOf(values: Value[], key: string, hasBody: boolean): Headers {
  const headers = new Headers(hasBody ? { 'content-type': 'application/json' } : {});
  if (key !== '') headers.set('id-token', key);
  for (const { name, part, value } of values) if (part === 'header' && value !== '') headers.set(name, value);
  return headers;
}

function bodyShown({ id }: Endpoint, text: string): HTMLElement {
  const shown = make('pre', { textContent: text.slice(0, MAX_SHOWN_CHARACTERS), tabIndex: 0 });
  shown.setAttribute('aria-label', `Answer of ${id}`);
  shown.setAttribute('role', 'region');
  return shown;
}

function remember(text: string): void {
  try {
    shownAnswers.unshift(JSON.parse(text));
    shownAnswers.length = Math.min(shownAnswers.length, MAX_FORMER);
  } catch {
    // Ignored: a page or a file contains no ids.
  }
}

/** Finds the id that an endpoint's example needs, in the newest answer that has one. */
const formerId =
  ({ path }: Endpoint): ((name: string) => string | undefined) =>
  (name) =>
    shownAnswers.map((answer) => findId(answer, name, path)).find((id) => id !== undefined);

function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function labeled(words: string, field: HTMLElement, className = ''): HTMLLabelElement {
  const label = make('label', { className });
  label.append(words, field);
  return label;
}

function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]>,
): HTMLElementTagNameMap[Name] {
  return Object.assign(document.createElement(name), properties);
}

/** Initial value of a parameter's field: its example, or its default if it is required. Optional headers have none. */
function startValueOf({ in: part, example, required, schema = {} }: Parameter): string {
  if (part === 'header' && !required) return '';
  const value = example ?? (required ? (schema.default ?? schema.enum?.[0]) : undefined);
  return value === undefined ? '' : String(value);
}

/** The example of a JSON body; `{}` for one without a required member, and undefined for an operation without a body. */
function bodyOf({ requestBody }: Operation): string | undefined {
  const content = requestBody?.content?.['application/json'];
  return content && JSON.stringify(content.example ?? {}, null, 2);
}
