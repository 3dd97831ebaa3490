// Runs before the first paint, so that the page never flashes in the other theme.
(() => {
  try {
    const { theme, density, motion } = JSON.parse(localStorage.getItem('appearance') ?? '{}');
    const { dataset } = document.documentElement;
    if (theme === 'light' || theme === 'dark') dataset.theme = theme;
    if (density === 'compact') dataset.density = density;
    if (motion === 'reduced') dataset.motion = motion;
  } catch {
    // Without storage the page follows the system.
  }
})();
