import type { Words } from '../../platform/languages/words.ts';
import type { promotion as english } from '../en/promotion.ts';

/** Titles of promotions whose owner gave none, and who pays them. */
export const promotion = {
  percent: ({ percent }: { percent: string }) => `${percent} de descuento`,
  percentUpTo: ({ percent, amount }: { percent: string; amount: string }) => `${percent} de descuento, hasta ${amount}`,
  amount: ({ amount }: { amount: string }) => `${amount} de descuento`,
  spend: ({ minimum, amount, items }) =>
    `Gasta ${minimum}${items === undefined ? '' : ` en ${items}`} y ahorra ${amount}`,
  buyGet: ({ buy, get }: { buy: string; get: string }) => `Compra ${buy} y llévate ${get} gratis`,
  buyGetPercent: ({ buy, get, percent }: { buy: string; get: string; percent: string }) =>
    `Compra ${buy} y llévate ${get} con ${percent} de descuento`,
  freeDelivery: 'Entrega gratis',
  deliveryOff: ({ amount }: { amount: string }) => `${amount} de descuento en la entrega`,
  price: ({ price }: { price: string }) => `Ahora ${price}`,
  waived: 'Monto demasiado pequeño para cobrarlo',
  minimum: ({ amount, items }) => `Compra mínima de ${amount}${items === undefined ? '' : ` en ${items}`}`,
  someItems: 'Productos seleccionados',
  modeOnly: { delivery: 'Solo a domicilio', pickup: 'Solo para recoger' },
  firstOrder: 'Solo en tu primer pedido',
  someHours: 'A ciertas horas',
  /** Under an item with a lower price. */
  listPrice: ({ price }: { price: string }) => `Precio normal ${price}`,
  paidBy: { store: 'lo paga la tienda', account: 'lo paga la aplicación', operator: 'lo paga la plataforma' },
} satisfies Words<typeof english>;
