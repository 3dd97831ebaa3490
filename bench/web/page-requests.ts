/** The requests of the frame around the pages, on every page. */
const OF_THE_FRAME =
  /^\/(?:account\/(?:session|server)|api\/version|hubs|api\/v1\/(?:user-storage|user-preferences|effective-user-preferences|server-alert|tenant-settings))/;

/** True if a request to the service is one of a page's own. */
export const isOfThePage = (url: string): boolean => {
  const { pathname } = new URL(url);
  return /^\/(?:api|account)\//.test(pathname) && !OF_THE_FRAME.test(pathname);
};
