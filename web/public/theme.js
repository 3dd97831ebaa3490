// Runs before the first paint, so that the page never flashes in another look.
(() => {
  const { dataset } = document.documentElement;
  // Pages for people who are not signed in, on which the mark stands elsewhere.
  const FOR_NOBODY = /^\/(?:confirm-email|forgot|invite-confirmation|password-change-required|register|reset|signin)(?:\/|$)/;
  if (!FOR_NOBODY.test(location.pathname)) {
    dataset.frame = 'bar';
    // These pages ask at once who is signed in: the question leaves while the scripts are on their way. Pages for nobody would keep the
    // answer until after the sign-in, when it is wrong.
    const asked = { rel: 'preload', as: 'fetch', crossOrigin: 'anonymous', href: '/account/session' };
    document.head.append(Object.assign(document.createElement('link'), asked));
  }
  // The rules of numbers and dates are loaded with their first use, which takes some dozen milliseconds: now, while the scripts are on their way.
  setTimeout(() => (0).toLocaleString());
  try {
    const navigation = localStorage.getItem('navigation');
    if (navigation !== null) dataset.navigation = navigation;
    // Unknown values match no style and no language, and change nothing.
    Object.assign(dataset, JSON.parse(localStorage.getItem('preferences')));
  } catch {
    // Without storage the page follows the system.
  }
})();
