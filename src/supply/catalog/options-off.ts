import { isRequired } from './fill-group.ts';
import type { Customization } from './product.ts';

/** An option as shown to its store, with the name of its customization. */
export type StoreOption = { id: string; name: string; customization: string; available: boolean };

/**
 * The customizations without options off sale and without the groups nested under them. A required customization may be
 * left empty, so that the product cannot be ordered. An optional one disappears with its last option.
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
    .filter((customization, at) => {
      const hadOptions = (customizations[at]?.options.length ?? 0) > 0;
      return customization.options.length > 0 || isRequired(customization) || !hadOptions;
    });
}

type Named = { name: string; options: readonly { id: string; name: string; customizations: readonly Named[] }[] };

/** All options, nested ones after their parent, with whether they are on sale. */
export function listOptions(customizations: readonly Named[], off: ReadonlySet<string>): StoreOption[] {
  return customizations.flatMap(({ name: customization, options }) =>
    options.flatMap(({ id, name, customizations: nested }) => [
      { id, name, customization, available: !off.has(id) },
      ...listOptions(nested, off),
    ]),
  );
}
