import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import type { DeviceField } from '../../api/devices/device-fields.js';
import { listedValuesQuery } from '../../api/devices/listed-values.js';
import { t } from './field-texts.js';
import { FieldValue } from './FieldValue.js';
import type { Marks } from './marks.js';

interface FieldCellProps {
  readonly field: DeviceField;
  readonly deviceId: string;
  readonly marks: Marks | undefined;
}

/** The value of a field in a list. Those of all rows in sight are read together. */
export function FieldCell({ field: { id, type }, deviceId, marks }: FieldCellProps): ReactNode {
  const { data: values, isError } = useQuery(listedValuesQuery(deviceId));
  if (isError && values === undefined) return <span title={t('unread')}>–</span>;
  const value = values?.get(id);
  if (value === undefined) return null;
  return type === 'Text' || type === 'Choice' || type === 'Number' ? (
    (marks?.text(value) ?? value)
  ) : (
    <FieldValue type={type} value={value} />
  );
}
