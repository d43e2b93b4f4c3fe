import { type Html, html, markupOf } from '../lib/html.ts';
import { type ApiDocument, type Endpoint, endpointsOf, type Schema, webhooksOf } from './api-document.ts';
import { showEndpoint } from './show-endpoint.ts';
import { showProse } from './show-prose.ts';
import { schemaId, showShape, showType } from './show-schema.ts';

/** Names of the page's files, relative to the page. */
export type ReferencePaths = { script: string; style: string; icon: string };

/** Events are calls to an app. Every other tag is of a store, a driver, an operator or a page: closed until it is opened. */
const OF_APPS = new Set([
  'Stores',
  'Places',
  'Products',
  'Inventory',
  'Payment methods',
  'Orders',
  'Account',
  'Webhooks',
  'Events',
  'Sandbox',
  'Agents',
]);

type Group = { name: string; description: string | undefined; endpoints: Endpoint[] };

/**
 * The reference of an OpenAPI document as one page, readable without scripts. `canTry` gives each endpoint a form that sends
 * requests to the service of the page.
 */
export function referencePage(document: ApiDocument, paths: ReferencePaths, canTry: boolean): string {
  const { info, components } = document;
  const groups = groupsOf(document);
  const schemas = Object.entries(components?.schemas ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  return markupOf(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${info.title} reference</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="${info.summary ?? info.title}">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="${paths.icon}">
<link rel="stylesheet" href="${paths.style}">
<script type="module" src="${paths.script}"></script>
</head>
<body>
<a class="skip" href="#main">Skip to the reference</a>
<header><span class="brand">${info.title}</span> <span class="version">${info.version}</span> <a class="docs" href="../docs/">Documents</a>${canTry && showKey()}</header>
<div class="frame">
${showNavigation(groups, schemas.length > 0)}
<main id="main" tabindex="-1">
<section class="intro"><h1>${info.title} reference</h1>${info.summary && html`<p class="lead">${info.summary}</p>`}
${showProse(info.description)}
<p><a href="../openapi.json">openapi.json</a> is the same description for programs.</p></section>
<p class="soft" id="found" role="status"></p>
${groups.map((group) => showGroup(group, canTry))}
${schemas.length > 0 && html`<section class="group" id="schemas"><details class="rest"><summary><h2>Schemas</h2></summary>${schemas.map(showSchema)}</details></section>`}
</main>
</div>
</body>
</html>
`);
}

/** Hidden by the styles where no script runs: a key is of use to requests of the page alone. */
function showKey(): Html {
  return html`<label class="key">Your key <input id="key" type="text" autocomplete="off" spellcheck="false" placeholder="ds_test_…"></label>`;
}

/** The tags of apps, then the others, in their sequence, each with its endpoints; webhooks are a group of their own. */
function groupsOf(document: ApiDocument): Group[] {
  const endpoints = endpointsOf(document);
  const groups = (document.tags ?? []).map(({ name, description }) => ({
    name,
    description,
    endpoints: endpoints.filter(({ operation }) => operation.tags?.[0] === name),
  }));
  const events = {
    name: 'Events',
    description: 'What the service sends to your endpoint.',
    endpoints: webhooksOf(document),
  };
  const all = [...groups, events].filter((group) => group.endpoints.length > 0);
  return [...all.filter(({ name }) => OF_APPS.has(name)), ...all.filter(({ name }) => !OF_APPS.has(name))];
}

const groupId = (name: string) => `tag-${name.replace(/\W+/g, '-')}`;

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

function showGroup({ name, description, endpoints }: Group, canTry: boolean): Html {
  const id = groupId(name);
  const isEvent = name === 'Events';
  const body = html`${showProse(description)}
${endpoints.map((endpoint) => showEndpoint(endpoint, canTry && !isEvent))}`;
  if (OF_APPS.has(name)) {
    return html`<section class="group" id="${id}"><h2>${name}</h2>
${body}</section>
`;
  }
  return html`<section class="group" id="${id}"><details class="rest"><summary><h2>${name}</h2></summary>
${body}</details></section>
`;
}

function showSchema([name, schema]: [string, Schema]): Html {
  const id = schemaId(name);
  return html`<section class="card schema" id="${id}"><h3>${name}</h3>
${showProse(schema.description)}${showShape(schema) ?? html`<p>${showType(schema)}</p>`}</section>
`;
}
