/* Updates of customers' and drivers' open pages: parts that the service renders, states, and news. */

/** Replaces an element by new markup, unless `prepare` refuses; entries stay, and a focused element keeps the focus. */
export function replaceElement(
  old: HTMLElement,
  markup: string,
  prepare: (next: HTMLTemplateElement) => boolean,
): void {
  const template = document.createElement('template');
  template.innerHTML = markup;
  if (!prepare(template)) return;
  for (const { id, type, value, checked } of old.querySelectorAll('input')) {
    const field = type === 'file' || !id ? null : template.content.querySelector<HTMLInputElement>(`#${id}`);
    if (field) Object.assign(field, { value, checked });
  }
  const focused = old.contains(document.activeElement) ? document.activeElement?.id : '';
  old.replaceWith(template.content);
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
}

/** Announces a change of the headline once to screen readers; returns the headline. */
export function announce(): string {
  const headline = document.getElementById('headline')?.textContent ?? '';
  const news = `${headline}. ${document.querySelector('.detail')?.textContent ?? ''}`;
  const status = document.getElementById('announcement');
  if (status && status.dataset.announced !== news) {
    if (status.dataset.announced) status.textContent = news;
    status.dataset.announced = news;
  }
  return headline;
}

/** Shows a state in words, and in color by its name. */
export function showState<State extends string>(
  id: string,
  words: Readonly<Record<State, string>>,
  state: State,
): void {
  const element = document.getElementById(id);
  if (!element || element.dataset.state === state) return;
  element.dataset.state = state;
  element.textContent = words[state];
}
