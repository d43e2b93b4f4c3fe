import { form as words } from '../src/texts/en/form.ts';

/*
 * The effect of a refused press, the same on every page: all wrong fields are marked and named alongside the button,
 * and the first one has the focus. A field is wrong by the browser's constraint validation, by `aria-invalid`, or, for
 * a group of choices, by `data-wrong`.
 */

const WRONG = ':is(input, select, textarea):invalid, [aria-invalid=true], [data-wrong]';
const MARKED = 'data-marked';
/** The attributes of a marked field. */
export const MARKS = / data-marked="" aria-invalid="true"/g;

/** The last refused press. */
let refused: { scope: HTMLElement; button: Element | undefined } | undefined;

/** Shows invalid fields in a form or a part of the page; true if there are none. */
export function isRight(scope: HTMLElement, button: Element | undefined = buttonOf(scope)): boolean {
  refused = { scope, button };
  const [first] = mark(scope, button);
  const target = first?.matches('fieldset') ? first.querySelector<HTMLElement>('input') : first;
  target?.focus({ preventScroll: true });
  target?.scrollIntoView({ block: 'center' });
  return first === undefined;
}

/** Follows all forms of the page, refused and corrected ones alike. */
export function watchForms(): void {
  document.addEventListener(
    'invalid',
    (event) => {
      // The browser's own bubble names one field, in the browser's language.
      event.preventDefault();
      const form = event.target instanceof Element && event.target.closest('form');
      if (form) isRight(form);
    },
    true,
  );
  const follow = ({ target }: Event) => {
    const { scope, button } = refused ?? {};
    // After the page has taken the entry.
    if (target instanceof Node && scope?.contains(target)) setTimeout(() => mark(scope, button));
  };
  for (const entry of ['input', 'change']) document.addEventListener(entry, follow);
}

/** Marks and names the wrong fields, and no others. */
function mark(scope: HTMLElement, button: Element | undefined): readonly HTMLElement[] {
  for (const field of scope.querySelectorAll(`[${MARKED}]`)) {
    if (field.getAttribute(MARKED) === '') field.removeAttribute('aria-invalid');
    field.removeAttribute(MARKED);
  }
  const wrong = [...scope.querySelectorAll<HTMLElement>(WRONG)];
  for (const field of wrong) {
    field.setAttribute(MARKED, field.ariaInvalid === 'true' ? 'own' : '');
    if (!field.matches('fieldset')) field.setAttribute('aria-invalid', 'true');
  }
  const fields = [...new Set(wrong.map(nameOf))].join(', ');
  const note = button && noteBefore(button.closest('.buttons, .pair') ?? button);
  if (note) note.textContent = fields && words.check({ fields });
  return wrong;
}

function buttonOf(scope: HTMLElement): Element | undefined {
  const elements = scope instanceof HTMLFormElement ? [...scope.elements] : [];
  return elements.findLast((element) => element instanceof HTMLButtonElement && element.type === 'submit');
}

function noteBefore(place: Element): Element {
  const before = place.previousElementSibling;
  if (before?.matches('.wrong-fields')) return before;
  const note = document.createElement('p');
  note.className = 'wrong-fields';
  note.role = 'alert';
  place.before(note);
  return note;
}

/** A field's name: its `aria-label`, otherwise the first words of its label or legend. */
function nameOf(field: HTMLElement): string {
  const label = 'labels' in field ? (field as HTMLInputElement).labels?.[0] : field.querySelector('legend');
  const texts = label ? document.createTreeWalker(label, NodeFilter.SHOW_TEXT) : undefined;
  for (let text = texts?.nextNode(); text; text = texts?.nextNode()) {
    if (text.textContent?.trim()) return field.ariaLabel ?? text.textContent.trim();
  }
  return field.ariaLabel ?? '';
}
