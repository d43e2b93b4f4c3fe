import { pluralOf } from '../../platform/languages/grammar.ts';
import type { Words } from '../../platform/languages/words.ts';
import type { counter as english, shop as englishShop } from '../en/counter.ts';
import { shop as customers } from './shop.ts';

const plural = pluralOf('es');

export const counter = {
  list: {
    address: 'Dirección del cliente',
    noLookup: 'No se pueden buscar direcciones por ahora. Toma el pedido para recoger.',
  },
  store: {
    enterAddress: 'Escribe la dirección del cliente',
    offline: 'No tienes conexión. El pedido está a salvo; revisaremos los precios cuando vuelvas.',
  },
  item: { notesHint: 'Alergias, o cómo le gusta al cliente' },
  cart: {
    title: 'Pedido',
    titleFrom: ({ store }) => `Nuevo pedido para ${store}`,
    empty: 'Todavía no hay nada en el pedido.',
    full: 'El pedido está lleno. Cambia algo o toma el resto en otro pedido.',
    view: ({ count }) => plural(count, { one: 'Ver pedido, 1 artículo', other: `Ver pedido, ${count} artículos` }),
  },
  dropOff: { wantsCode: 'Pedir el PIN del cliente al entregar' },
} satisfies Words<typeof english>;

export const shop = {
  ...customers,
  list: { ...customers.list, ...counter.list },
  store: { ...customers.store, ...counter.store },
  item: { ...customers.item, ...counter.item },
  cart: { ...customers.cart, ...counter.cart },
  dropOff: { ...customers.dropOff, ...counter.dropOff },
} satisfies Words<typeof englishShop>;
