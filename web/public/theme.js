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
    const { theme, density, motion, navigation } = JSON.parse(localStorage.getItem('appearance') ?? '{}');
    if (theme === 'light' || theme === 'dark') dataset.theme = theme;
    if (density === 'compact') dataset.density = density;
    if (navigation === 'names' || navigation === 'icons') dataset.navigation = navigation;
    if (motion === 'reduced') dataset.motion = motion;
  } catch {
    // Without storage the page follows the system.
  }
})();
