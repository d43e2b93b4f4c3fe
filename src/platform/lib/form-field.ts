import { type Html, html } from 'doorstep/html';

/** A field of a form. An empty hint or error counts as none. */
type FormField = { id: string; label: string; hint?: string | undefined; fault?: string | false | undefined };

/** A field with its label; its hint and error are below, linked to the control by `aria`. */
export function formField({ id, label, hint, fault }: FormField, control: (aria: Html) => Html): Html {
  const described = [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(' ');
  const aria = html`${described && html` aria-describedby="${described}"`}${fault && html` aria-invalid="true"`}`;
  return html`<div class="field"><label for="${id}">${label}</label>
${control(aria)}
${hint && html`<p class="hint" id="${id}-hint">${hint}</p>`}
${fault && html`<p class="fault" id="${id}-fault">${fault}</p>`}</div>`;
}
