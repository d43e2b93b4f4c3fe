/** A second click on `Place order` sends nothing: the service would place the order once all the same. */
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

// The back button may show the page as it was left.
addEventListener('pageshow', ({ persisted }) => {
  if (!persisted || !button) return;
  isPlacing = false;
  button.removeAttribute('aria-busy');
  button.textContent = words;
});
