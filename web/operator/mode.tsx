import { useEffect, useState } from 'preact/hooks';
import { keep, readStored } from '../console/local-storage.ts';
import { Select } from '../field.tsx';
import type { Reading } from '../use-read.ts';
import { Empty } from './parts.tsx';
import { countInWords } from './words.ts';

type Mode = 'live' | 'sandbox';

const KEPT = 'operator-mode';
const modeOf = (text: string | null): Mode | undefined => (text === 'live' || text === 'sandbox' ? text : undefined);
const otherOf = (mode: Mode): Mode => (mode === 'live' ? 'sandbox' : 'live');

/** Loads a view in the mode of its address, otherwise the last chosen mode, otherwise the mode with orders. */
export function useByMode<T extends { other_mode_orders: number | null }>(
  query: URLSearchParams,
  load: (requested: Readonly<Record<string, string>>) => Reading<T>,
): Reading<T> & { mode: Mode; others: number } {
  const requested = modeOf(query.get('mode'));
  const [found, setFound] = useState<Mode>('live');
  useEffect(() => {
    if (requested) keep(KEPT, requested);
  }, [requested]);
  const chosen = requested ?? modeOf(readStored(KEPT, null));
  const mode = chosen ?? found;
  const state = load({ ...Object.fromEntries(query), mode });
  const others = state.data?.other_mode_orders ?? 0;
  useEffect(() => {
    if (others > 0 && chosen === undefined) setFound(otherOf(mode));
  }, [others]);
  return { ...state, mode, others };
}

export function ModeField({ mode }: { mode: Mode }) {
  return (
    <Select label="Mode" name="mode" value={mode} options={(['live', 'sandbox'] as const).map((one) => [one, one])} />
  );
}

type OtherModeProps = { tab: string; query: URLSearchParams; mode: Mode; others: number };

/** Says that the other mode has orders where this one has none. */
export function OtherMode({ tab, query, mode, others }: OtherModeProps) {
  if (others === 0) return null;
  const other = otherOf(mode);
  const link = new URLSearchParams([...query].filter(([name]) => name !== 'mode'));
  link.set('mode', other);
  const count = others === 1000 ? '1,000 or more' : countInWords(others, 'order');
  return (
    <Empty>
      <a href={`#/${tab}?${link}`}>
        {count} {other === 'live' ? 'are live' : 'in the sandbox'}
      </a>
    </Empty>
  );
}
