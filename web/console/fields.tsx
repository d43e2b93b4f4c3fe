import { useState } from 'preact/hooks';
import { TAX_CLASSES, type TaxClass } from '../../src/supply/stores/tax-class.ts';
import { menu as say } from '../../src/texts/en/store.ts';
import { Field, Select } from '../field.tsx';
import type { ConsoleContext } from './console-context.ts';
import { amountOf, centsOf } from './menu-editing.ts';

type AmountProps = {
  context: ConsoleContext;
  label: string;
  cents: number | null;
  set: (cents: number) => void;
  required?: boolean;
  onKeyDown?: (event: KeyboardEvent) => void;
};

/** An amount in the store's currency. An incomplete amount is NaN. */
export function Amount({ context, label, cents, set, ...more }: AmountProps) {
  const { format } = context;
  const zero = format.money(0);
  const [typed, setTyped] = useState(cents ? amountOf(cents, format.decimalSign) : '');
  const isWrong = centsOf(typed) === undefined;
  return (
    <label class="field">
      {label}
      <span class={/^\d/.test(zero) ? 'money after' : 'money'} data-sign={zero.replace(/[\d.,\s]/g, '')}>
        <input
          inputmode="decimal"
          autocomplete="off"
          placeholder={amountOf(0, format.decimalSign)}
          value={typed}
          aria-invalid={isWrong}
          {...more}
          onInput={({ currentTarget: { value } }) => {
            setTyped(value);
            set(centsOf(value) ?? Number.NaN);
          }}
        />
      </span>
    </label>
  );
}

export type Limits = { min?: number; max?: number; required?: boolean };
type CountProps = Limits & { label: string; count: number | undefined; set: (count: number | undefined) => void };

/** A whole number; an empty field is undefined. */
export function Count({ count, set, ...field }: CountProps) {
  return (
    <Field
      type="number"
      inputmode="numeric"
      min={0}
      max={10_000}
      {...field}
      value={count ?? ''}
      set={(value) => set(value === '' ? undefined : Math.max(0, Math.round(Number(value) || 0)))}
    />
  );
}

type TaxClassProps = {
  /** The meaning of no own class. */
  inherited: string;
  chosen: TaxClass | null;
  set: (taxClass: TaxClass | null) => void;
};

/** The tax class of an item, an option or a category. */
export function TaxClassField({ inherited, chosen, set }: TaxClassProps) {
  return (
    <Select
      label={say.taxClass}
      value={chosen ?? ''}
      set={(value) => set(value || null)}
      options={[['', inherited] as const, ...TAX_CLASSES.map((one) => [one, say.taxClasses[one]] as const)]}
    />
  );
}
