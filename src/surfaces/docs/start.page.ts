import { type Html, html, htmlDocument } from 'doorstep/html';

export type StartPage = {
  version: string;
  baseUrl: string;
  /** Whether the documents and the reference are on this port. */
  hasDocs: boolean;
  /** Whether the service's own host has a shop, as the demo does. */
  hasShop: boolean;
  /** File names relative to the page. */
  files: { style: string; icon: string };
};

const DOCS: readonly Link[] = [
  ['docs/tutorial', 'Tutorial', 'From a key to a delivered order, in ten minutes.'],
  ['docs/', 'Documentation', 'Guides for apps, stores and operators, with search.'],
  ['reference/', 'API reference', 'Every endpoint, with a form that sends requests.'],
];
const EVERYWHERE: readonly Link[] = [
  ['openapi.json', 'OpenAPI', 'The same reference, for programs.'],
  ['llms.txt', 'Agents', 'For language models; the MCP server is at /mcp.'],
];
const PEOPLE: readonly Link[] = [
  ['console', 'Store console', 'Confirm, prepare and hand off orders.'],
  ['console/operator', 'Operator dashboard', "Orders, accounts, stores and the service's health."],
];

const ORDER_DINNER = html`<section>
<h2>Order dinner</h2>
${showLinks([['shop', 'The shop', 'Web pages where customers order: try the demo’s stores.']])}
</section>`;

type Link = readonly [path: string, name: string, what: string];

/** Renders the page at the API's root. */
export function startPage({ version, baseUrl, hasDocs, hasShop, files }: StartPage): string {
  return htmlDocument({
    title: 'Doorstep',
    head: html`<meta name="description" content="An ordering API: find stores, quote, order, pay and track the order to the door.">
<link rel="icon" href="${files.icon}">
<link rel="stylesheet" href="${files.style}">`,
    body: html`<main>
<h1>Doorstep <span class="version">${version}</span></h1>
<p class="lead">An ordering API: find nearby stores, quote and place orders, and track them to the door.</p>
${hasShop && ORDER_DINNER}
<section>
<h2>Get an API key</h2>
<p>The demo prints a sandbox key when it starts. On a server, the operator creates one:</p>
<pre tabindex="0" role="region" aria-label="Commands that create a key">npx doorstep accounts create "My app"
npx doorstep keys create --account &lt;account_id&gt;</pre>
</section>
<section>
<h2>Send a first request</h2>
<pre tabindex="0" role="region" aria-label="A first request">curl -H 'Id-Token: ds_test_…' \\
  '${baseUrl}/search/store/v3?latitude=41.8827&amp;longitude=-87.6493&amp;open=true&amp;maximum_miles=5'</pre>
</section>
<section>
<h2>Build an app</h2>
${showLinks(hasDocs ? [...DOCS, ...EVERYWHERE] : EVERYWHERE)}
</section>
<section>
<h2>Run stores</h2>
${showLinks(PEOPLE)}
</section>
</main>`,
  });
}

function showLinks(links: readonly Link[]): Html {
  return html`<ul class="pages">${links.map(
    ([path, name, what]) => html`<li><a href="${path}"><strong>${name}</strong>${what}</a></li>\n`,
  )}</ul>`;
}
