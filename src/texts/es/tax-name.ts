import type { Words } from '../../platform/languages/words.ts';
import type { taxName as english } from '../en/tax-name.ts';

export const taxName = {
  GST: 'GST',
  TPS: 'GST',
  HST: 'HST',
  TVH: 'HST',
  PST: 'PST',
  TVP: 'PST',
  QST: 'QST',
  TVQ: 'QST',
  RST: 'RST',
  'Sales tax': 'Impuesto sobre las ventas',
  Tax: 'Impuesto',
  'General excise tax': 'Impuesto general al consumo',
  'Gross receipts tax': 'Impuesto sobre ingresos brutos',
  'Liquor enforcement tax': 'Impuesto de control de licores',
  'Liquor tax': 'Impuesto sobre licores',
  'Meals tax': 'Impuesto sobre comidas',
  'Transaction privilege tax': 'Impuesto sobre privilegio de transacción',
} satisfies Words<typeof english>;
