import { queryOptions } from '@tanstack/react-query';

import { api, bodyOf, hooks, type Schemas } from '../client.js';
import { mutation } from '../mutation.js';
import { FRESH, queryClient } from '../queries.js';

type Entry = Schemas['DeviceFileSystemEntryDto'];

/** Entries at which browsing begins: the drives of Windows, the root elsewhere. */
export const drivesQuery = (deviceId: string) =>
  queryOptions({
    queryKey: ['files', deviceId, 'drives'],
    queryFn: async ({ signal }): Promise<readonly Entry[]> =>
      (await bodyOf(api.POST('/api/v1/device-file-system/root-drives', { body: { deviceId }, signal }))).drives ?? [],
    staleTime: FRESH.list,
  });

/** Contents of a folder. */
export const contentsQuery = (deviceId: string, directoryPath: string) =>
  queryOptions({
    queryKey: ['files', deviceId, 'contents', directoryPath],
    queryFn: ({ signal }) => bodyOf(api.POST('/api/v1/device-file-system/contents', { body: { deviceId, directoryPath }, signal })),
    staleTime: FRESH.usual,
  });

/** The folders in a folder, for the tree. */
export const foldersQuery = (deviceId: string, directoryPath: string) =>
  queryOptions({
    queryKey: ['files', deviceId, 'folders', directoryPath],
    queryFn: async ({ signal }): Promise<readonly Entry[]> =>
      (await bodyOf(api.POST('/api/v1/device-file-system/subdirectories', { body: { deviceId, directoryPath }, signal }))).subdirectories ??
      [],
    staleTime: FRESH.list,
  });

/** Makes a folder. One step of an upload, which ends with `filesChanged`. */
export const postFolder = (deviceId: string, parentPath: string, directoryName: string) =>
  api.POST('/api/v1/device-file-system/create-directory/{deviceId}', {
    params: { path: { deviceId } },
    body: { parentPath, directoryName },
  });

export const createFolder = mutation(['files'], postFolder);

/** Deletes a file or a folder. One step of the deletion of several, after which the page reads their folder again. */
export const deletePath = (deviceId: string, filePath: string) =>
  api.DELETE('/api/v1/device-file-system/delete-path/{deviceId}', { params: { path: { deviceId } }, body: { filePath } });

/** Has the files of a device read again. */
export const filesChanged = (deviceId: string): Promise<void> => queryClient.invalidateQueries({ queryKey: ['files', deviceId] });

/** Address from which the browser itself downloads a file. */
export function downloadAddress(deviceId: string, filePath: string): string {
  const query = new URLSearchParams({ filePath });
  if (hooks.tenantId !== null) query.set('tenantId', hooks.tenantId);
  return `/api/v1/device-file-system/download/${deviceId}?${query.toString()}`;
}

/**
 * Makes the browser store several files and folders as one archive. It comes in a tab of its own: a refusal is shown there, not over the
 * page.
 */
export function downloadArchive(deviceId: string, name: string, paths: readonly string[]): void {
  const form = document.createElement('form');
  form.method = 'post';
  form.target = '_blank';
  form.rel = 'noopener';
  form.action = `/api/device-file-system/download-archive/${deviceId}/form`;
  const fields = [['archiveFileName', name], ...paths.map((path) => ['targetPaths', path])];
  for (const [field, value] of fields) {
    const input = document.createElement('input');
    input.type = 'hidden';
    input.name = field;
    input.value = value;
    form.append(input);
  }
  document.body.append(form);
  form.submit();
  form.remove();
}
