import type { MenuHours, MenuState } from '../stores/menu-hours.ts';
import { hash64 } from './shown-choices.ts';

/**
 * A menu's categories as JSON with gaps: piece, gap, piece, and so on. A gap is filled with the availability of a
 * product with these menu hours.
 */
export type TimedText = { pieces: readonly Buffer[]; gaps: readonly MenuHours[] };

/** Products of a store that share menu hours, as the XOR of their hashes. */
export type TimedProducts = { hours: MenuHours; products: bigint };

/** The availability members of a menu item, as JSON text. */
export function availabilityMembers(available: boolean): string {
  return `"is_available":${available}`;
}

/** The availability fields of a product with menu hours, at `nowS`. */
export function timedMembers({ soldAtS }: MenuState, nowS: number): string {
  if (soldAtS <= nowS) return availabilityMembers(true);
  return `${availabilityMembers(false)},"available_at":${soldAtS === Infinity ? null : soldAtS}`;
}

/** Writes a text with gaps piece by piece. Equal menu hours share one object. */
export function createTimedText() {
  const pieces: Buffer[] = [];
  const gaps: MenuHours[] = [];
  const known = new Map<string, MenuHours>();
  let texts: string[] = [];
  const endPiece = () => {
    pieces.push(Buffer.from(texts.join('')));
    texts = [];
  };
  return {
    add(text: string): void {
      texts.push(text);
    },
    gap(hours: MenuHours): void {
      const key = JSON.stringify(hours);
      const same = known.get(key) ?? hours;
      known.set(key, same);
      endPiece();
      gaps.push(same);
    },
    finish(): TimedText {
      endPiece();
      return { pieces, gaps };
    },
  };
}

/** Fills the gaps in order. A text without gaps is not copied. */
export function fillGaps({ pieces }: Pick<TimedText, 'pieces'>, texts: readonly string[]): Buffer {
  const [first = Buffer.alloc(0)] = pieces;
  if (texts.length === 0) return first;
  return Buffer.concat([first, ...texts.flatMap((text, n) => [Buffer.from(text), pieces[n + 1] ?? first])]);
}

/**
 * A menu's version at a moment. Products on sale at that moment count like products without menu hours, so menus
 * with equal content have equal versions.
 */
export function shownVersion(
  version: string,
  timed: readonly TimedProducts[],
  membersOf: (hours: MenuHours) => string,
): string {
  const hidden = new Map<string, bigint>();
  for (const { hours, products } of timed) {
    const members = membersOf(hours);
    if (members !== availabilityMembers(true)) hidden.set(members, (hidden.get(members) ?? 0n) ^ products);
  }
  if (hidden.size === 0) return version;
  const states = [...hidden].map(([members, products]) => `${members} ${products}`).sort();
  return `${version.charAt(0)}${hash64(JSON.stringify([version, ...states]))}`;
}
