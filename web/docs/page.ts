import type { Search, SearchResult } from './search.ts';

/** Maximum search results, as many as a screen shows. */
const MAX_RESULTS = 12;
const COPIED_MS = 2000;

const box = document.querySelector<HTMLElement>('search');
const field = document.querySelector<HTMLInputElement>('#site-search');
const list = document.querySelector<HTMLElement>('#site-results');
const count = document.querySelector<HTMLElement>('#site-count');

let opening: Promise<Search> | undefined;

/** Loads the search index when the reader is about to search. */
function openSearch(): Promise<Search> {
  const { script = '', index = '' } = box?.dataset ?? {};
  const addressOf = (path: string) => new URL(path, location.href).href;
  opening ??= import(addressOf(script)).then(({ loadSearch }) => loadSearch(addressOf(index)));
  opening.catch(() => {
    opening = undefined;
  });
  return opening;
}

async function showResults(): Promise<void> {
  const query = field?.value.trim() ?? '';
  if (query === '') return hideResults();
  const search = await openSearch();
  if (field?.value.trim() !== query) return;
  const found = search(query).slice(0, MAX_RESULTS);
  list?.replaceChildren(...found.map(itemOf));
  if (list) list.hidden = found.length === 0;
  if (count) count.textContent = found.length === 0 ? 'Nothing found' : `${found.length} results`;
  box?.classList.toggle('empty', found.length === 0);
}

function hideResults(): void {
  if (list) list.hidden = true;
  if (count) count.textContent = '';
  box?.classList.remove('empty');
}

function itemOf({ page, anchor, title, heading, excerpt }: SearchResult): HTMLElement {
  const link = document.createElement('a');
  link.href = `${box?.dataset.root}${page}#${anchor}`;
  link.append(partOf('strong', heading), partOf('span', heading === title ? '' : title), partOf('small', excerpt));
  const item = document.createElement('li');
  item.append(link);
  return item;
}

function partOf(name: string, text: string): HTMLElement {
  const part = document.createElement(name);
  part.textContent = text;
  return part;
}

/** Arrow keys move between the field and the results; Escape closes them and focuses the field. */
function moveFocus(event: KeyboardEvent): void {
  if (event.key === 'Escape') {
    hideResults();
    field?.focus();
  }
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  const stops: (HTMLElement | null)[] = [field, ...(list?.querySelectorAll('a') ?? [])];
  const at = stops.findIndex((stop) => stop?.matches(':focus'));
  const next = stops[at + (event.key === 'ArrowDown' ? 1 : -1)];
  if (at < 0 || !next) return;
  event.preventDefault();
  next.focus();
}

field?.addEventListener('focus', () => void openSearch().catch(() => undefined));
field?.addEventListener('input', () => void showResults().catch(() => undefined));
box?.addEventListener('keydown', moveFocus);
box?.addEventListener('focusout', ({ relatedTarget }) => {
  if (relatedTarget instanceof Node && !box.contains(relatedTarget)) hideResults();
});
list?.addEventListener('click', hideResults);
document.addEventListener('keydown', (event) => {
  const isTyping = event.target instanceof HTMLInputElement;
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  field?.focus();
});

/** Follows an earlier address to its section: browsers keep the anchor of a redirect, which a server never sees. */
function followMoved(): void {
  const anchor = location.hash.slice(1);
  const main = document.querySelector('main');
  if (anchor === '' || document.getElementById(anchor)) return;
  const moved: [anchor: string, to: string][] = JSON.parse(main?.dataset.moved ?? '[]');
  const found = moved.find(([from]) => anchor === from || (from.endsWith('-') && anchor.startsWith(from)));
  if (found) location.replace(`${box?.dataset.root}${found[1]}${anchor.slice(found[0].length)}`);
}

followMoved();
for (const code of document.querySelectorAll<HTMLElement>('.code')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(code.querySelector('code')?.textContent ?? '');
    button.textContent = 'Copied';
    setTimeout(() => {
      button.textContent = 'Copy';
    }, COPIED_MS);
  });
  // Without HTTPS, browsers offer the clipboard only on this machine.
  if (navigator.clipboard) code.append(button);
}
