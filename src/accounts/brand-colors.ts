import { type HexColor, mix, readableOn, textOn } from '../lib/contrast.ts';

/** The colours of an account without one of its own: those of the service. */
export const DEFAULT_COLOR: HexColor = '#0b6b4a';

/** The surfaces that accents lie on: the cards and the ground of pages and mails. */
type Surfaces = { grounds: readonly HexColor[]; card: HexColor; toward: 'black' | 'white'; tintShare: number };
const LIGHT: Surfaces = {
  grounds: ['#ffffff', '#f6f5f1', '#f3f4f6'],
  card: '#ffffff',
  toward: 'black',
  tintShare: 0.88,
};
const DARK: Surfaces = { grounds: ['#1e201d', '#141513', '#1f242a'], card: '#1e201d', toward: 'white', tintShare: 0.8 };

/** A brand's colours in one colour scheme. */
export type SchemeColors = {
  /** Of text and lines: the brand's colour, made darker or lighter where it could not be read. */
  accent: HexColor;
  /** Text on an area of the accent. */
  onAccent: HexColor;
  /** A pale area behind plain text. */
  tint: HexColor;
};

/** `button` is the brand's colour as it was given; `onButton` is black or white. */
export type BrandColors = { button: HexColor; onButton: HexColor; light: SchemeColors; dark: SchemeColors };

/** The colours that follow from a brand's colour: text in or on each has a contrast of 4.5 or more (docs/white-label.md). */
export function brandColors(color: HexColor): BrandColors {
  return { button: color, onButton: textOn(color), light: schemeOf(color, LIGHT), dark: schemeOf(color, DARK) };
}

function schemeOf(color: HexColor, { grounds, card, toward, tintShare }: Surfaces): SchemeColors {
  const accent = readableOn(color, grounds, toward);
  return { accent, onAccent: textOn(accent), tint: mix(accent, card, tintShare) };
}
