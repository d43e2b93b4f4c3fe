import type { Words } from '../../platform/languages/words.ts';
import type { item as english } from '../en/item.ts';

export const item = {
  close: 'Fermer',
  quantityOf: ({ name }) => `Quantité\u00a0: ${name}`,
  fewer: ({ name }) => `Un de moins\u00a0: ${name}`,
  more: ({ name }) => `Un de plus\u00a0: ${name}`,
  required: 'Obligatoire',
  optional: 'Facultatif',
  chooseOne: 'Choisissez-en 1',
  chooseExactly: ({ count }) => `Choisissez-en ${count}`,
  chooseUpTo: ({ count }) => `Choisissez-en jusqu’à ${count}`,
  chooseBetween: ({ min, max }) => `Choisissez-en de ${min} à ${max}`,
  units: ({ min, max }) => {
    if (max === undefined) return `au moins ${min} au total`;
    if (min === max) return `${max} au total`;
    return min === 0 ? `au plus ${max} au total` : `de ${min} à ${max} au total`;
  },
  chosen: ({ count, max }) => `${count} sur ${max}`,
  missing: ({ name }) => `Faites un choix\u00a0: ${name}`,
  notes: 'Instructions particulières',
  notesHint: 'Allergies, ou comment vous l’aimez',
  add: ({ amount }) => `Ajouter · ${amount}`,
  update: ({ amount }) => `Mettre à jour · ${amount}`,
  gone: 'Cet article n’est plus offert.',
  newCart: 'Commencer un nouveau panier?',
  newCartWhy: ({ store }) =>
    `Votre panier contient des articles de ${store}. Un panier ne peut venir que d’un seul établissement.`,
  startNew: 'Commencer un nouveau panier',
  keepCart: 'Garder mon panier',
  about: ({ weight }) => `environ ${weight}`,
  perWeight: ({ price, per }) => `${price}/${per}`,
  aboutEach: ({ amount }) => `environ ${amount} l’unité`,
} satisfies Words<typeof english>;
