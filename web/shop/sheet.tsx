import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { shop as words } from '../../src/texts/en/shop.ts';
import { useModal } from '../dialog.tsx';
import { LineIcon } from '../line-icon.tsx';
import { listen } from '../listen.ts';

/* Dialogs, icons and steppers that the shop's views share. */

type Props = { title: string; close: () => void; children: ComponentChildren; footer?: ComponentChildren };

/** A modal dialog that fills a phone and floats on wider screens. Escape, its button and a press outside close it. */
export function Sheet({ title, close, children, footer }: Props) {
  const element = useModal();
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does what a press on the backdrop does
    <dialog
      ref={element}
      class="sheet"
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      onClick={({ target }) => target === element.current && close()}
    >
      <div class="sheet-head">
        <h2 class="sheet-title">{title}</h2>
        <Round icon="close" label={words.item.close} onClick={close} />
      </div>
      <div class="sheet-body">{children}</div>
      {footer && <div class="sheet-foot">{footer}</div>}
    </dialog>
  );
}

/**
 * The dialog that the part of the address after `#` opens above the page, so that the back button closes it and a
 * reload keeps it. Empty in the first rendering, which is the server's.
 */
export function useOpened(): { opened: string; open(hash: string): void; replace(hash: string): void; close(): void } {
  const [opened, setOpened] = useState('');
  useEffect(() => {
    const update = () => setOpened(location.hash.slice(1));
    update();
    return listen(window, 'popstate', update);
  }, []);
  const replace = (hash: string) => {
    history.replaceState(null, '', hash === '' ? location.pathname + location.search : `#${hash}`);
    setOpened(hash);
  };
  return {
    opened,
    open(hash) {
      history.pushState({ isOpened: true }, '', `#${hash}`);
      setOpened(hash);
    },
    replace,
    close: () => (isJustOpened(history.state) ? history.back() : replace('')),
  };
}

const isJustOpened = (state: unknown) => typeof state === 'object' && state !== null && 'isOpened' in state;

const PATHS = {
  close: 'M6 6l12 12M18 6L6 18',
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
  cart: 'M3 4h2l2.5 12h10L20 7H6M9 20.5v-.5M17 20.5v-.5',
  search: 'M11 4a7 7 0 100 14 7 7 0 000-14zM16 16l5 5',
  pin: 'M12 21s-7-6.5-7-11a7 7 0 0114 0c0 4.500-7 11-7 11zM12 12.500a2.500 2.500 0 100-5 2.500 2.500 0 000 5z',
  clock: 'M12 3a9 9 0 100 18 9 9 0 000-18zM12 7v5l3 2',
  list: 'M4 7h16M4 12h16M4 17h10',
} as const;

type IconProps = { name: keyof typeof PATHS };
export const Icon = ({ name }: IconProps) => <LineIcon path={PATHS[name]} sizePx={20} stroke={2} />;

type PressProps = { onClick: () => void; children: ComponentChildren; class?: string; label?: string | undefined };

/** A button; `label` names it if its content does not. */
export const Press = ({ label, ...button }: PressProps) => <button type="button" aria-label={label} {...button} />;

/** A button that looks like a link. */
export const Plain = ({ class: more = '', ...press }: PressProps) => (
  <Press class={`plain ${more}`.trim()} {...press} />
);

type RoundProps = { icon: keyof typeof PATHS; label: string; disabled?: boolean; onClick: () => void };
export const Round = ({ icon, label, ...button }: RoundProps) => (
  <button type="button" class="round" aria-label={label} {...button}>
    <Icon name={icon} />
  </button>
);

type StepperProps = {
  name: string;
  quantity: number;
  set: (quantity: number) => void;
  min?: number;
  max?: number;
  /** In place of the number. */
  text?: string | undefined;
};

/** Fewer and more of something. */
export function Stepper({ name, quantity, set, min = 1, max = Number.POSITIVE_INFINITY, text }: StepperProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset in each of 3,000 cards would be announced as a form
    <span class="stepper" role="group" aria-label={words.item.quantityOf({ name })}>
      <Round
        icon="minus"
        label={words.item.fewer({ name })}
        disabled={quantity <= min}
        onClick={() => set(quantity - 1)}
      />
      <output {...(text === undefined ? {} : { class: 'weight' })}>{text ?? quantity}</output>
      <Round
        icon="plus"
        label={words.item.more({ name })}
        disabled={quantity >= max}
        onClick={() => set(quantity + 1)}
      />
    </span>
  );
}
