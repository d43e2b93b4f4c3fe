const KEPT_AS = 'doorstep-reference-key';

/**
 * The key that requests of the page carry: what stands in the field, or what the fragment of the address brought
 * (`#key=ds_test_…`, as the demo prints the address). No server sees a fragment, and it leaves the address at once.
 */
export function keyOf(): () => string {
  const field = document.querySelector<HTMLInputElement>('#key');
  if (!field) return () => '';
  const [, brought] = /^#key=([\w-]+)$/.exec(location.hash) ?? [];
  if (brought !== undefined) history.replaceState(null, '', location.pathname);
  field.value = brought ?? sessionStorage.getItem(KEPT_AS) ?? '';
  const keep = () => sessionStorage.setItem(KEPT_AS, field.value.trim());
  keep();
  field.addEventListener('input', keep);
  return () => field.value.trim();
}
