import { type KeptJson, keepJson } from '../http/json-pieces.ts';
import type { TokenSealer } from '../lib/tokens.ts';
import { type MenuHours, menuStateAt } from '../stores/menu-hours.ts';
import type { Mode } from '../stores/mode.ts';
import { scheduleOf } from '../stores/schedule.ts';
import type { Store } from '../stores/store.ts';
import { zoneClock } from '../stores/zone-clock.ts';
import { menuId } from './catalog-tokens.ts';
import type { MenuView } from './load-menu.flow.ts';
import type { StoreSnapshot } from './store-snapshots.cache.ts';
import { fillGaps, shownVersion, type TimedText, timedMembers } from './timed-menu.ts';

/** A menu as it is shown at a moment: the end of an inventory response in two pieces. */
export type ShownMenu = {
  /** `"menu_id":…,`, which changes with everything that is shown. */
  head: string;
  /** `"categories":[…]}`. */
  categories: KeptJson;
};

/** What was shown of a view; it is shown again until a product's menu hours begin or end, or the store changes. */
type Shown = { menu: ShownMenu; changedSeq: number; fromS: number; untilS: number };

/** Shows a menu at a moment, in epoch seconds. */
export type ShowMenu = (view: MenuView, snapshot: StoreSnapshot, mode: Mode, nowS: number) => ShownMenu;

export function createShownMenus(tokens: TokenSealer): ShowMenu {
  const lastShown = new WeakMap<MenuView, Shown>();
  const fill = createFiller();
  return (view, { store, version }, mode, nowS) => {
    const last = lastShown.get(view);
    const isValid = last?.changedSeq === version.changedSeq && last.fromS <= nowS && nowS < last.untilS;
    if (isValid) return last.menu;
    const members = membersAt(store, mode, nowS);
    const categories = fill(view.categories, members.of);
    const id = menuId(tokens, store.storeId, mode, shownVersion(view.version, view.timed, members.of));
    const menu = { head: `"menu_id":${JSON.stringify(id)},`, categories };
    lastShown.set(view, { menu, changedSeq: version.changedSeq, fromS: nowS, untilS: members.untilS() });
    return menu;
  };
}

/** Fills the gaps of a text, or takes the text as it was last filled where nothing has changed. */
function createFiller() {
  const lastFilled = new WeakMap<TimedText, { key: string; json: KeptJson }>();
  return (text: TimedText, membersOf: (hours: MenuHours) => string): KeptJson => {
    const members = text.gaps.map(membersOf);
    const key = members.join();
    const last = lastFilled.get(text);
    if (last?.key === key) return last.json;
    const json = keepJson(fillGaps(text, members));
    lastFilled.set(text, { key, json });
    return json;
  };
}

/** The members of products with menu hours at a moment, each computed once; `untilS` is until when all of them hold. */
function membersAt(store: Store, mode: Mode, nowS: number) {
  const schedule = scheduleOf(store, mode);
  const known = new Map<string, string>();
  const texts = new Map<MenuHours, string>();
  let untilS = Infinity;
  const compute = (hours: MenuHours): string => {
    const state = menuStateAt(hours, schedule, zoneClock(store.timeZone), nowS);
    untilS = Math.min(untilS, state.untilS);
    return timedMembers(state, nowS);
  };
  return {
    of(hours: MenuHours): string {
      const text = texts.get(hours);
      if (text !== undefined) return text;
      const key = JSON.stringify(hours);
      const members = known.get(key) ?? compute(hours);
      known.set(key, members);
      texts.set(hours, members);
      return members;
    },
    untilS: () => untilS,
  };
}
