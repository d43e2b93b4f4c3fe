/* Apart from the headers, so that the types of plug-ins, which state a policy, name no framework. */

/** Sources that a page may load, run and contact, by directive (Content Security Policy). */
export type ContentPolicy = Readonly<Record<string, readonly string[]>>;

/** Throws if a source would begin another directive or policy. */
export function policyText(policy: ContentPolicy): string {
  const directives = Object.entries(policy).map(([name, sources]) => [name, ...sources].join(' '));
  if (directives.some((directive) => /[;,]/.test(directive))) throw new Error('A source of a policy has a separator.');
  return directives.join(';');
}
