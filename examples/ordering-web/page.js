const WORDS = {
  'order.placed': 'Order placed',
  'order.confirmed': 'The store confirmed it',
  'order.ready': 'It’s ready',
  'order.driver_assigned': 'A driver is heading to the store',
  'order.picked_up': 'Your driver has it',
  'order.driver_nearby': 'Your driver is almost there',
  'order.completed': 'Delivered',
  'order.canceled': 'Canceled',
};
const AFTER_CHECKOUT = {
  canceled: 'Your cart is still here.',
  changed: 'Something in your cart has changed. Remove what’s gone, then check out again.',
};

const byId = (id) => document.getElementById(id);
const dollars = (cents) => (cents / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' });

function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

/** Asks the shop, which has the key; a refusal is shown in the service's words. */
async function ask(path, body, notice = byId('notice')) {
  notice.textContent = '';
  const init = body && { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  const response = await fetch(path, init);
  const answer = await response.json();
  if (response.ok) return answer;
  notice.textContent = answer.error;
  notice.scrollIntoView({ block: 'center' });
  throw new Error(answer.error);
}

function show(id) {
  byId(id).hidden = false;
  byId(id).querySelector('h2').focus();
}

/** A button for each choice, with a label and a detail. */
function buttons(choices, onChoice) {
  return choices.map((choice) => {
    const button = element(
      'button',
      { type: 'button' },
      `${choice.label} `,
      element('span', { className: 'detail' }, choice.detail),
    );
    button.addEventListener('click', () => onChoice(choice).catch(() => {}));
    return button;
  });
}

async function search() {
  const stores = await ask(`/api/stores?${new URLSearchParams({ query: byId('query').value })}`);
  const title = stores.length > 0 ? 'Delivering to you now' : 'Nobody delivers that to you right now';
  const choices = stores.map((store) => ({ ...store, label: store.name, detail: `${store.miles} miles` }));
  byId('stores').replaceChildren(element('h2', { tabIndex: -1 }, title), ...buttons(choices, showMenu));
  byId('menu').hidden = true;
  show('stores');
}

async function showMenu(store) {
  const categories = await ask(`/api/menu?${new URLSearchParams({ store_id: store._id })}`);
  const lists = categories.flatMap(({ name, items }) => {
    const choices = items.map((item) => ({ ...item, label: item.name, detail: item.formatted_price }));
    return [element('h3', {}, name), ...buttons(choices, (item) => openItem(item, store))];
  });
  byId('menu').replaceChildren(element('h2', { tabIndex: -1 }, store.name), ...lists);
  show('menu');
}

async function openItem(listed, store) {
  const path = `/api/item?${new URLSearchParams({ product_id: listed.product_id })}`;
  const item = listed.should_fetch_customizations ? await ask(path) : listed;
  byId('item-name').textContent = item.name;
  byId('item-description').textContent = item.description;
  byId('item-notice').textContent = '';
  byId('choices').reset();
  byId('customizations').replaceChildren(...item.customizations.map(fieldset));
  byId('choices').onsubmit = (event) => {
    event.preventDefault();
    addItem(item, store).catch(() => {});
  };
  byId('item').showModal();
}

/** One choice of many, or several; the choices of an option show once it is chosen. Which are required, the service says. */
function fieldset({ customization_id, name, min_choice_options: min, max_choice_options: max, options }) {
  const type = min === 1 && max === 1 ? 'radio' : 'checkbox';
  const rows = options.map((option) => {
    const input = element('input', { type, name: customization_id, value: option.option_id });
    input.defaultChecked = option.default_qty > 0;
    const price = option.price === 0 ? '' : option.formatted_price;
    const label = element('label', {}, input, ` ${option.name} `, element('span', { className: 'detail' }, price));
    return element('div', {}, label, ...option.customizations.map(fieldset));
  });
  return element('fieldset', {}, element('legend', {}, min > 0 ? `${name} (choose ${min})` : name), ...rows);
}

/** The cart is an order that the service keeps, unplaced; the page keeps its id and its lines. */
let cart = JSON.parse(sessionStorage.getItem('cart') ?? 'null');

async function addItem({ product_id, name }, store) {
  // Choices of an option that is not chosen are hidden.
  const options = [...document.querySelectorAll('#customizations :checked')].filter((input) => input.checkVisibility());
  const line = {
    label: [name, ...options.map((input) => input.parentElement.childNodes[1].textContent.trim())].join(', '),
    item: {
      product_id,
      quantity: byId('choices').elements.quantity.valueAsNumber,
      selected_options: options.map(({ value }) => ({ option_id: value })),
    },
  };
  const isSameStore = cart?.store._id === store._id;
  await saveCart(
    { store, order_id: isSameStore ? cart.order_id : undefined, lines: [...(isSameStore ? cart.lines : []), line] },
    byId('item-notice'),
  );
  byId('item').close();
  show('cart');
}

async function saveCart({ store, order_id, lines }, notice) {
  const saved = await ask('/api/cart', { order_id, items: lines.map(({ item }) => item) }, notice);
  keepCart({ store, lines, ...saved });
}

function keepCart(changed) {
  cart = changed;
  if (cart === null) sessionStorage.removeItem('cart');
  else sessionStorage.setItem('cart', JSON.stringify(cart));
  byId('cart').hidden = cart === null;
  if (cart === null) return;
  byId('cart').querySelector('h2').textContent = `Your cart from ${cart.store.name}`;
  byId('lines').replaceChildren(...cart.lines.map(cartLine));
  const amounts = Object.entries(cart.amounts).filter(([, cents]) => cents > 0);
  byId('amounts').replaceChildren(
    ...amounts.flatMap(([label, cents]) => [element('dt', {}, label), element('dd', {}, dollars(cents))]),
  );
  byId('checkout').href = cart.checkout_url;
}

function cartLine({ label, item }, nth) {
  const remove = element('button', { type: 'button', ariaLabel: `Remove ${label}` }, 'Remove');
  remove.addEventListener('click', () => {
    const lines = cart.lines.filter((_, other) => other !== nth);
    if (lines.length === 0) keepCart(null);
    else saveCart({ ...cart, lines }).catch(() => {});
  });
  return element('li', {}, `${item.quantity} × ${label} `, remove);
}

function follow(orderId) {
  show('order');
  const steps = new EventSource(`/api/orders/${orderId}/steps`);
  steps.onmessage = ({ data }) => {
    const { type, tracking_link } = JSON.parse(data);
    byId('steps').append(element('li', {}, WORDS[type] ?? type));
    byId('tracking').href = tracking_link;
    byId('tracking').hidden = false;
  };
  steps.addEventListener('end', ({ data }) => {
    byId('notice').textContent = JSON.parse(data).error ?? '';
    steps.close();
  });
}

byId('search').addEventListener('submit', (event) => {
  event.preventDefault();
  search().catch(() => {});
});
byId('close').addEventListener('click', () => byId('item').close());

/** The checkout sends its customer back with the order and how it ended. The address is no proof: the steps come from the service. */
const back = new URLSearchParams(location.search);
keepCart(back.get('status') === 'placed' ? null : cart);
if (back.get('status') === 'placed') follow(back.get('order_id'));
else byId('notice').textContent = AFTER_CHECKOUT[back.get('status')] ?? '';
