import type { StoreOrder } from '../../src/offers/present-store-order.ts';
import { CancelDialog } from './cancel-dialog.tsx';
import { DriverDialog } from './driver-dialog.tsx';
import { MissingDialog } from './item-dialog.tsx';
import { PrintDialog } from './print-dialog.tsx';
import type { Desk, Steps } from './use-step.ts';

export type DialogName = 'cancel' | 'driver' | 'item' | 'print';
type Props = { desk: Desk; order: StoreOrder; steps: Steps; name: DialogName | undefined; close: () => void };

/** The dialog that is open for an order, one at a time. */
export function OrderDialog({ name, ...props }: Props) {
  if (name === 'cancel') return <CancelDialog {...props} />;
  if (name === 'driver') return <DriverDialog {...props} />;
  if (name === 'item') return <MissingDialog {...props} />;
  return name === 'print' ? <PrintDialog {...props} /> : null;
}
