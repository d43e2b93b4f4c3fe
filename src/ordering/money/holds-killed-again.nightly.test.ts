import { killAmidHolds } from '../../../test/faults/kill-amid-holds.ts';

await killAmidHolds(100);
