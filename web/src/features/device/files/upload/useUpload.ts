import { useState } from 'react';

import { useSession } from '../../../../access/session.js';
import { queryClient } from '../../../../api/queries.js';
import { formatBytes } from '../../../../i18n/format.js';
import { startUploads, type UploadRequest } from '../../../../live/sessions/uploads/uploads.js';
import { toastProblem } from '../../../../ui/toast/toasts.js';
import { useCurrentDevice } from '../../current-device.js';
import { type ConflictAnswer, TakenNames } from './conflicts.js';
import type { GivenFile } from './dropped-files.js';
import { joined } from '../paths.js';
import { contentsQuery, filesChanged, postFolder } from '../../../../api/devices/files.js';
import { t } from '../texts.js';

/** A question about a file whose name is taken. */
export interface Conflict {
  readonly name: string;
  /** Number of other files that may ask the same. */
  readonly others: number;
  readonly answer: (answer: ConflictAnswer | null, forAll: boolean) => void;
}

/** Puts files into the queue, after everything that has to be asked was asked. */
export function useUpload(): {
  readonly upload: (files: readonly GivenFile[], directory: string) => Promise<void>;
  readonly conflict: Conflict | null;
} {
  const { device, name } = useCurrentDevice();
  const { features } = useSession();
  const [conflict, setConflict] = useState<Conflict | null>(null);

  const ask = (of: string, others: number): Promise<{ answer: ConflictAnswer | null; forAll: boolean }> =>
    new Promise((resolve) =>
      setConflict({
        name: of,
        others,
        answer(answer, forAll) {
          setConflict(null);
          resolve({ answer, forAll });
        },
      }),
    );

  /** The names that are taken in a folder, which is made if it is not there. */
  const namesIn = async (directory: string, folders: readonly string[]): Promise<TakenNames> => {
    const path = joined(directory, ...folders);
    let failure: unknown;
    if (folders.length > 0) {
      const parentPath = folders.length === 1 ? directory : joined(directory, ...folders.slice(0, -1));
      const directoryName = folders.at(-1) ?? '';
      try {
        await postFolder(device.id, parentPath, directoryName);
        return new TakenNames([]);
      } catch (error) {
        failure = error;
      }
    }
    const { items, directoryExists } = await queryClient.fetchQuery({ ...contentsQuery(device.id, path), staleTime: 0 });
    if (failure !== undefined && !directoryExists) throw failure;
    return new TakenNames((items ?? []).map((entry) => entry.name));
  };

  const upload = async (given: readonly GivenFile[], directory: string): Promise<void> => {
    const limit = features.maxFileTransferSize;
    const tooLarge = limit > 0 ? given.flatMap(({ file }) => (file !== null && file.size > limit ? file : [])) : [];
    if (tooLarge.length > 0)
      toastProblem(t('too-large', { names: tooLarge.map(({ name: of }) => of).join(', '), limit: formatBytes(limit) }));
    const wanted = given.filter(({ file }) => file === null || !tooLarge.includes(file));
    let others = wanted.filter(({ file }) => file !== null).length;

    const requests: UploadRequest[] = [];
    let forAll: ConflictAnswer | null = null;
    for (const { folders, files: group } of byFolder(wanted)) {
      const taken = await namesIn(directory, folders);
      const target = joined(directory, ...folders);
      for (const file of group) {
        others -= 1;
        let answer: ConflictAnswer | null = forAll;
        if (taken.has(file.name) && answer === null) {
          const said = await ask(file.name, others);
          // Nothing was started yet, so nothing is half done.
          if (said.answer === null) return;
          answer = said.answer;
          if (said.forAll) forAll = answer;
        }
        const isTaken = taken.has(file.name);
        if (isTaken && answer === 'skip') continue;
        const fileName = isTaken && answer === 'keep-both' ? taken.beside(file.name) : file.name;
        taken.add(fileName);
        requests.push({ file, name: fileName, directory: target, overwrite: isTaken && answer === 'overwrite' });
      }
    }
    startUploads({ id: device.id, name }, requests, (path) => {
      void queryClient.invalidateQueries({ queryKey: contentsQuery(device.id, path).queryKey });
    });
    await filesChanged(device.id);
  };
  return { upload: (files, directory) => upload(files, directory).catch((error: unknown) => void toastProblem(error)), conflict };
}

interface Folder {
  readonly folders: readonly string[];
  readonly files: File[];
}

/** The files by the folders that they were in, with every folder on the way, outer ones first: they have to be made first. */
function byFolder(given: readonly GivenFile[]): Folder[] {
  const groups = new Map<string, Folder>();
  const groupOf = (folders: readonly string[]): Folder => {
    // No name of a file holds a slash.
    const key = folders.join('/');
    const group = groups.get(key) ?? { folders, files: [] };
    groups.set(key, group);
    return group;
  };
  for (const { file, folders } of given) {
    for (let depth = 1; depth < folders.length; depth += 1) groupOf(folders.slice(0, depth));
    const { files } = groupOf(folders);
    if (file !== null) files.push(file);
  }
  return [...groups.values()].sort((a, b) => a.folders.length - b.folders.length);
}
