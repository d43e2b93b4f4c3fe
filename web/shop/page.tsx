import { hydrate } from 'preact';
import { App } from './app.tsx';
import type { ShopBoot } from './boot.ts';
import { createShop } from './shop-context.ts';

const root = document.getElementById('app');
const text = document.getElementById('boot')?.textContent;
if (root && text) {
  const boot: ShopBoot = JSON.parse(text);
  hydrate(<App shop={createShop(boot, new URL(boot.apiBase, location.origin).href)} />, root);
}
