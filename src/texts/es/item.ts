import type { Words } from '../../platform/languages/words.ts';
import type { item as english } from '../en/item.ts';

export const item = {
  close: 'Cerrar',
  quantityOf: ({ name }) => `Cantidad: ${name}`,
  fewer: ({ name }) => `Uno menos: ${name}`,
  more: ({ name }) => `Uno más: ${name}`,
  required: 'Obligatorio',
  optional: 'Opcional',
  chooseOne: 'Elige 1',
  chooseExactly: ({ count }) => `Elige ${count}`,
  chooseUpTo: ({ count }) => `Elige hasta ${count}`,
  chooseBetween: ({ min, max }) => `Elige de ${min} a ${max}`,
  units: ({ min, max }) => {
    if (max === undefined) return `al menos ${min} en total`;
    if (min === max) return `${max} en total`;
    return min === 0 ? `como máximo ${max} en total` : `de ${min} a ${max} en total`;
  },
  chosen: ({ count, max }) => `${count} de ${max}`,
  missing: ({ name }) => `Elige una opción: ${name}`,
  notes: 'Instrucciones especiales',
  notesHint: 'Alergias, o cómo te gusta',
  add: ({ amount }) => `Agregar · ${amount}`,
  update: ({ amount }) => `Actualizar · ${amount}`,
  gone: 'Este artículo ya no está disponible.',
  newCart: '¿Empezar un carrito nuevo?',
  newCartWhy: ({ store }) => `Tu carrito tiene artículos de ${store}. Un carrito es de un solo lugar.`,
  startNew: 'Empezar un carrito nuevo',
  keepCart: 'Conservar mi carrito',
  about: ({ weight }) => `aprox. ${weight}`,
  perWeight: ({ price, per }) => `${price}/${per}`,
  aboutEach: ({ amount }) => `aprox. ${amount} c/u`,
} satisfies Words<typeof english>;
