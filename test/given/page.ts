import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { computeAccessibleName, getRole } from 'dom-accessibility-api';
import { Browser, type BrowserPage, type BrowserWindow, type Element, type HTMLInputElement } from 'happy-dom';
import SelectorItem from 'happy-dom/lib/query-selector/SelectorItem.js';
import ValidityState from 'happy-dom/lib/validity-state/ValidityState.js';
import { shiftClock, shiftOfThisProcess } from '../nightly/shift-clock.ts';
import { nextTurn, until } from '../until.ts';

/*
 * A page of the service without a browser: the HTML and scripts it serves, run in a simulated DOM, with requests, streams,
 * cookies and navigation of one visitor against its port. There is no layout and no style sheet: those belong into
 * test/browser.
 *
 *     const page = await openPage(t, `${url}/console`);       // closed after the test, which fails if the page did
 *     await page.fill('Access code', code);                   // by label; `choose` for a select, `check` for a box
 *     await page.press('Sign in');                            // a button or link by its whole name, or an expression
 *     await page.shows('Ordered 1.5 lb');                     // waits for a text; `page.hides` until it is gone
 *     await page.dialog('Weigh: Chicken').press('Save');      // a region has the same methods: `page.in('.order')`
 *
 * Each of them waits for its element, so a test only waits for what a visitor would see. An action fails at two elements
 * of a name: choose a region, or its place (`nth`). In any language, a selector such as `#card` does for a name.
 */

/** Ends a hanging wait; not an assertion of speed: after a change of its sources, a page is bundled before it opens. */
const TIMEOUT_MS = 300_000;

type Name = string | RegExp;
export type Options = {
  /** The languages of the browser, such as `es-US`. */
  language?: string;
  /** Whether the browser runs scripts. */
  scripts?: boolean;
  /** Answers a request in place of its server; throws if it has no connection. */
  answer?(url: string): { status?: number; type?: string; body?: string } | undefined;
  /** A session, such as `givenConsole` has. */
  cookie?: string;
  /** Prepares each window before the scripts of its page, such as a place on the device. */
  prepare?(window: BrowserWindow): void;
};

/** What a page shows, or a part of it. */
export type Region = {
  /** The first element, which may be away meanwhile. */
  element(): Element | null;
  all(selector: string): Element[];
  /** The visible text, a line for each block. */
  text(): string;
  shows(text: Name): Promise<void>;
  hides(text: Name): Promise<void>;
  /** Waits until `role` of this name is there. */
  find(role: Role, name: Name, nth?: number): Promise<Element>;
  press(name: Name, nth?: number): Promise<void>;
  fill(label: Name, value: string, nth?: number): Promise<void>;
  choose(label: Name, option: Name, nth?: number): Promise<void>;
  check(label: Name, isChecked?: boolean, nth?: number): Promise<void>;
  dialog(name: Name): Region;
  in(selector: string, nth?: number): Region;
};

export type Page = Region & {
  window(): BrowserWindow;
  url(): string;
  /** Waits until the page has this address. */
  at(url: Name): Promise<void>;
  open(url: string): Promise<void>;
  reload(): Promise<void>;
  back(): Promise<void>;
  /** Presses a key at the element with the focus. Enter submits its form, Escape closes its dialog. */
  key(key: string): Promise<void>;
  /** Method and URL of each request so far. */
  requests: string[];
  /** Without a connection every request fails. */
  setOffline(isOffline: boolean): void;
  /** Waits until no request is open except streams, and everything that was ready has run. */
  settled(): Promise<void>;
  /** Another page of the same visitor. */
  tab(url: string): Promise<Page>;
};

const FIELDS = 'INPUT textbox searchbox spinbutton combobox listbox checkbox radio switch slider'.split(' ');
const ROLES = {
  control: ['SUMMARY', 'button', 'link', 'tab', 'menuitem', 'option'],
  field: FIELDS,
  dialog: ['dialog', 'alertdialog'],
  heading: ['heading'],
  region: ['region', 'group', 'radiogroup', 'list', 'table', 'form', 'img', 'article', 'navigation'],
} as const;
type Role = keyof typeof ROLES;

const INLINE = /^(A|ABBR|B|BDI|CODE|EM|I|MARK|S|SMALL|SPAN|STRONG|SUB|SUP|TIME|U)$/;
const UNSHOWN = 'script, style, noscript, template, [hidden], dialog:not([open]), datalist, title, head';
const NEWEST = 'dialog[open]';

/** The simulation does not know `:invalid`, which the pages mark wrong fields by. */
type MatchPseudo = (scope: unknown, element: HTMLInputElement, among: unknown, pseudo: { name: string }) => unknown;
const selector = SelectorItem.prototype as unknown as { matchPseudoItem: MatchPseudo };
const { matchPseudoItem } = selector;
selector.matchPseudoItem = function (scope, element, among, pseudo) {
  if (pseudo.name !== 'invalid') return matchPseudoItem.call(this, scope, element, among, pseudo);
  return element.willValidate && !element.validity.valid ? { priorityWeight: 10 } : null;
};

/** The simulation wants an exact remainder, which steps such as 0.01 do not have. */
Object.defineProperty(ValidityState.prototype, 'stepMismatch', {
  get(this: { element: HTMLInputElement }) {
    const { type, step, value } = this.element;
    const steps = Number(value) / Number(step || 1);
    return type === 'number' && step !== 'any' && Math.abs(steps - Math.round(steps)) > 1e-6;
  },
});

const plain = (text: string) => text.replaceAll(/[^\S\n]+/g, ' ').replaceAll(/\s*\n\s*/g, '\n');
/** A press before the scripts of its page have run would be lost. */
const isLoaded = (one: Element) => one.ownerDocument.readyState === 'complete';
const isSelector = (name: Name) => typeof name === 'string' && /^[#.]\w|^\w+[.[]\w/.test(name);
const fits = (text: string, wanted: Name) => (typeof wanted === 'string' ? text === wanted : wanted.test(text));
const has = (text: string, wanted: Name) => (typeof wanted === 'string' ? text.includes(wanted) : wanted.test(text));
const nameOf = (one: Element) => plain(computeAccessibleName(one as never)).trim();

/** Whether a visitor sees the element, as far as its markup says so. */
function isShown(one: Element | null): boolean {
  if (!one) return true;
  const { parentElement: parent } = one;
  if (one.matches(UNSHOWN) || /display:\s*none/.test(one.getAttribute('style') ?? '')) return false;
  if (parent?.matches('details:not([open])') && one.tagName !== 'SUMMARY') return false;
  return isShown(parent);
}

function textOf(one: Element): string {
  if (one.matches(UNSHOWN) || !isShown(one)) return '';
  const parts = [...one.childNodes].map((node) => {
    if (node.nodeType === node.TEXT_NODE) return (node.textContent ?? '').replaceAll(/\s+/g, ' ');
    if (node.nodeType !== node.ELEMENT_NODE) return '';
    const child = node as Element;
    return INLINE.test(child.tagName) ? textOf(child) : `\n${textOf(child)}\n`;
  });
  return parts.join('');
}

function regionOf(root: () => Element | null, page: () => BrowserPage): Region {
  const all = (selector: string) => [...(root()?.querySelectorAll(selector) ?? [])].filter(isShown);
  const text = () => plain(textOf(root() ?? page().mainFrame.document.createElement('i'))).trim();
  const wait = (what: string | (() => string), isTrue: () => boolean) =>
    until(() => `${typeof what === 'string' ? what : what()} in\n${text()}`, isTrue, TIMEOUT_MS);
  const ofRole = (role: Role) => {
    const roles: readonly string[] = ROLES[role];
    const isOne = (one: Element) => roles.includes(getRole(one as never) ?? one.tagName);
    return all('*').filter((one) => isOne(one) && !one.closest('[aria-hidden=true]'));
  };
  const named = (role: Role, name: Name) =>
    isSelector(name) ? all(String(name)) : ofRole(role).filter((one) => fits(nameOf(one), name));
  const find = async (role: Role, name: Name, nth?: number) => {
    let found: Element[] = [];
    const seen = () => `no ${role} "${name}" among ${ofRole(role).map(nameOf).join(', ')};`;
    await wait(seen, () => {
      found = named(role, name);
      return found.length > (nth ?? 0);
    });
    assert.ok(nth !== undefined || found.length === 1, `${found.length} times ${role} "${name}"`);
    return found[nth ?? 0] as Element;
  };
  /** As `find`, when it can be used: a dialog covers what is outside it. */
  const usable = async (role: Role, name: Name, nth?: number) => {
    let one = await find(role, name, nth);
    const isUsable = () => {
      const dialog = [...one.ownerDocument.querySelectorAll(NEWEST)].pop();
      return isLoaded(one) && one.isConnected && !one.matches(':disabled') && (!dialog || dialog.contains(one));
    };
    await wait(`${role} "${name}" cannot be used`, () => {
      one = named(role, name)[nth ?? 0] ?? one;
      return isUsable();
    });
    return one as HTMLInputElement;
  };
  const change = (one: HTMLInputElement, value: string) => {
    one.focus();
    one.value = value;
    const { Event } = page().mainFrame.window;
    for (const type of ['input', 'change']) one.dispatchEvent(new Event(type, { bubbles: true }));
  };
  const click = (one: HTMLInputElement) => {
    const { PointerEvent } = page().mainFrame.window;
    for (const type of ['pointerdown', 'pointerup'])
      one.dispatchEvent(new PointerEvent(type, { bubbles: true, cancelable: true }));
    one.focus();
    one.click();
  };
  return {
    element: root,
    all,
    text,
    find,
    shows: (wanted) => wait(`no text "${wanted}"`, () => has(text(), wanted)),
    hides: (wanted) => wait(`still the text "${wanted}"`, () => !has(text(), wanted)),
    press: async (name, nth) => click(await usable('control', name, nth)),
    fill: async (label, value, nth) => change(await usable('field', label, nth), value),
    async choose(label, option, nth) {
      const field = await usable('field', label, nth);
      const options = () => [...field.querySelectorAll('option')];
      const isOne = (one: Element) => fits(plain(one.textContent ?? '').trim(), option);
      await wait(`no option "${option}"`, () => options().some(isOne));
      change(field, options().find(isOne)?.value ?? '');
    },
    async check(label, isChecked = true, nth) {
      const field = await usable('field', label, nth);
      if (field.checked !== isChecked) click(field);
    },
    dialog: (name) => regionOf(() => named('dialog', name).at(-1) ?? null, page),
    in: (selector, nth = 0) => regionOf(() => all(selector)[nth] ?? null, page),
  };
}

/** Opens a page of a service that listens. It is closed after the test, which fails if a script of the page did. */
export async function openPage(
  t: TestContext,
  url: string,
  { language = 'en-US', scripts = true, answer = () => undefined, cookie, prepare }: Options = {},
): Promise<Page> {
  const requests: string[] = [];
  const [local, aheadMs] = [new Map<string, unknown>(), shiftOfThisProcess()];
  /** Ends the streams of a window, which the simulation leaves open. */
  const ends = new Map<BrowserWindow, () => void>();
  const endStreams = (isOver: (window: BrowserWindow) => boolean) => {
    for (const [window, end] of ends) if (isOver(window)) end();
  };
  let [isOffline, open] = [false, 0];
  const browser = new Browser({
    settings: {
      enableJavaScriptEvaluation: scripts,
      suppressInsecureJavaScriptEnvironmentWarning: true,
      handleDisabledFileLoadingAsSuccess: true,
      fetch: {
        requestHeaders: [{ url: null, headers: { 'Accept-Language': language } }],
        interceptor: {
          beforeAsyncRequest: async ({ request, window }) => {
            if (isOffline) throw new Error('offline');
            requests.push(`${request.method} ${request.url}`);
            const own = answer(request.url);
            if (own) {
              const headers = { 'content-type': own.type ?? 'text/plain', 'access-control-allow-origin': '*' };
              return new window.Response(own.body ?? '', { status: own.status ?? 200, headers });
            }
            if (request.method !== 'GET') request.headers.set('Origin', window.location.origin);
          },
        },
      },
      navigation: { beforeContentCallback: (window: BrowserWindow) => begin(window) },
    },
  });
  /** Browser features missing in the simulation: persistent storage, streams, and counted requests. */
  function begin(window: BrowserWindow): void {
    const { fetch } = window;
    Object.assign(window, { TextDecoderStream, CompressionStream, DecompressionStream });
    if (!local.has(window.location.origin)) local.set(window.location.origin, window.localStorage);
    Object.defineProperty(window, 'localStorage', { configurable: true, value: local.get(window.location.origin) });
    endStreams((one) => one.closed);
    let over = new window.AbortController();
    ends.set(window, () => {
      over.abort();
      over = new window.AbortController();
    });
    const ariaLabel = {
      configurable: true,
      get(this: Element) {
        return this.getAttribute('aria-label');
      },
    };
    Object.defineProperty(window.Element.prototype, 'ariaLabel', ariaLabel);
    window.fetch = async (input, init) => {
      open += 1;
      try {
        const signals = [over.signal, init?.signal].filter((signal) => signal != null);
        const answer = await fetch.call(window, input, { ...init, signal: window.AbortSignal.any(signals) });
        if (answer.headers.get('content-type')?.includes('event-stream')) return answer;
        const { status, statusText, headers } = answer;
        return new window.Response(await answer.arrayBuffer(), { status, statusText, headers });
      } finally {
        open -= 1;
      }
    };
    if (aheadMs !== undefined) window.eval(`(${shiftClock})(${aheadMs})`);
    prepare?.(window);
  }
  const { pages, cookieContainer } = browser.defaultContext;
  const [key = '', value = ''] = cookie?.split('=') ?? [];
  if (cookie) cookieContainer.addCookies([{ key, value, originURL: new URL(url), httpOnly: true }]);
  t.after(async () => {
    const faults = pages.flatMap(faultsOf);
    endStreams(() => true);
    await browser.close();
    assert.deepEqual(faults, [], url);
  });
  return openTab(url);

  async function openTab(first: string): Promise<Page> {
    const page = browser.newPage();
    const region = regionOf(
      () => page.mainFrame.document.body as Element,
      () => page,
    );
    /** Scripts of a page have run when it is complete. */
    const loaded = async (going: Promise<unknown>) => {
      await going;
      await until('the page is loaded', () => page.mainFrame.document.readyState === 'complete', TIMEOUT_MS);
    };
    const goto = (to: string) => loaded(page.goto(to, { timeout: TIMEOUT_MS }));
    await goto(first);
    return {
      ...region,
      window: () => page.mainFrame.window,
      url: () => page.url,
      at: (to) =>
        until(
          () => `${to} instead of ${page.url}: ${region.text()}`,
          () => fits(page.url, to),
          TIMEOUT_MS,
        ),
      open: goto,
      reload: () => loaded(page.reload({ timeout: TIMEOUT_MS })),
      back: () => loaded(page.goBack({ timeout: TIMEOUT_MS })),
      key: async (key) => pressKey(page.mainFrame.window, key),
      requests,
      setOffline(value) {
        isOffline = value;
        if (isOffline) endStreams(() => true);
        const { Event } = page.mainFrame.window;
        for (const { mainFrame } of pages) mainFrame.window.dispatchEvent(new Event(value ? 'offline' : 'online'));
      },
      async settled() {
        await until('requests are answered', () => open === 0, TIMEOUT_MS);
        await nextTurn();
      },
      tab: openTab,
    };
  }
}

function pressKey(window: BrowserWindow, key: string): void {
  const { document } = window;
  const one = (document.activeElement ?? document.body) as HTMLInputElement;
  const event = new window.KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
  if (!one.dispatchEvent(event)) return;
  const dialog = [...document.querySelectorAll(NEWEST)].pop();
  if (key === 'Enter' && one.form) one.form.requestSubmit();
  else if (key === 'Enter') one.click();
  if (key !== 'Escape' || !dialog?.dispatchEvent(new window.Event('cancel', { cancelable: true }))) return;
  (dialog as unknown as { close(): void }).close();
}

/** Errors of a page's scripts; the simulation also reports answers that refuse, and a service that closed first. */
const faultsOf = (page: BrowserPage) =>
  page.virtualConsolePrinter
    .read()
    .filter(({ level }) => level >= 3)
    .map(({ message }) => message.map(String).join(' '))
    .filter((message) => !/^[A-Z]+ \S+ \d{3} \(|AbortError|socket hang up|ECONNRE/.test(message));
