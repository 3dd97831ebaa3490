// Runs before the first paint, so that the page never flashes in another look.
(() => {
  const { dataset } = document.documentElement;
  // Pages without the bar, on which the mark stands elsewhere.
  const WITHOUT_BAR = /^\/(?:confirm-email|forgot|invite-confirmation|password-change-required|register|reset|signin)(?:\/|$)/;
  if (!WITHOUT_BAR.test(location.pathname)) dataset.frame = 'bar';
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
