/** A second click on `Place order` sends nothing. The service would place the order only once anyway. */
const form = document.querySelector<HTMLFormElement>('form[data-placing]');
const button = document.querySelector<HTMLButtonElement>('#place');
const words = button?.textContent ?? '';
let isPlacing = false;

form?.addEventListener('submit', (event) => {
  if (isPlacing) event.preventDefault();
  if (event.submitter !== button || !button) return;
  isPlacing = true;
  button.setAttribute('aria-busy', 'true');
  button.textContent = form.dataset.placing ?? words;
});

// The back button may restore the page with its button disabled.
addEventListener('pageshow', ({ persisted }) => {
  if (!persisted || !button) return;
  isPlacing = false;
  button.removeAttribute('aria-busy');
  button.textContent = words;
});
