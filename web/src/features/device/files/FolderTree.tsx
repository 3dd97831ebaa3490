import { useQuery } from '@tanstack/react-query';
import { ChevronDown, ChevronRight, Folder, HardDrive } from 'lucide';
import { type ReactNode, useState } from 'react';

import { classes } from '../../../ui/classes.js';
import { Icon } from '../../../ui/icon/Icon.js';
import { useCurrentDevice } from '../current-device.js';
import { type Entry, foldersShown } from './entries.js';
import css from './FolderTree.module.css';
import { crumbsOf, normalized } from './paths.js';
import { foldersQuery } from '../../../api/devices/files.js';
import { t } from './texts.js';

interface FolderTreeProps {
  readonly drives: readonly Entry[];
  readonly path: string;
  readonly showHidden: boolean;
  readonly onGo: (path: string) => void;
}

/** The drives and the folders in them. Each folder is read when it is opened. */
export function FolderTree({ drives, path, showHidden, onGo }: FolderTreeProps): ReactNode {
  const way = new Set(crumbsOf(path).map((crumb) => crumb.path));
  return (
    <nav className={css.tree} aria-label={t('folders')}>
      <ul>
        {drives.map((drive) => (
          <Node key={drive.fullPath} entry={drive} depth={0} {...{ path, showHidden, way, onGo }} />
        ))}
      </ul>
    </nav>
  );
}

interface NodeProps {
  readonly entry: Entry;
  readonly depth: number;
  readonly path: string;
  readonly showHidden: boolean;
  /** The folders on the way to the one that is shown: they are open from the start. */
  readonly way: ReadonlySet<string>;
  readonly onGo: (path: string) => void;
}

function Node({ entry, depth, path, showHidden, way, onGo }: NodeProps): ReactNode {
  const { device } = useCurrentDevice();
  const own = normalized(entry.fullPath);
  const [toggled, setToggled] = useState<boolean | null>(null);
  const isOpen = toggled ?? (depth === 0 || (way.has(own) && own !== path));
  const { data } = useQuery({ ...foldersQuery(device.id, own), enabled: isOpen });
  const folders = data === undefined ? [] : foldersShown(data, { showHidden, way });
  const isCurrent = own === path;
  return (
    <li>
      <div
        data-folder={own}
        data-hidden={entry.isHidden || undefined}
        className={classes(css.node, isCurrent && css.current)}
        style={{ paddingInlineStart: depth * 16 }}
      >
        <button
          type="button"
          className={css.toggle}
          aria-expanded={isOpen}
          aria-label={t('open-folder', { name: entry.name })}
          hidden={depth > 0 && !entry.hasSubfolders}
          onClick={() => setToggled(!isOpen)}
        >
          <Icon of={isOpen ? ChevronDown : ChevronRight} />
        </button>
        {depth > 0 && !entry.hasSubfolders && <span className={css.toggle} />}
        <button type="button" className={css.name} aria-current={isCurrent ? 'location' : undefined} onClick={() => onGo(own)}>
          <Icon of={depth === 0 ? HardDrive : Folder} />
          <span className="cut">{entry.name}</span>
        </button>
      </div>
      {isOpen && folders.length > 0 && (
        <ul>
          {folders.map((folder) => (
            <Node key={folder.fullPath} entry={folder} depth={depth + 1} {...{ path, showHidden, way, onGo }} />
          ))}
        </ul>
      )}
    </li>
  );
}
