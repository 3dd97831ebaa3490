import { useQuery } from '@tanstack/react-query';
import { Pencil } from 'lucide';
import { lazy, type ReactNode, Suspense, useState } from 'react';

import { type DeviceField, deviceFieldsQuery } from '../../../api/devices/device-fields.js';
import { type DeviceNotes, deviceNotesQuery } from '../../../api/devices/device-notes.js';
import { Button, IconButton } from '../../../ui/button/Button.js';
import { Property, PropertyList } from '../../../ui/property-list/PropertyList.js';
import { SkeletonList } from '../../../ui/skeleton/Skeleton.js';
import { ErrorState } from '../../../ui/states/ErrorState.js';
import { useCurrentDevice } from '../current-device.js';
import css from './Notes.module.css';
import { valueOf } from './notes-values.js';
import { t } from './texts.js';
import { FieldValue } from '../../../parts/devices/FieldValue.js';

const NotesForm = lazy(async () => ({ default: (await import('./NotesForm.js')).NotesForm }));

/** The note and the fields of the device, which users edit in place. */
export function Notes(): ReactNode {
  const { device, can } = useCurrentDevice();
  const notes = useQuery(deviceNotesQuery(device.id));
  const fields = useQuery(deviceFieldsQuery);
  const [isEditing, setEditing] = useState(false);
  const failed = [notes, fields].find(({ isError, data }) => isError && data === undefined);
  const isLoaded = notes.data !== undefined && fields.data !== undefined;
  const mayEdit = isLoaded && can('device.alias.write');
  const edit = (): void => setEditing(true);
  return (
    <div className={css.body}>
      <div className={css.head}>
        <h2>{t('title')}</h2>
        {mayEdit && !isEditing && <IconButton icon={Pencil} label={t('edit')} onClick={edit} />}
      </div>
      {failed !== undefined ? (
        <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />
      ) : !isLoaded ? (
        <SkeletonList rows={2} columns={[1]} />
      ) : isEditing ? (
        <Suspense fallback={<SkeletonList rows={2} columns={[1]} />}>
          <NotesForm fields={fields.data} onLeave={() => setEditing(false)} />
        </Suspense>
      ) : (
        <Written notes={notes.data.value} fields={fields.data} onAdd={mayEdit ? edit : undefined} />
      )}
    </div>
  );
}

interface WrittenProps {
  readonly notes: DeviceNotes;
  readonly fields: readonly DeviceField[];
  readonly onAdd: (() => void) | undefined;
}

function Written({ notes, fields, onAdd }: WrittenProps): ReactNode {
  return (
    <>
      {notes.note !== '' && <p className={css.note}>{notes.note}</p>}
      {notes.note === '' && fields.length === 0 && (
        <p className={css.empty}>
          <span className="muted">{t('none')}</span>
          {onAdd !== undefined && <Button onClick={onAdd}>{t('add')}</Button>}
        </p>
      )}
      {fields.length > 0 && (
        <PropertyList>
          {fields.map((field) => {
            const value = valueOf(notes, field);
            return (
              <Property key={field.id} term={field.name} copy={field.type === 'YesNo' ? '' : value}>
                {value === '' ? null : <FieldValue type={field.type} value={value} />}
              </Property>
            );
          })}
        </PropertyList>
      )}
    </>
  );
}
