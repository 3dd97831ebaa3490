/**
 * Checks that an `Accept` header names HTML, as that of a browser does when its user opens an address. Scripts and programs accept
 * anything or name the types that they read, so a range that merely covers HTML does not count.
 */
export function namesHtml(accept: string | undefined): boolean {
  if (accept === undefined) return false;
  return accept.split(',').some((range) => {
    const [type, ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    return type === 'text/html' && !parameters.some((parameter) => /^q\s*=\s*0(?:\.0*)?$/.test(parameter));
  });
}
