import { FolderPlus, RotateCw, Upload } from 'lucide';
import { type ReactNode, useRef, useState } from 'react';

import { createFolder } from '../../../api/devices/files.js';
import { Button, IconButton } from '../../../ui/button/Button.js';
import { ToggleChip } from '../../../ui/chip/Chip.js';
import { TextField } from '../../../ui/field/Field.js';
import type { Schemas } from '../../../model/schemas.js';
import { FormDialog } from '../../../ui/form/FormDialog.js';
import { MenuButton } from '../../../ui/menu/MenuButton.js';
import { useCurrentDevice } from '../current-device.js';
import { type GivenFile, givenFiles } from './upload/dropped-files.js';
import css from './FileBrowser.module.css';
import { t } from './texts.js';

type Field = keyof Schemas['CreateDeviceDirectoryRequestDto'];

interface FileToolsProps {
  readonly path: string;
  readonly filter: string;
  readonly onFilter: (filter: string) => void;
  readonly showHidden: boolean;
  readonly onToggleHidden: () => void;
  readonly isReading: boolean;
  readonly onRead: () => void;
  readonly onUpload: (files: readonly GivenFile[]) => void;
}

/** Tools of a folder: its filter, and buttons that read it again and add to it. */
export function FileTools(props: FileToolsProps): ReactNode {
  const { path, filter, onFilter, showHidden, onToggleHidden, isReading, onRead, onUpload } = props;
  const { can } = useCurrentDevice();
  const [isNaming, setNaming] = useState(false);
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const take = (input: HTMLInputElement): void => {
    onUpload(givenFiles(input.files ?? []));
    // The same file may be chosen once more.
    input.value = '';
  };
  return (
    <div className={css.tools}>
      <input
        type="search"
        className={css.filter}
        aria-label={t('filter')}
        placeholder={t('filter')}
        value={filter}
        onChange={(event) => onFilter(event.currentTarget.value)}
      />
      <ToggleChip pressed={showHidden} onClick={onToggleHidden}>
        {t('hidden')}
      </ToggleChip>
      <IconButton icon={RotateCw} label={t('refresh')} disabled={isReading} onClick={onRead} />
      {can('device.file-system.write') && (
        <Button icon={FolderPlus} onClick={() => setNaming(true)}>
          {t('new-folder')}
        </Button>
      )}
      {can('device.file-system.transfer-upload') && (
        <span className={css.uploads}>
          <Button icon={Upload} onClick={() => files.current?.click()}>
            {t('upload')}
          </Button>
          <MenuButton
            label={t('upload-folder')}
            hideLabel
            entries={[{ label: t('upload-folder'), onSelect: () => folder.current?.click() }]}
          />
          <input ref={files} type="file" multiple hidden aria-label={t('upload')} onChange={(event) => take(event.currentTarget)} />
          <input
            ref={(input) => {
              folder.current = input;
              input?.setAttribute('webkitdirectory', '');
            }}
            type="file"
            hidden
            aria-label={t('upload-folder')}
            onChange={(event) => take(event.currentTarget)}
          />
        </span>
      )}
      <NewFolder path={path} isOpen={isNaming} onClose={() => setNaming(false)} />
    </div>
  );
}

interface NewFolderProps {
  readonly path: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

function NewFolder({ path, isOpen, onClose }: NewFolderProps): ReactNode {
  const { device } = useCurrentDevice();
  return (
    <FormDialog<string, Field>
      subject={isOpen ? path : null}
      onClose={onClose}
      title={(parent) => t('new-folder-in', { path: parent })}
      action={() => t('new-folder')}
      act={(parent, { directoryName = '' }) => createFolder(device.id, parent, directoryName)}
    >
      {() => <TextField<Field> name="directoryName" label={t('folder-name')} required autoFocus autoComplete="off" spellCheck={false} />}
    </FormDialog>
  );
}
