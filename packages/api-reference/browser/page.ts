import { endpointsOf, webhooksOf } from '../api-document.ts';
import { addRequestForms, readDocument } from './try.ts';

searchPage();
addRequestForms(keyOf());
// Scrolls to the anchor again, because the sections above it may have grown.
showTarget();
addEventListener('hashchange', showTarget);

/** Opens the collapsed group that contains the target. */
function showTarget(): void {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const rest =
    target?.closest<HTMLDetailsElement>('.rest') ?? target?.querySelector<HTMLDetailsElement>(':scope > .rest');
  if (rest) rest.open = true;
  const more = target?.querySelector<HTMLDetailsElement>(':scope > details.more');
  if (more) more.open = true;
  target?.scrollIntoView();
}

/** The pages of tags, by address, read when one of their endpoints is opened. */
const parts = new Map<string, Promise<Document>>();

// The event does not bubble.
addEventListener(
  'toggle',
  ({ target }) => {
    if (target instanceof HTMLDetailsElement && target.matches('.more')) void fill(target).catch(() => undefined);
  },
  true,
);

/** Replaces the link of an opened endpoint with its fields and answers. On failure the link stays. */
async function fill(more: HTMLDetailsElement): Promise<void> {
  const link = more.querySelector<HTMLAnchorElement>(':scope > p > a');
  if (!link) return;
  const address = link.pathname + link.search;
  const reading = parts.get(address) ?? readPart(address);
  parts.set(address, reading);
  reading.catch(() => parts.delete(address));
  const whole = (await reading).getElementById(link.hash.slice(1));
  const nodes = [...(whole?.children ?? [])].filter((child) => !child.matches('h3, .address, .try, h3 ~ .soft'));
  if (nodes.length > 0) link.parentElement?.replaceWith(...nodes.map((node) => document.importNode(node, true)));
}

async function readPart(address: string): Promise<Document> {
  const reply = await fetch(address);
  if (!reply.ok) throw new Error(`${address}: ${reply.status}`);
  return new DOMParser().parseFromString(await reply.text(), 'text/html');
}

/** The words of all sections, by id, in lower case. */
async function readTexts(): Promise<Map<string, string>> {
  const described = await readDocument();
  const schemas = Object.entries(described.components?.schemas ?? {});
  const sections = [
    ...[...endpointsOf(described), ...webhooksOf(described)].map((each) => [each.id, JSON.stringify(each)] as const),
    ...schemas.map(([name, schema]) => [`schema-${name}`, name + JSON.stringify(schema)] as const),
  ];
  return new Map(sections.map(([id, text]) => [id, text.toLowerCase()]));
}

const STORAGE_KEY = 'doorstep-reference-key';

/**
 * The key for requests of the page: the field's text, or the key in the URL's fragment (`#key=ds_test_…`, as printed by
 * the demo). A fragment is sent to no server, and is removed from the URL at once.
 */
function keyOf(): () => string {
  const field = document.querySelector<HTMLInputElement>('#key');
  if (!field) return () => '';
  const [, brought] = /^#key=([\w-]+)$/.exec(location.hash) ?? [];
  if (brought !== undefined) history.replaceState(null, '', location.pathname);
  field.value = brought ?? sessionStorage.getItem(STORAGE_KEY) ?? '';
  const keep = () => sessionStorage.setItem(STORAGE_KEY, field.value.trim());
  keep();
  field.addEventListener('input', keep);
  return () => field.value.trim();
}

/** Shows the endpoints whose section has every word of the search; all of them without words. */
function searchPage(): void {
  const field = document.querySelector<HTMLInputElement>('#search');
  const found = document.querySelector<HTMLElement>('#found');
  if (!field || !found) return;
  const sections = [...document.querySelectorAll<HTMLElement>('.endpoint, .schema')];
  const links = new Map([...document.querySelectorAll<HTMLElement>('nav li')].map((item) => [item.dataset.for, item]));
  field.addEventListener('input', async () => {
    const texts = await readTexts();
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const section of sections) {
      const matches = words.every((word) => texts.get(section.id)?.includes(word));
      if (matches) count += 1;
      section.hidden = !matches;
      const link = links.get(section.id);
      if (link) link.hidden = !matches;
    }
    for (const group of document.querySelectorAll<HTMLElement>('.group')) {
      group.hidden = !group.querySelector('.endpoint:not([hidden]), .schema:not([hidden])');
      const rest = group.querySelector<HTMLDetailsElement>('.rest');
      if (rest) rest.open = words.length > 0;
    }
    for (const group of document.querySelectorAll<HTMLDetailsElement>('nav details')) {
      group.hidden = !group.querySelector('li:not([hidden])');
      group.open = words.length > 0;
    }
    found.textContent = words.length > 0 ? `${count} of ${sections.length} sections have these words.` : '';
  });
}
