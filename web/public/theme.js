// Runs before the first paint, so that the page never flashes in another look.
(() => {
  const { dataset } = document.documentElement;
  const FOR_NOBODY = /^\/(?:confirm-email|forgot|invite-confirmation|password-change-required|register|reset|signin)(?:\/|$)/;
  if (!FOR_NOBODY.test(location.pathname)) {
    // The bar of the pages for signed-in users, at its place before they are there.
    dataset.frame = 'bar';
    // They ask at once who is signed in: this asks while the scripts are on their way. Elsewhere the answer would be kept until after the sign-in.
    const asked = { rel: 'preload', as: 'fetch', crossOrigin: 'anonymous', href: '/account/session' };
    document.head.append(Object.assign(document.createElement('link'), asked));
  }
  // The rules of numbers and dates are loaded with their first use, which takes some dozen milliseconds: now, while the scripts are on their way.
  setTimeout(() => (0).toLocaleString());
  try {
    const { theme, density, motion } = JSON.parse(localStorage.getItem('appearance') ?? '{}');
    if (theme === 'light' || theme === 'dark') dataset.theme = theme;
    if (density === 'compact') dataset.density = density;
    if (motion === 'reduced') dataset.motion = motion;
  } catch {
    // Without storage the page follows the system.
  }
})();
