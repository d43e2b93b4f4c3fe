import { type Html, html, htmlDocument } from 'doorstep/html';
import {
  type ApiDocument,
  type Content,
  type DescribedAnswer,
  type Endpoint,
  endpointsOf,
  JSON_TYPE,
  type Operation,
  type Parameter,
  type Schema,
  webhooksOf,
} from './api-document.ts';
import { schemaId, showInline, showMembers, showProse, showShape, showType } from './show-schema.ts';

/*
 * The pages of an OpenAPI document, complete without scripts: the first has every endpoint by tag, and each tag has a
 * page with the fields, answers and examples of its endpoints, which a script loads into the first where one is opened.
 */

export type ReferenceOptions = {
  /** File names relative to the page. */
  paths: { script: string; style: string; icon: string };
  /** Whether each operation has a form that sends a request. */
  canTry: boolean;
  /** Tags whose operations are shown at first; all others are collapsed. */
  openTags: ReadonlySet<string>;
};

const EVENTS = 'Events';
const SCHEMAS = 'Schemas';

type Group = { name: string; description: string | undefined; endpoints: Endpoint[]; isOpen: boolean };

/** Returns the page names alongside the first: the tags, `Events` and `Schemas`. */
export const referenceParts = (document: ApiDocument): string[] => [
  ...groupsOf(document, new Set()).map(({ name }) => partOf(name)),
  SCHEMAS,
];

const partOf = (name: string) => name.replace(/\W+/g, '-');

/** Renders the first page of an OpenAPI document's reference, or one of `referenceParts`. */
export function referencePage(document: ApiDocument, options: ReferenceOptions, part?: string): string {
  const { paths, canTry, openTags } = options;
  const { info, components } = document;
  const groups = groupsOf(document, openTags).filter(({ name }) => part === undefined || partOf(name) === part);
  const schemas = Object.entries(components?.schemas ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  const main =
    part === undefined
      ? html`<section class="intro"><h1>${info.title} reference</h1>${info.summary && html`<p class="lead">${info.summary}</p>`}
${showProse(info.description)}
<p><a href="../openapi.json">openapi.json</a> is the same description for programs.</p></section>
<p class="soft" id="found" role="status"></p>
${groups.map((group) => showGroup(group, canTry))}
${schemas.length > 0 && html`<section class="group" id="schemas"><details class="rest"><summary><h2>Schemas</h2></summary><ul>${schemas.map(([name]) => html`<li class="schema" id="${schemaId(name)}"><a href="?tag=${SCHEMAS}#${schemaId(name)}">${name}</a></li>`)}</ul></details></section>`}`
      : html`<h1>${part}</h1>
${part === SCHEMAS ? schemas.map(showSchema) : groups.map((group) => showPart(group, canTry))}`;
  return htmlDocument({
    title: `${info.title} reference`,
    head: html`<meta name="description" content="${info.summary ?? info.title}">
<link rel="icon" href="${paths.icon}">
<link rel="stylesheet" href="${paths.style}">
<script type="module" src="${paths.script}"></script>`,
    body: html`<a class="skip" href="#main">Skip to the reference</a>
<header><span class="brand">${info.title}</span> <span class="version">${info.version}</span> <a class="docs" href=".//">Documents</a>${canTry && showKey()}</header>
<div class="frame">
${part === undefined ? showNavigation(groups, schemas.length > 0) : html`<nav><p class="all"><a href="./">All endpoints</a></p></nav>`}
<main id="main" tabindex="-1">
${main}
</main>
</div>`,
  });
}

/** Renders the field for the key, hidden without scripts, because only the page's own requests use it. */
const showKey = (): Html =>
  html`<label class="key">Your key <input id="key" type="text" autocomplete="off" spellcheck="false" placeholder="ds_test_…"></label>`;

/** Groups endpoints by tag: tags of apps first, then the others, in order. Webhooks are a separate group. */
function groupsOf(document: ApiDocument, openTags: ReadonlySet<string>): Group[] {
  const endpoints = endpointsOf(document);
  const groups = (document.tags ?? []).map(({ name, description }) => ({
    name,
    description,
    endpoints: endpoints.filter(({ operation }) => operation.tags?.[0] === name),
  }));
  const events = {
    name: EVENTS,
    description: 'What the service sends to your endpoint.',
    endpoints: webhooksOf(document),
  };
  const all = [...groups, events]
    .filter((group) => group.endpoints.length > 0)
    .map((group) => ({ ...group, isOpen: openTags.has(group.name) }));
  return [...all.filter((group) => group.isOpen), ...all.filter((group) => !group.isOpen)];
}

const groupId = (name: string) => `tag-${partOf(name)}`;

function showNavigation(groups: readonly Group[], hasSchemas: boolean): Html {
  return html`<nav aria-label="Endpoints">
<label class="search">Search <input id="search" type="search" autocomplete="off" placeholder="Words of an endpoint or a field"></label>
<div class="groups">${groups.map(
    ({ name, endpoints }) =>
      html`<details><summary>${name}</summary><ul>${endpoints.map(
        ({ id, method, path, operation }) =>
          html`<li data-for="${id}"><a href="#${id}"><span class="method ${method.toLowerCase()}">${method}</span> ${operation.summary ?? path}</a></li>`,
      )}</ul></details>`,
  )}</div>
${hasSchemas && html`<p class="all"><a href="#schemas">Schemas</a></p>`}
</nav>`;
}

function showGroup({ name, description, endpoints, isOpen }: Group, canTry: boolean): Html {
  const id = groupId(name);
  const body = html`${showProse(description)}
${endpoints.map((endpoint) =>
  showEndpoint(
    endpoint,
    canTry && name !== EVENTS,
    html`<details class="more"><summary>Fields and answers</summary><p><a href="?tag=${partOf(name)}#${endpoint.id}">With all of ${name}</a></p></details>`,
  ),
)}`;
  if (isOpen) {
    return html`<section class="group" id="${id}"><h2>${name}</h2>
${body}</section>
`;
  }
  return html`<section class="group" id="${id}"><details class="rest"><summary><h2>${name}</h2></summary>
${body}</details></section>
`;
}

/** Renders a tag's own page, with everything about its endpoints. */
function showPart({ name, description, endpoints }: Group, canTry: boolean): Html {
  return html`${showProse(description)}
${endpoints.map((endpoint) =>
  showEndpoint(
    endpoint,
    canTry && name !== EVENTS,
    html`${showProse(endpoint.operation.description)}<div class="more">${showDetails(endpoint)}</div>`,
  ),
)}`;
}

function showSchema([name, schema]: [string, Schema]): Html {
  const id = schemaId(name);
  return html`<section class="card schema" id="${id}"><h3>${name}</h3>
${showProse(schema.description)}${showShape(schema) ?? html`<p>${showType(schema)}</p>`}</section>
`;
}

const PARTS: readonly (readonly [Parameter['in'], string])[] = [
  ['path', 'Path'],
  ['query', 'Query'],
  ['header', 'Headers'],
];

/** Renders an endpoint's section: description, a placeholder for its form, and the rest. */
function showEndpoint({ id, method, path, operation }: Endpoint, canTry: boolean, rest: Html): Html {
  return html`<section class="card endpoint" id="${id}">
<h3>${operation.summary ?? path} <a class="anchor" href="#${id}" aria-label="Link to ${operation.summary ?? path}">#</a></h3>
<p class="address"><span class="method ${method.toLowerCase()}">${method}</span> <code>${path}</code></p>
${showAccess(operation)}${canTry && html`<div class="try" data-operation="${id}"></div>`}
${rest}
</section>
`;
}

function showDetails(endpoint: Endpoint): Html {
  const { operation } = endpoint;
  return html`${PARTS.map(([part, title]) => showParameters(operation, part, title))}
${operation.requestBody && html`<h4>Body</h4>${showContent(operation.requestBody.content)}`}
${showRequest(endpoint)}<h4>Answers</h4>${Object.entries(operation.responses ?? {}).map(([status, answer]) => showAnswer(status, answer))}`;
}

/** Operations without security of their own use the document's key. */
function showAccess({ security }: Operation): Html | undefined {
  if (security === undefined) return undefined;
  const names = security.flatMap((each) => Object.keys(each));
  if (names.length === 0) return html`<p class="soft">No key is needed.</p>`;
  return html`<p class="soft">By ${names.map((name, n) => html`${n > 0 && ' or '}<code>${name}</code>`)}.</p>`;
}

function showParameters({ parameters = [] }: Operation, part: string, title: string): Html | false {
  const members = parameters
    .filter((parameter) => parameter.in === part)
    .map(({ name, schema = {}, required = false, description }) => ({
      name,
      schema,
      isRequired: required,
      description,
    }));
  return members.length > 0 && html`<h4>${title}</h4>${showMembers(members)}`;
}

function showContent(content: Content = {}): Html[] {
  return Object.entries(content).map(([type, { schema = {} }]) => {
    const shape = showShape(schema);
    return html`<p class="content"><code>${type}</code> ${showType(schema)}</p>${shape}`;
  });
}

/** Renders a response; its first line is its title. Problems share one schema, which is shown below. */
function showAnswer(status: string, { description = '', content = {}, headers = {} }: DescribedAnswer): Html {
  const [title = '', ...more] = description.split('\n');
  const own = Object.fromEntries(Object.entries(content).filter(([type]) => type !== 'application/problem+json'));
  const named = Object.entries(headers).map(([name, schema]) => ({ name, schema, isRequired: false }));
  const isProblem = Object.hasOwn(content, 'application/problem+json');
  return html`<details class="answer"><summary><code class="status s${status.slice(0, 1)}">${status}</code> ${showInline(title)}</summary>
${showProse(more.join('\n'))}${named.length > 0 && showMembers(named)}${showContent(own)}${showAnswerExample(own)}${
  isProblem && html`<p class="soft">The body is a <a href="?tag=${SCHEMAS}#schema-Problem">Problem</a>.</p>`
}</details>
`;
}

/** Renders a sample request that succeeds on the demo: its first line and body. Empty for a bare path. */
function showRequest({ method, path, operation }: Endpoint): Html | undefined {
  const { parameters = [], requestBody } = operation;
  const body = findExample(requestBody?.content);
  const line = `${method} ${exampleUrl(path, parameters)}`;
  if (body === undefined && line === `${method} ${path}`) return undefined;
  return html`<details class="example"><summary>Example request</summary><pre tabindex="0">${line}${
    body !== undefined && `\n\n${formatJson(body)}`
  }</pre></details>`;
}

/** Renders a recorded answer of the demo, with lists cut to their first entries. */
function showAnswerExample(content: Content): Html | undefined {
  const example = findExample(content);
  if (example === undefined) return undefined;
  return html`<details class="example"><summary>Example</summary><pre tabindex="0">${formatJson(example)}</pre></details>`;
}

function exampleUrl(path: string, parameters: readonly Parameter[]): string {
  let address = path;
  const query: string[] = [];
  for (const { name, in: part, example } of parameters) {
    if (example === undefined) continue;
    if (part === 'path') address = address.replace(`{${name}}`, encodeURIComponent(String(example)));
    if (part === 'query') query.push(`${name}=${readable(String(example))}`);
  }
  return query.length > 0 ? `${address}?${query.join('&')}` : address;
}

/** Placeholders keep their braces. */
const readable = (value: string) => (/^\{[a-z_]+\}$/.test(value) ? value : encodeURIComponent(value));

const findExample = (content: Content = {}): unknown =>
  content[JSON_TYPE]?.example ?? content['application/x-www-form-urlencoded']?.example;

const formatJson = (example: unknown) => JSON.stringify(example, null, 2);
