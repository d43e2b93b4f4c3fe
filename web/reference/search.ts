/** Shows the endpoints whose section has every word of the search, and all of them without words. */
export function searchPage(): void {
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
