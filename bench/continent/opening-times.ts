import type { HoursKind } from './chains.ts';
import { type Chance, pick, pickEarly } from './seeded.ts';

/** Opening and closing minutes by type of hours, most common first. */
const OPENS: Readonly<Record<HoursKind, readonly number[]>> = {
  always: [360],
  early: [360, 330, 300, 420, 390, 450, 480],
  fast: [630, 600, 660, 540, 420, 360, 570, 690],
  dinner: [660, 690, 720, 960, 1020, 630, 990, 930, 750],
  market: [420, 480, 360, 540, 450, 510, 600],
};
const CLOSES: Readonly<Record<HoursKind, readonly number[]>> = {
  always: [1380],
  early: [1200, 1260, 840, 900, 960, 1020, 1080, 1320],
  fast: [1320, 1260, 1380, 1440, 1350, 1500, 1290],
  dinner: [1260, 1320, 1290, 1350, 1380, 1440, 1530, 1560],
  market: [1260, 1320, 1200, 1380, 1140, 1080, 1440],
};
const LATER_AT_WEEKENDS = [60, 0, 30, 90, 120];
const CLOSED_DAYS = ['', '', '', '', 'Mo', 'Su', 'Tu'];
const ALWAYS = '24/7';

/** Opening hours in OpenStreetMap syntax, null if the feed has none; about ten thousand distinct values. */
export function openingTimes(kind: HoursKind, isChain: boolean, chance: Chance): string | null {
  const roll = chance();
  if (roll < (isChain ? 0.04 : 0.16)) return null;
  if (kind === 'always' && roll < 0.7) return ALWAYS;
  const from = isChain ? (OPENS[kind][0] as number) : pickEarly(OPENS[kind], chance);
  const closes = isChain ? CLOSES[kind].slice(0, 3) : CLOSES[kind];
  const to = Math.max(from + 180, pickEarly(closes, chance));
  const late = pickEarly(LATER_AT_WEEKENDS, chance);
  const sunday = pick([0, 0, 60, 120], chance);
  const closed = isChain ? '' : pick(CLOSED_DAYS, chance);
  const days = [
    `Mo-Th ${range(from, to)}`,
    `Fr-Sa ${range(from, to + late)}`,
    `Su ${range(from + sunday, Math.max(from + sunday + 120, to - sunday))}`,
  ];
  return closed === '' ? days.join('; ') : `${days.join('; ')}; ${closed} off`;
}

function range(from: number, to: number): string {
  return `${clock(from)}-${clock(to)}`;
}

function clock(minutes: number): string {
  const two = (number: number) => String(number).padStart(2, '0');
  return `${two(Math.floor(minutes / 60) % 24)}:${two(minutes % 60)}`;
}
