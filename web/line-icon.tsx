/** A decorative icon; the text alongside it, or the label of its button, has its meaning. */
export function LineIcon({ path, sizePx, stroke }: { path: string; sizePx: number; stroke: number }) {
  return (
    <svg viewBox="0 0 24 24" width={sizePx} height={sizePx} aria-hidden="true" focusable="false">
      <path
        d={path}
        fill="none"
        stroke="currentColor"
        stroke-width={stroke}
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </svg>
  );
}
