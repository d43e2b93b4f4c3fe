import { brandColors, type SchemeColors } from '../accounts/brand-colors.ts';

/** The custom properties by which a brand's colour reaches the styles of web/tracking. `color` is `#rrggbb`. */
export function brandStyle(color: string): string {
  const { button, onButton, light, dark } = brandColors(color);
  return `:root{${schemeStyle(light)}--button:${button};--on-button:${onButton}}
@media (prefers-color-scheme:dark){:root{${schemeStyle(dark)}}}
`;
}

function schemeStyle({ accent, onAccent, tint }: SchemeColors): string {
  return `--accent:${accent};--on-accent:${onAccent};--tint:${tint};`;
}
