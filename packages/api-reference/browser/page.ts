import { addRequestForms } from './try.ts';

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
  target?.scrollIntoView();
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
  const textOf = new Map(sections.map((section) => [section, (section.textContent ?? '').toLowerCase()]));
  field.addEventListener('input', () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const section of sections) {
      const matches = words.every((word) => textOf.get(section)?.includes(word));
      if (matches) count += 1;
      section.hidden = !matches;
      const link = links.get(section.id);
      if (link) link.hidden = !matches;
    }
    for (const group of document.querySelectorAll<HTMLElement>('.group')) {
      group.hidden = !group.querySelector('.card:not([hidden])');
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
