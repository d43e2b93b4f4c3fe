const WORDS = {
  'order.placed': 'The order is placed',
  'order.confirmed': 'The store has confirmed it',
  'order.ready': 'It is ready',
  'order.driver_assigned': 'A driver is on the way to the store',
  'order.picked_up': 'The driver has it',
  'order.driver_nearby': 'The driver is almost there',
  'order.completed': 'Delivered',
  'order.canceled': 'Canceled',
};

const byId = (id) => document.getElementById(id);
const dollars = (cents) => (cents / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' });

/** Asks the shop, which has the key; tells the customer what was refused. */
async function ask(path, body) {
  byId('notice').textContent = '';
  const init = body && { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  const response = await fetch(path, init);
  const answer = await response.json();
  if (response.ok) return answer;
  byId('notice').textContent = answer.error;
  byId('notice').scrollIntoView({ block: 'center' });
  throw new Error(answer.error);
}

const SECTIONS = ['stores', 'menu', 'order'];
/** The steps of the order on the page; another order closes them. */
let followed;

/** Shows a section, hides the sections after it, and takes the reader to its heading. */
function show(id) {
  for (const later of SECTIONS.slice(SECTIONS.indexOf(id))) byId(later).hidden = later !== id;
  byId(id).querySelector('h2').focus();
}

/** Shows a section with a heading and a button for each choice; a choice has a label and a detail. */
function choose(id, title, choices, onChoice) {
  const heading = document.createElement('h2');
  heading.textContent = title;
  heading.tabIndex = -1;
  const buttons = choices.map((choice) => {
    const button = document.createElement('button');
    const detail = document.createElement('span');
    button.type = 'button';
    detail.className = 'detail';
    detail.textContent = choice.detail;
    button.append(`${choice.label} `, detail);
    button.addEventListener('click', () => onChoice(choice).catch(() => {}));
    return button;
  });
  byId(id).replaceChildren(heading, ...buttons);
  show(id);
}

async function search() {
  const stores = await ask(`/api/stores?${new URLSearchParams({ query: byId('query').value })}`);
  const choices = stores.map((store) => ({ ...store, label: store.name, detail: `${store.miles} miles` }));
  choose(
    'stores',
    choices.length > 0 ? 'Who delivers to you now' : 'Nobody delivers that to you now',
    choices,
    showMenu,
  );
}

async function showMenu(store) {
  const items = await ask(`/api/menu?${new URLSearchParams({ store_id: store._id })}`);
  const choices = items.map((item) => ({ ...item, label: item.name, detail: `2 × ${item.formatted_price}` }));
  choose('menu', store.name, choices, quote);
}

async function quote(item) {
  const { order_id, final_quote } = await ask('/api/orders', { product_id: item.product_id });
  followed?.close();
  byId('total').textContent = `2 × ${item.name} with fees and tax: ${dollars(final_quote.total_with_tip)}`;
  byId('steps').replaceChildren();
  byId('tracking').hidden = true;
  byId('place').hidden = false;
  byId('place').onclick = () => place(order_id).catch(() => {});
  show('order');
}

async function place(orderId) {
  byId('place').disabled = true;
  try {
    await ask(`/api/orders/${orderId}/place`, {});
    for (const id of ['stores', 'menu', 'place']) byId(id).hidden = true;
    follow(orderId);
  } finally {
    byId('place').disabled = false;
  }
}

function follow(orderId) {
  const steps = new EventSource(`/api/orders/${orderId}/steps`);
  followed = steps;
  steps.onmessage = ({ data }) => {
    const { type, tracking_link } = JSON.parse(data);
    const line = document.createElement('li');
    line.textContent = WORDS[type] ?? type;
    byId('steps').append(line);
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
