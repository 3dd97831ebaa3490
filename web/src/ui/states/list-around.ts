/** The page that lists what a page is about, by the pattern of its address: what stands before the first `$name`. Null if nothing does. */
export function listAround(pattern: string): string | null {
  const [list, name] = pattern.split('/$', 2);
  return name === undefined || list === '' ? null : list;
}
