import { TAX_CLASSES, type TaxClass } from '../../src/supply/stores/tax-class.ts';
import { store as words } from '../../src/texts/en/store.ts';
import { Select } from '../field.tsx';

const { menu: say } = words;

type Props = {
  /** The meaning of no own class. */
  inherited: string;
  chosen: TaxClass | null;
  set: (taxClass: TaxClass | null) => void;
};

/** The tax class of an item, an option or a category. */
export function TaxClassField({ inherited, chosen, set }: Props) {
  return (
    <Select
      label={say.taxClass}
      value={chosen ?? ''}
      set={(value) => set(value || null)}
      options={[['', inherited] as const, ...TAX_CLASSES.map((one) => [one, say.taxClasses[one]] as const)]}
    />
  );
}
