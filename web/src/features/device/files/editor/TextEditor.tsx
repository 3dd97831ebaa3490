import { Save } from 'lucide';
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';

import { FILES } from '../../../../keyboard/shortcuts.js';
import { Badge } from '../../../../ui/badge/Badge.js';
import { Banner } from '../../../../ui/banner/Banner.js';
import { Button } from '../../../../ui/button/Button.js';
import { shortcutOf } from '../../../../ui/kbd/shortcuts.js';
import { DownloadButton } from '../../../../parts/download/DownloadButton.js';
import { AskToLeave } from '../../../../ui/leave/AskToLeave.js';
import { isPhone, useMedia } from '../../../../ui/media.js';
import { useCurrentDevice } from '../../current-device.js';
import { joined } from '../paths.js';
import { ChangedDialog } from './ChangedDialog.js';
import { choiceOf } from './encoding.js';
import css from './FileEditor.module.css';
import { shownText } from './line-ends.js';
import { positionOf } from './position.js';
import { StatusLine } from './StatusLine.js';
import type { Place, TextFile } from './text-file.js';
import { t } from './texts.js';
import { useSaving } from './useSaving.js';

interface TextEditorProps {
  readonly place: Place;
  readonly file: Extract<TextFile, { readonly kind: 'text' }>;
  /** Address from which the browser downloads the file. */
  readonly address: string;
  /** The button that leads back to the folder. */
  readonly close: ReactNode;
  /** Reads the file again, into a new editor. */
  readonly onReload: () => Promise<void>;
}

/** The text in a field, and where the cursor is in it. */
export function TextEditor({ place, file, address, close, onReload }: TextEditorProps): ReactNode {
  const { device, can } = useCurrentDevice();
  const { name, directory } = place;
  const field = useRef<HTMLTextAreaElement>(null);
  const isSmall = useMedia(isPhone);
  const [isEdited, setEdited] = useState(false);
  const [choice, setChoice] = useState(choiceOf(file.encoding));
  const [position, setPosition] = useState({ line: 1, column: 1 });
  const isEditable = can('device.file-system.transfer-upload') && file.canWrite;
  const isChanged = isEdited || choice !== choiceOf(file.encoding);
  const shown = shownText(file.text);
  const { save, isSaving, problem, changed, dismiss } = useSaving(place, file, choice);
  useEffect(() => field.current?.setSelectionRange(0, 0), []);

  const write = (overwrite: boolean): void => {
    const text = field.current?.value;
    if (!isEditable || !device.isOnline || isSaving || text === undefined) return;
    // What was typed while the file was being saved is not in it.
    void save(text, overwrite).then((isSaved) => isSaved && setEdited(field.current?.value !== text));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (shortcutOf(FILES, event) !== 'save-file') return;
    event.preventDefault();
    if (isChanged) write(false);
  };
  return (
    // The key saves with the focus anywhere in the editor.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className={css.editor} onKeyDown={onKeyDown}>
      <header className={css.head}>
        {close}
        <h2 className={css.name} title={joined(directory, name)}>
          {name}
        </h2>
        {isChanged && <Badge look="warn">{t('unsaved')}</Badge>}
        {!isEditable && <Badge>{t(can('device.file-system.transfer-upload') ? 'read-only-file' : 'read-only')}</Badge>}
        <span className="grow" />
        {!isSmall && (
          <DownloadButton address={address} name={name}>
            {t('download')}
          </DownloadButton>
        )}
        {isEditable && (
          <Button icon={Save} look="primary" busy={isSaving} disabled={!isChanged || !device.isOnline} onClick={() => write(false)}>
            {t('save')}
          </Button>
        )}
      </header>
      {!device.isOnline && <Banner look="warn">{t('offline')}</Banner>}
      {problem !== null && <Banner look="bad">{problem}</Banner>}
      <textarea
        ref={field}
        className={css.text}
        aria-label={t('text', { name })}
        defaultValue={shown}
        readOnly={!isEditable}
        wrap="off"
        dir="ltr"
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        autoFocus
        onChange={({ currentTarget }) => setEdited(currentTarget.value !== shown)}
        onSelect={({ currentTarget }) => setPosition(positionOf(currentTarget.value, currentTarget.selectionEnd))}
      />
      <StatusLine file={file} position={position} choice={choice} onChoose={isEditable ? setChoice : null} />
      <ChangedDialog
        name={name}
        changed={changed}
        isBusy={isSaving}
        onClose={dismiss}
        onReload={onReload}
        onOverwrite={() => write(true)}
      />
      <AskToLeave name={name} isChanged={() => isChanged} leaves={() => true} />
    </div>
  );
}
