import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Format } from '../../src/platform/languages/format.ts';
import type { FoundStore } from './api.ts';
import type { Cart } from './cart.ts';
import type { DeviceSettings } from './device.ts';
import type { Product, Shelf } from './product-list.tsx';
import type { StoreMenu } from './use-menu.ts';

/** Data shared by the parts of a store's page. */
export type OpenStore = {
  store: FoundStore;
  format: Format;
  menu: StoreMenu;
  settings: DeviceSettings;
  setSettings(change: Partial<DeviceSettings>): void;
  /** The mode that the visitor wants, where the store offers it. */
  pickup: boolean;
  /** The cart, where it is of this store. */
  cart: Cart | undefined;
  /** The slot that the visitor wants, or the first where there is no other time; empty for now. */
  slotId: string;
  setSlot(slotId: string): void;
  /** Loaded products of the menu, by ID. */
  products: ReadonlyMap<string, Product>;
  /** Units in the cart by product. */
  counts: ReadonlyMap<string, number>;
  shelf: Shelf;
  /** Opens something above the menu, by the part of the address after `#`. */
  open(hash: string): void;
  close(): void;
};

const Context = createContext<OpenStore | undefined>(undefined);
export const StoreProvider = Context.Provider;

export function useStore(): OpenStore {
  const store = useContext(Context);
  if (!store) throw new Error('The component is outside of a store.');
  return store;
}
