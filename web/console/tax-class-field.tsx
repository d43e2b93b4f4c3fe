import { TAX_CLASSES, type TaxClass, taxClassOf } from '../../src/supply/stores/tax-class.ts';
import { store as words } from '../../src/texts/en/store.ts';

const { menu: say } = words;

type Props = {
  /** What no class of its own means. */
  inherited: string;
  chosen: TaxClass | null;
  set: (taxClass: TaxClass | null) => void;
};

/** What an item, an option or a category is for taxes. */
export function TaxClassField({ inherited, chosen, set }: Props) {
  return (
    <label class="field">
      {say.taxClass}
      <select value={chosen ?? ''} onChange={({ currentTarget }) => set(taxClassOf(currentTarget.value))}>
        <option value="">{inherited}</option>
        {TAX_CLASSES.map((one) => (
          <option key={one} value={one}>
            {say.taxClasses[one]}
          </option>
        ))}
      </select>
    </label>
  );
}
