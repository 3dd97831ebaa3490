import type { ReactNode } from 'react';

import type { DeviceFieldType } from '../../api/devices/device-fields.js';
import { formatDate } from '../../i18n/format.js';
import { t } from './field-texts.js';

/** The value of a field, as people read it. */
export function FieldValue({ type, value }: { readonly type: DeviceFieldType; readonly value: string }): ReactNode {
  switch (type) {
    case 'Date':
      // Without a time it would be midnight in London, which is the day before in New York.
      return formatDate(`${value}T00:00:00`);
    case 'YesNo':
      return value === 'true' ? t('yes') : t('no');
    case 'Link':
      return (
        <a href={value} className="link" target="_blank" rel="noreferrer">
          {value}
        </a>
      );
    case 'Text':
    case 'Number':
    case 'Choice':
      return value;
  }
}
