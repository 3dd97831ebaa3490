import en from '../../i18n/en/device-conditions.json' with { type: 'json' };
import { textsOf } from '../../i18n/t.js';

/** The properties of devices and their operators, in words. No list needs them before it is filtered. */
export const conditionText = textsOf('device-conditions', en);
