import type { Customization } from './product.ts';

/** An option of a product as its store sees it, with the name of its customization. */
export type StoreOption = { id: string; name: string; customization: string; available: boolean };

/**
 * The customizations without the options that are off sale, and without what opens with these options. A customization
 * that requires a choice stays without options: the product then cannot be ordered. An optional customization leaves with
 * its last option.
 */
export function withoutOptions(
  customizations: readonly Customization[],
  off: ReadonlySet<string>,
): readonly Customization[] {
  if (off.size === 0) return customizations;
  return customizations
    .map((customization) => ({
      ...customization,
      options: customization.options
        .filter(({ id }) => !off.has(id))
        .map((option) => ({ ...option, customizations: withoutOptions(option.customizations, off) })),
    }))
    .filter(({ options, minChoiceOptions }, at) => {
      const hadOptions = (customizations[at]?.options.length ?? 0) > 0;
      return options.length > 0 || minChoiceOptions > 0 || !hadOptions;
    });
}

/** All options of the customizations, nested options after their parent, with whether the store sells them. */
export function listOptions(customizations: readonly Customization[], off: ReadonlySet<string>): StoreOption[] {
  return customizations.flatMap(({ name: customization, options }) =>
    options.flatMap(({ id, name, customizations: nested }) => [
      { id, name, customization, available: !off.has(id) },
      ...listOptions(nested, off),
    ]),
  );
}
