import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';

import { folderToStartIn } from '../../../../api/devices/files.js';
import { queryClient } from '../../../../api/queries.js';
import type { DesktopSession } from '../../../../live/sessions/desktop/desktop-session.js';
import { t } from '../../../../live/sessions/desktop/texts.js';
import { platformOf } from '../../../../model/devices/device.js';
import { missingOnDevice } from '../../../../problem/missing.js';
import { TextField } from '../../../../ui/field/Field.js';
import { FormDialog } from '../../../../ui/form/FormDialog.js';
import { useMedia } from '../../../../ui/media.js';
import { toastProblem } from '../../../../ui/toast/toasts.js';
import { useCurrentDevice } from '../../current-device.js';
import { ConflictDialog } from '../../files/upload/ConflictDialog.js';
import { droppedFiles, type GivenFile, givenFiles } from '../../files/upload/dropped-files.js';
import { DropText } from '../../files/upload/DropText.js';
import { hasFiles, useDroppedFiles } from '../../files/upload/useDroppedFiles.js';
import { UploadList } from '../../files/upload/UploadList.js';
import { useUpload } from '../../files/upload/useUpload.js';
import css from './FileDrop.module.css';
import { homesOf } from './homes.js';

type Field = 'folder';

/** Permissions to send files: to upload, and to see which names are taken. */
const NEEDED = ['device.file-system.transfer-upload', 'device.file-system.read'] as const;

/** The permission that the user lacks to send files to the device; undefined if there is none. */
export function useMissingToSend(): (typeof NEEDED)[number] | undefined {
  const { can } = useCurrentDevice();
  return NEEDED.find((permission) => !can(permission));
}

/** Keeps the browser from opening a file that is dropped beside the picture: the page and its sessions would be gone. */
function useNoLeaving(): void {
  useEffect(() => {
    const keep = (event: DragEvent): void => {
      if (hasFiles(event)) event.preventDefault();
    };
    for (const name of ['dragover', 'drop'] as const) document.addEventListener(name, keep);
    return () => {
      for (const name of ['dragover', 'drop'] as const) document.removeEventListener(name, keep);
    };
  }, []);
}

interface FileDropProps {
  readonly desktop: DesktopSession;
  /** True while the user is asked for the folder and the files. */
  readonly isAsking: boolean;
  readonly onAsked: () => void;
  readonly children: ReactNode;
}

/** Takes files that are dropped on a desktop, or chosen, and shows what becomes known of their way to the device. */
export function FileDrop({ desktop, isAsking, onAsked, children }: FileDropProps): ReactNode {
  const { device, name } = useCurrentDevice();
  const missing = useMissingToSend();
  const [chosen, setChosen] = useState<string | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const { upload, conflict } = useUpload();
  const start = folderToStartIn(device.id, homesOf(platformOf(device).name, desktop.remembered.username));
  const [isOver, events] = useDroppedFiles({ overOf: () => missing === undefined || null, onDrop: (transfer) => drop(transfer) });
  const { data } = useQuery({ ...start, enabled: missing === undefined && (isOver === true || isAsking) });
  const folder = chosen ?? data;
  const isTouch = useMedia('(pointer: coarse)');
  useNoLeaving();

  const send = async (files: readonly GivenFile[]): Promise<void> => {
    if (files.length > 0) await upload(files, folder ?? (await queryClient.fetchQuery(start)));
  };
  const drop = (transfer: DataTransfer): void => {
    if (missing !== undefined) toastProblem(missingOnDevice(missing, device.id));
    else void droppedFiles(transfer).then(send).catch(toastProblem);
  };
  return (
    // Dropping has another way for the keyboard: the button Send files.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className={css.area} {...events}>
      {children}
      {isOver === true && (
        <div className={css.over}>
          <DropText>{folder === undefined ? t('drop-device', { name }) : t('drop', { path: folder })}</DropText>
        </div>
      )}
      <UploadList deviceId={device.id} />
      <ConflictDialog conflict={conflict} />
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={t('send-files')}
        onChange={({ currentTarget }) => {
          void send(givenFiles(currentTarget.files ?? [])).catch(toastProblem);
          // The same file may be chosen once more.
          currentTarget.value = '';
        }}
      />
      <FormDialog<string, Field>
        subject={isAsking ? (folder ?? '') : null}
        onClose={onAsked}
        title={() => t('send-files-to', { name })}
        description={() => (isTouch ? undefined : t('send-files-text'))}
        action={() => t('choose-files')}
        act={async (_, { folder: path = '' }) => {
          setChosen(path);
          input.current?.click();
        }}
      >
        {(path) => (
          <TextField<Field>
            key={path}
            name="folder"
            label={t('send-folder')}
            defaultValue={path}
            required
            autoFocus
            autoComplete="off"
            spellCheck={false}
          />
        )}
      </FormDialog>
    </div>
  );
}
