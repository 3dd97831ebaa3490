/** The page with the list of a page's object, by the pattern of its address: the part before the first `$name`. Null if there is none. */
export function listAround(pattern: string): string | null {
  const [list, name] = pattern.split('/$', 2);
  return name === undefined || list === '' ? null : list;
}
