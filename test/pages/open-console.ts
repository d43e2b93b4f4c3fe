import type { TestContext } from 'node:test';
import type { BrowserWindow, HTMLInputElement } from 'happy-dom';
import { openPage, type Page, type Region } from '../given/page.ts';

type Options = { path?: string; prepare?: (window: BrowserWindow) => void };

/** The console of a store, in English, once it has its orders. */
export async function openConsole(
  t: TestContext,
  url: string,
  code: string,
  { path = '/console', prepare }: Options = {},
): Promise<Page> {
  const page = await openPage(t, `${url}${path}`, {
    prepare(window) {
      addAriaLabel(window);
      prepare?.(window);
    },
  });
  await signIn(page, code);
  await page.in('.pulse').shows('Live');
  return page;
}

/** The simulated page lacks this property, by which the menu returns the focus. */
function addAriaLabel({ Element }: BrowserWindow): void {
  Object.defineProperty(Element.prototype, 'ariaLabel', {
    configurable: true,
    get() {
      return this.getAttribute('aria-label');
    },
  });
}

export async function signIn(page: Page, code: string): Promise<void> {
  await page.fill('Access code', code);
  await page.press('Sign in');
}

export const cardOf = (page: Page, orderId: string): Region => page.in(`article[aria-labelledby="n-${orderId}"]`);

type Fetch = BrowserWindow['fetch'];

/** Lets `instead` answer the requests of a page whose address matches; `send` sends one on. */
export function intercept(
  page: Page,
  address: RegExp,
  instead: (send: () => ReturnType<Fetch>) => ReturnType<Fetch>,
): void {
  const window = page.window();
  const { fetch } = window;
  window.fetch = (url, options) => {
    const send = () => fetch.call(window, url, options);
    return address.test(String(url)) ? instead(send) : send();
  };
}

/** Chooses a file, as a visitor does with the button of this name. */
export async function attach(page: Region & Pick<Page, 'window'>, label: RegExp, name: string, bytes: Buffer) {
  const field = await page.find('field', label);
  const { File, Event } = page.window();
  const files = [new File([bytes], name)];
  Object.defineProperty(field, 'files', { value: files, configurable: true });
  field.dispatchEvent(new Event('change', { bubbles: true }));
}

export const valueIn = async (page: Region, label: string, nth?: number): Promise<string> =>
  ((await page.find('field', label, nth)) as HTMLInputElement).value;

/** Turns a switch. */
export const tap = async (page: Region, name: string): Promise<void> =>
  ((await page.find('field', name)) as HTMLInputElement).click();

export const focus = async (page: Region, role: 'field' | 'control', name: string | RegExp): Promise<void> =>
  ((await page.find(role, name)) as HTMLInputElement).focus();
