import { pluralOf } from '../../platform/languages/grammar.ts';
import type { Words } from '../../platform/languages/words.ts';
import type { counter as english, shop as englishShop } from '../en/counter.ts';
import { shop as customers } from './shop.ts';

const plural = pluralOf('fr');

export const counter = {
  list: {
    address: 'Adresse du client',
    noLookup: 'Impossible de chercher des adresses pour l’instant. Prenez la commande pour la cueillette.',
  },
  store: {
    enterAddress: 'Entrez l’adresse du client',
    offline: 'Vous êtes hors ligne. La commande est en sécurité; les prix seront vérifiés à votre retour.',
  },
  item: { notesHint: 'Allergies, ou comment le client l’aime' },
  cart: {
    title: 'Commande',
    titleFrom: ({ store }) => `Nouvelle commande pour ${store}`,
    empty: 'Rien n’est encore commandé.',
    full: 'La commande est pleine. Modifiez-la, ou prenez le reste dans une autre commande.',
    view: ({ count }) =>
      plural(count, { one: `Voir la commande, ${count} article`, other: `Voir la commande, ${count} articles` }),
  },
  dropOff: { wantsCode: 'Exiger le NIP du client à la remise' },
} satisfies Words<typeof english>;

export const shop = {
  ...customers,
  list: { ...customers.list, ...counter.list },
  store: { ...customers.store, ...counter.store },
  item: { ...customers.item, ...counter.item },
  cart: { ...customers.cart, ...counter.cart },
  dropOff: { ...customers.dropOff, ...counter.dropOff },
} satisfies Words<typeof englishShop>;
