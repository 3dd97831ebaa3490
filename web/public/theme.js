// Runs before the first paint, so that the page never flashes in the other theme.
(() => {
  try {
    const { theme, density } = JSON.parse(localStorage.getItem('appearance') ?? '{}');
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
    if (density === 'compact') document.documentElement.dataset.density = density;
  } catch {
    // Without storage the page follows the system.
  }
})();
