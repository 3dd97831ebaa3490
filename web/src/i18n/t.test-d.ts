import en from './en/about.json' with { type: 'json' };
import { textsOf } from './t.js';

/* Pages say texts that the catalogue has. */

const t = textsOf('about', en);
export const right = (): string => t('title');
// @ts-expect-error: a typo
export const wrong = (): string => t('titel');
