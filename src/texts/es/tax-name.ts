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
  'Sales tax on alcohol': 'Impuesto sobre las ventas de alcohol',
  'Sales tax on food': 'Impuesto sobre las ventas de alimentos',
  'Sales tax on groceries': 'Impuesto sobre las ventas de comestibles',
  'Sales tax on meals': 'Impuesto sobre las ventas de comidas',
  'Sales tax on soft drinks': 'Impuesto sobre las ventas de refrescos',
  'General excise tax': 'Impuesto general al consumo',
  'Gross receipts tax': 'Impuesto sobre ingresos brutos',
  'Liquor enforcement tax': 'Impuesto de control de licores',
  'Liquor tax': 'Impuesto sobre licores',
  'Meals tax': 'Impuesto sobre comidas',
  'PST on alcohol': 'PST sobre alcohol',
  'Transaction privilege tax': 'Impuesto sobre privilegio de transacción',
} satisfies Words<typeof english>;
