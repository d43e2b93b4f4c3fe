import { useRef, useState } from 'preact/hooks';
import { menu as say } from '../../src/texts/en/store.ts';
import { moved } from './menu-editing.ts';

/** Rows that are sorted by dragging their handles, or by the arrow keys on them. */
export function useSorting<T>(list: readonly T[], sort: (sorted: readonly T[]) => void) {
  // The rows stay where they are until the end, because an element that moves in the document loses its pointer.
  const [drag, setDrag] = useState<{ from: number; to: number } | undefined>();
  const rows = useRef<HTMLUListElement>(null);
  function move(from: number, to: number): void {
    if (to >= 0 && to < list.length && to !== from) sort(moved(list, from, to));
  }
  /** The row under the pointer. */
  function rowAt(y: number): number {
    const boxes = [...(rows.current?.children ?? [])].slice(0, list.length).map((row) => row.getBoundingClientRect());
    const at = boxes.findIndex(({ bottom }) => y < bottom);
    return at < 0 ? boxes.length - 1 : at;
  }
  return {
    rows,
    /** Marks the dragged row, and the edge where it would go. */
    markOf(at: number): string {
      if (drag?.from === at) return 'dragged';
      if (drag?.to !== at) return '';
      return drag.to < drag.from ? 'drop-above' : 'drop-below';
    },
    handle: (at: number) => ({
      move: (step: number) => move(at, at + step),
      drag(y: number, isEnd: boolean) {
        setDrag(isEnd ? undefined : { from: at, to: rowAt(y) });
        if (isEnd) move(at, rowAt(y));
      },
    }),
  };
}

type HandleProps = { label: string; move: (step: number) => void; drag?: (y: number, isEnd: boolean) => void };

export function Handle({ label, move, drag }: HandleProps) {
  const dragTo = (event: PointerEvent & { currentTarget: HTMLElement }, isEnd: boolean) => {
    if (event.currentTarget.hasPointerCapture(event.pointerId)) drag?.(event.clientY, isEnd);
  };
  return (
    <button
      type="button"
      class="menu-handle"
      aria-label={label}
      title={say.moveHint}
      onKeyDown={(event) => {
        const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
        if (step === undefined) return;
        event.preventDefault();
        move(step);
      }}
      onPointerDown={(event) => drag && event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={(event) => dragTo(event, false)}
      onPointerUp={(event) => dragTo(event, true)}
    >
      <span aria-hidden="true">⠿</span>
    </button>
  );
}
