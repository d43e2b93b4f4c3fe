import { brandColors, type SchemeColors } from './brand-colors.ts';

/**
 * How an account's pages look: its color, corners and fonts as CSS custom properties that replace web/tokens.css. The
 * fonts are in web/fonts, up to 40 KB a pair.
 */

export const CORNERS = ['soft', 'square', 'round'] as const;
export type Corners = (typeof CORNERS)[number];
/** `--radius`; `soft` is the service's own. */
const RADIUS: Readonly<Record<Corners, string>> = { soft: '12px', square: '3px', round: '20px' };

export const FONTS = ['system', 'modern', 'classic', 'friendly', 'market'] as const;
export type Font = (typeof FONTS)[number];
type Pair = { heading: string; body: string; fallback: string };
const PAIRS: Readonly<Record<Exclude<Font, 'system'>, Pair>> = {
  modern: { heading: 'Outfit', body: 'DM Sans', fallback: 'sans-serif' },
  classic: { heading: 'Lora', body: 'Figtree', fallback: 'serif' },
  friendly: { heading: 'Nunito', body: 'Nunito', fallback: 'sans-serif' },
  market: { heading: 'Bitter', body: 'Figtree', fallback: 'serif' },
};

export type Look = { color: string | null; corners: Corners; font: Font };

/** The files of a pair, such as `dm-sans-400`: the body in two weights, the heading in bold. */
function fontFaces(font: Font): { family: string; weight: 400 | 700; file: string }[] {
  if (font === 'system') return [];
  const { heading, body } = PAIRS[font];
  const face = (family: string, weight: 400 | 700) => {
    return { family, weight, file: `${family.toLowerCase().replaceAll(' ', '-')}-${weight}` };
  };
  return [...(heading === body ? [] : [face(heading, 700)]), face(body, 400), face(body, 700)];
}

export const FONT_FILES: readonly string[] = [
  ...new Set(FONTS.flatMap((font) => fontFaces(font).map(({ file }) => file))),
];

/** A look as the name of its style sheet, such as `7a1fa2-round-classic`; undefined for the service's own look. */
export function lookName({ color, corners, font }: Look): string | undefined {
  const parts = [corners !== 'soft' && corners, font !== 'system' && font].filter((part) => part !== false);
  return color === null && parts.length === 0 ? undefined : [color?.slice(1) ?? 'plain', ...parts].join('-');
}

const MAX_LOOK_NAME = 40;

/** Reads what `lookName` writes; undefined for anything else. */
export function parseLookName(name: string): Look | undefined {
  if (name.length > MAX_LOOK_NAME) return undefined;
  const [, color, one, other] = /^([0-9a-f]{6}|plain)(?:-([a-z]+))?(?:-([a-z]+))?$/.exec(name) ?? [];
  const look: Look = {
    color: color === undefined || color === 'plain' ? null : `#${color}`,
    corners: CORNERS.find((corners) => corners === one) ?? 'soft',
    font: FONTS.find((font) => font === (other ?? one)) ?? 'system',
  };
  return lookName(look) === name ? look : undefined;
}

/** The custom properties of a look, in light and in dark. `dark` are the different ones. */
export function lookProperties({ color, corners, font }: Look): Record<'light' | 'dark', Record<string, string>> {
  const shape = {
    ...(corners !== 'soft' && { '--radius': RADIUS[corners] }),
    ...(font !== 'system' && {
      '--sans': `"${PAIRS[font].body}",system-ui,sans-serif`,
      '--heading': `"${PAIRS[font].heading}",${PAIRS[font].fallback}`,
    }),
  };
  if (color === null) return { light: shape, dark: {} };
  const { button, onButton, light, dark } = brandColors(color);
  return {
    light: { ...schemeProperties(light), '--button': button, '--on-button': onButton, ...shape },
    dark: schemeProperties(dark),
  };
}

const schemeProperties = ({ accent, onAccent, tint }: SchemeColors) => ({
  '--accent': accent,
  '--on-accent': onAccent,
  '--tint': tint,
});

/** The style sheet of a look. `urlOf` is the URL of a font's file. */
export function lookStyle(look: Look, urlOf: (file: string) => string): string {
  const { light, dark } = lookProperties(look);
  const faces = fontFaces(look.font).map(
    ({ family, weight, file }) =>
      `@font-face{font-family:"${family}";font-weight:${weight};font-display:swap;src:url(${urlOf(file)}) format("woff2")}\n`,
  );
  const inDark = Object.keys(dark).length > 0 ? `@media (prefers-color-scheme:dark){:root{${written(dark)};}}\n` : '';
  return `${faces.join('')}:root{${written(light)}}\n${inDark}`;
}

const written = (properties: Readonly<Record<string, string>>) =>
  Object.entries(properties)
    .map(([name, value]) => `${name}:${value}`)
    .join(';');
