/** A second click on `Place order` sends nothing. The service would place the order only once anyway. */
const form = document.querySelector<HTMLFormElement>('form[data-placing]');
const button = document.querySelector<HTMLButtonElement>('#place');
const words = button?.textContent ?? '';
let isPlacing = false;

form?.addEventListener('submit', (event) => {
  if (isPlacing) event.preventDefault();
  if (!event.submitter?.matches('#place, [value=wallet]')) return;
  isPlacing = true;
  if (!button) return;
  button.setAttribute('aria-busy', 'true');
  button.textContent = form.dataset.placing ?? words;
});

// The back button may restore the page with its button disabled.
addEventListener('pageshow', ({ persisted }) => {
  if (!persisted) return;
  isPlacing = false;
  if (!button) return;
  button.removeAttribute('aria-busy');
  button.textContent = words;
});

const KEPT = 'doorstep.contact';
const box = document.querySelector<HTMLInputElement>('#keep');
if (form && box) keepContact(form, box);

/** Keeps the contact info on the device where the customer wishes, and fills it in. Without storage, it cannot be checked. */
function keepContact(fields: HTMLFormElement, wish: HTMLInputElement): void {
  const inputs = [...fields.querySelectorAll<HTMLInputElement>('#name, #email, #phone')];
  try {
    const kept = new URLSearchParams(localStorage.getItem(KEPT) ?? '');
    wish.checked = kept.size > 0;
    for (const input of inputs) input.value ||= kept.get(input.id) ?? '';
  } catch {
    wish.disabled = true;
    return;
  }
  fields.addEventListener('submit', () => {
    if (wish.checked)
      localStorage.setItem(KEPT, String(new URLSearchParams(inputs.map(({ id, value }) => [id, value]))));
    else localStorage.removeItem(KEPT);
  });
}

const wallet = document.querySelector<HTMLElement>('[data-wallet]');
if (form && wallet) await showWallet(form, wallet);

/** Shows the button of the device's wallet, whose token and contact info are sent with the form. */
async function showWallet(fields: HTMLFormElement, { dataset, children: [, place] }: HTMLElement): Promise<void> {
  const { module, ...sheet } = JSON.parse(String(dataset.wallet));
  const input = (name: string) => fields.querySelector<HTMLInputElement>(`[name=${name}]`);
  const send = (token = '') => {
    input('payment_token')?.setAttribute('value', token);
    fields.requestSubmit(fields.querySelector<HTMLButtonElement>('[value=wallet]'));
  };
  const { default: mountWallet } = await import(module);
  await mountWallet(place, {
    ...sheet,
    asksFor: { name: input('name') !== null, email: input('email') !== null, phone: input('phone') !== null },
    onPress() {
      // A code that is not applied yet changes the total, and alcohol has a question first: the service says so.
      const isReady = !input('code')?.value.trim() && input('of_age')?.checked !== false;
      if (!isReady) send();
      return isReady;
    },
    onPaid({ token = '', ...contact }: Record<string, string>) {
      for (const [name, value] of Object.entries(contact)) {
        const field = input(name);
        if (field) field.value ||= value;
      }
      send(token);
    },
  });
}
