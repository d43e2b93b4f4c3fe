import type { ComponentChildren } from 'preact';

type Props = {
  kind?: 'primary' | 'plain' | 'quiet' | 'danger';
  /** Whether its action is running; then a second press is ignored. */
  isBusy?: boolean;
  isOff?: boolean;
  submit?: boolean;
  label?: string;
  onPress?: () => void;
  children: ComponentChildren;
};

/** A button that stays focusable while its action runs, so that screen readers keep their position. */
export function Button({
  kind = 'plain',
  isBusy = false,
  isOff = false,
  submit = false,
  label,
  onPress,
  children,
}: Props) {
  const isDead = isBusy || isOff;
  return (
    <button
      type={submit ? 'submit' : 'button'}
      class={`button ${kind}${isBusy ? ' busy' : ''}`}
      aria-disabled={isDead}
      aria-label={label}
      onClick={(event) => {
        if (isDead) event.preventDefault();
        else onPress?.();
      }}
    >
      {children}
    </button>
  );
}
