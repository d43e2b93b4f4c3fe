// covers: src/ordering/money/{hold-again,move-holds,keep-hold,charge-order,settle-order}*
import { killAmidHolds } from '../../../test/faults/kill-amid-holds.ts';

await killAmidHolds(0);
