import { type Html, html } from '../lib/html.ts';
import type { Answer, Content, Endpoint, Operation, Parameter } from './api-document.ts';
import { showAnswerExample, showRequest } from './show-example.ts';
import { showInline, showProse } from './show-prose.ts';
import { showMembers, showShape, showType } from './show-schema.ts';

const PARTS: readonly (readonly [Parameter['in'], string])[] = [
  ['path', 'Path'],
  ['query', 'Query'],
  ['header', 'Headers'],
];

/** The section of one endpoint: what it asks, what it answers, and the place of the form that tries it. */
export function showEndpoint(endpoint: Endpoint, canTry: boolean): Html {
  const { id, method, path, operation } = endpoint;
  return html`<section class="card endpoint" id="${id}">
<h3>${operation.summary ?? path} <a class="anchor" href="#${id}" aria-label="Link to ${operation.summary ?? path}">#</a></h3>
<p class="address"><span class="method ${method.toLowerCase()}">${method}</span> <code>${path}</code></p>
${showProse(operation.description)}${showAccess(operation)}${canTry && html`<div class="try" data-operation="${id}"></div>`}
${PARTS.map(([part, title]) => showParameters(operation, part, title))}
${operation.requestBody && html`<h4>Body</h4>${showContent(operation.requestBody.content)}`}
${showRequest(endpoint)}<h4>Answers</h4>${Object.entries(operation.responses ?? {}).map(([status, answer]) => showAnswer(status, answer))}
</section>
`;
}

/** Operations without a word of their own take the key of the whole document. */
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

/** The first line of an answer is its title; problems have one schema, which stands below. */
function showAnswer(status: string, { description = '', content = {}, headers = {} }: Answer): Html {
  const [title = '', ...more] = description.split('\n');
  const own = Object.fromEntries(Object.entries(content).filter(([type]) => type !== 'application/problem+json'));
  const named = Object.entries(headers).map(([name, schema]) => ({ name, schema, isRequired: false }));
  const isProblem = Object.hasOwn(content, 'application/problem+json');
  return html`<details class="answer"><summary><code class="status s${status.slice(0, 1)}">${status}</code> ${showInline(title)}</summary>
${showProse(more.join('\n'))}${named.length > 0 && showMembers(named)}${showContent(own)}${showAnswerExample(own)}${
  isProblem && html`<p class="soft">The body is a <a href="#schema-Problem">Problem</a>.</p>`
}</details>
`;
}
