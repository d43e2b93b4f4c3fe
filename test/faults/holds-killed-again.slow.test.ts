import { killAmidHolds } from './kill-amid-holds.ts';

await killAmidHolds(100);
