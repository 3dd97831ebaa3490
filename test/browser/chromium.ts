import { CHROMIUM_PATH } from '../../demo/chromium.js';

export { hasChromium, startChromium } from '../../demo/chromium.js';

/** What the title of a skipped suite says. */
export const WITHOUT_CHROMIUM = `skipped: there is no ${CHROMIUM_PATH}; apt-get install chromium, or set CHROMIUM_PATH`;
