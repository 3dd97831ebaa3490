import { useRouter } from '@tanstack/react-router';
import {
  Camera,
  Circle,
  ClipboardCheck,
  ClipboardList,
  Eye,
  FileUp,
  FolderOpen,
  Gauge,
  Keyboard,
  Maximize,
  MessageSquare,
  Minimize,
  Scaling,
  Touchpad,
  X,
} from 'lucide';
import type { ReactNode, RefObject } from 'react';

import type { DesktopSession } from '../../../live/sessions/desktop/desktop-session.js';
import { SHORTCUTS } from '../../../live/sessions/desktop/input/shortcuts.js';
import { QUALITIES } from '../../../live/sessions/desktop/quality.js';
import { t } from '../../../live/sessions/desktop/texts.js';
import { platformOf } from '../../../model/devices/device.js';
import { IconButton } from '../../../ui/button/Button.js';
import { classes } from '../../../ui/classes.js';
import { type MenuEntry, withoutIdleLines } from '../../../ui/menu/entries.js';
import { useMedia } from '../../../ui/media.js';
import { MenuButton } from '../../../ui/menu/MenuButton.js';
import { saveFile } from '../../../ui/save-file.js';
import { toastProblem } from '../../../ui/toast/toasts.js';
import { useCurrentDevice } from '../current-device.js';
import { toggleFullScreen } from '../session-frame/full-screen.js';
import frame from '../session-frame/SessionFrame.module.css';
import { DisplaySwitch } from './DisplaySwitch.js';
import css from './ScreenPanel.module.css';
import { useMissingToSend } from './send-files/FileDrop.js';

/** A phone, upright or on its side. */
const IS_SMALL = '(max-width: 759px), (max-height: 479px)';

interface DesktopToolsProps {
  readonly desktop: DesktopSession;
  readonly tools: RefObject<HTMLDivElement | null>;
  /** True in a window of its own, which has no way to other pages and displays. */
  readonly isAlone: boolean;
  readonly onSend: () => void;
  /** On a phone, where the desktop covers the page or leaves it in sight. */
  readonly cover: { readonly covers: boolean; readonly setCovers: (covers: boolean) => void } | undefined;
}

/** The buttons over a desktop. On a phone most of them are in one menu. */
export function DesktopTools({ desktop, tools, isAlone, onSend, cover }: DesktopToolsProps): ReactNode {
  const { can } = useCurrentDevice();
  const isSmall = useMedia(IS_SMALL);
  const isTouch = useMedia('(pointer: coarse)');
  const missing = useMissingToSend();
  const rest = useMoreEntries(desktop, isAlone);
  const folded = useFoldedEntries(desktop);
  return (
    <div className={classes(frame.tools, css.tools)} role="toolbar" aria-label={t('tools')} ref={tools}>
      {!isSmall && <WideTools {...{ desktop, isAlone }} />}
      {isSmall && !isAlone && <DisplaySwitch desktop={desktop} />}
      {isTouch && can('device.remote-control.interact') && (
        <IconButton
          icon={Touchpad}
          label={t('trackpad')}
          aria-pressed={desktop.pointerMode === 'trackpad'}
          small
          onClick={() => desktop.togglePointerMode()}
        />
      )}
      {missing === undefined && <IconButton icon={FileUp} label={t('send-files')} small onClick={onSend} />}
      <MenuButton label={t('more')} hideLabel look="quiet" small entries={isSmall ? [...folded, null, ...rest] : rest} />
      {cover === undefined ? (
        <IconButton icon={Maximize} label={t('full-screen')} small onClick={() => void toggleFullScreen().then(() => desktop.focus())} />
      ) : (
        <IconButton
          icon={cover.covers ? Minimize : Maximize}
          label={t(cover.covers ? 'show-page' : 'hide-page')}
          small
          onClick={() => cover.setCovers(!cover.covers)}
        />
      )}
      <IconButton icon={X} label={t('end')} small onClick={desktop.end} />
    </div>
  );
}

/** The buttons that have room beside each other on a wide screen only. */
function WideTools({ desktop, isAlone }: Pick<DesktopToolsProps, 'desktop' | 'isAlone'>): ReactNode {
  const { can } = useCurrentDevice();
  const isOpen = desktop.connection.kind === 'open';
  const keys = useKeyEntries(desktop);
  const clipboard = useClipboardEntries(desktop);
  const isInSync = desktop.clipboard.sync.isOn;
  return (
    <>
      <IconButton
        icon={Scaling}
        label={t('actual-size')}
        aria-pressed={desktop.zoom === 'actual'}
        small
        onClick={() => desktop.toggleZoom()}
      />
      {!isAlone && <DisplaySwitch desktop={desktop} />}
      <MenuButton icon={Gauge} label={t('quality')} hideLabel look="quiet" small entries={qualityEntries(desktop)} />
      <IconButton
        icon={Eye}
        label={t('view-only')}
        aria-pressed={desktop.isViewOnly}
        small
        disabled={!can('device.remote-control.interact')}
        onClick={() => desktop.toggleViewOnly()}
      />
      {keys.length > 0 && (
        <MenuButton
          icon={Keyboard}
          label={t('keys')}
          hideLabel
          look="quiet"
          small
          disabled={!isOpen || desktop.isViewOnly}
          entries={keys}
        />
      )}
      {clipboard.length > 0 && (
        <MenuButton
          icon={isInSync ? ClipboardCheck : ClipboardList}
          label={t(isInSync ? 'clipboard-in-sync' : 'clipboard')}
          hideLabel
          look="quiet"
          small
          disabled={!isOpen}
          entries={clipboard}
        />
      )}
    </>
  );
}

/** The same tools in a menu. */
function useFoldedEntries(desktop: DesktopSession): readonly MenuEntry[] {
  const { can } = useCurrentDevice();
  const isOpen = desktop.connection.kind === 'open';
  const keys = useKeyEntries(desktop);
  const clipboard = useClipboardEntries(desktop);
  return [
    { label: t('actual-size'), checked: desktop.zoom === 'actual', onCheckedChange: () => desktop.toggleZoom() },
    {
      label: t('view-only'),
      checked: desktop.isViewOnly,
      disabled: !can('device.remote-control.interact'),
      onCheckedChange: () => desktop.toggleViewOnly(),
    },
    { submenu: t('quality'), icon: Gauge, entries: qualityEntries(desktop) },
    ...(isOpen && keys.length > 0 && !desktop.isViewOnly ? [{ submenu: t('keys'), icon: Keyboard, entries: keys }] : []),
    ...(isOpen && clipboard.length > 0 ? [{ submenu: t('clipboard'), icon: ClipboardList, entries: clipboard }] : []),
  ];
}

const qualityEntries = (desktop: DesktopSession): MenuEntry[] =>
  QUALITIES.map((quality) => ({
    label: t(`quality-${quality}`),
    checked: quality === desktop.quality,
    onCheckedChange: () => desktop.choose(quality),
  }));

function useKeyEntries(desktop: DesktopSession): readonly MenuEntry[] {
  const { can } = useCurrentDevice();
  if (!can('device.remote-control.interact')) return [];
  return withoutIdleLines([
    ...(can('device.ctrl-alt-del.send') ? [{ label: 'Ctrl+Alt+Del', onSelect: () => void desktop.pressCtrlAltDel() }] : []),
    null,
    ...SHORTCUTS.map(({ label, keys }) => ({ label, onSelect: () => desktop.press(keys) })),
  ]);
}

function useClipboardEntries({ clipboard, isViewOnly }: DesktopSession): readonly MenuEntry[] {
  const { can } = useCurrentDevice();
  const { sync } = clipboard;
  const mayShare = can('device.clipboard.read') || can('device.clipboard.write');
  return withoutIdleLines([
    ...(mayShare && sync.isPossible
      ? [{ label: t('clipboard-sync'), checked: sync.isOn, onCheckedChange: () => sync.toggle() }]
      : mayShare
        ? [{ label: t('clipboard-sync'), disabled: true, hint: t('clipboard-sync-impossible'), onSelect: () => undefined }]
        : []),
    null,
    ...(can('device.clipboard.read') ? [{ label: t('take-clipboard'), onSelect: () => clipboard.ask() }] : []),
    ...(can('device.clipboard.write') ? [{ label: t('send-clipboard'), onSelect: () => void clipboard.give() }] : []),
    ...(can('device.remote-control.interact')
      ? [{ label: t('type-clipboard'), disabled: isViewOnly, onSelect: () => void clipboard.type() }]
      : []),
  ]);
}

function useMoreEntries(desktop: DesktopSession, isAlone: boolean): readonly MenuEntry[] {
  const { device, can } = useCurrentDevice();
  const router = useRouter();
  const isOpen = desktop.connection.kind === 'open';
  const mayBlock = can('device.remote-control.block-input') && platformOf(device).name === 'Windows';
  const params = { deviceId: device.id };
  const chat = { to: '/devices/$deviceId/chat', params, search: { process: String(desktop.remembered.processId) } } as const;
  return withoutIdleLines([
    { label: t('screenshot'), icon: Camera, disabled: !desktop.hasPicture, onSelect: () => void savePicture(desktop) },
    {
      label: t(desktop.recorder.recording === null ? 'record' : 'record-stop'),
      icon: Circle,
      disabled: !isOpen && desktop.recorder.recording === null,
      onSelect: () => void desktop.recorder.toggle(),
    },
    null,
    ...(mayBlock
      ? [
          { label: t('block-input'), checked: desktop.blocksInput, disabled: !isOpen, onCheckedChange: () => desktop.toggleBlockInput() },
          { label: t('privacy'), checked: desktop.isPrivate, disabled: !isOpen, onCheckedChange: () => desktop.togglePrivacy() },
        ]
      : []),
    null,
    ...(!isAlone && can('device.chat.send') ? [{ label: t('chat'), icon: MessageSquare, href: router.buildLocation(chat).href }] : []),
    ...(!isAlone && can('device.file-system.read')
      ? [{ label: t('files'), icon: FolderOpen, href: router.buildLocation({ to: '/devices/$deviceId/files', params }).href }]
      : []),
  ]);
}

/** Saves the picture of a desktop as a file that is named after the device and the time. */
async function savePicture(desktop: DesktopSession): Promise<void> {
  const picture = await desktop.takePicture();
  if (picture === null) toastProblem(t('screenshot-none'));
  else saveFile(picture, `${desktop.deviceName} ${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}.png`);
}
