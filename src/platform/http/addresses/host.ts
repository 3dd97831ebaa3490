/**
 * Checks whether a URL is at a host, which may have a port, as a `Host` header names it. The usual port of the URL's scheme may be written
 * or left out. The scheme is not compared: a proxy in front may have taken TLS off.
 */
export function isAtHost(url: URL, host: string): boolean {
  const called = `${url.protocol}//${host}`;
  return host !== '' && URL.canParse(called) && new URL(called).host === url.host;
}
