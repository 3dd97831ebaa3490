import { queryOptions } from '@tanstack/react-query';

import { api, bodyOf, hooks, refusal, type Schemas } from '../client.js';
import { mutation } from '../mutation.js';
import { ProblemError } from '../../problem/problem.js';
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

/** The first of some folders that is on the device; the first drive if none is. */
export const folderToStartIn = (deviceId: string, wanted: readonly string[]) =>
  queryOptions({
    queryKey: ['files', deviceId, 'start', ...wanted],
    queryFn: async ({ signal }): Promise<string> => {
      for (const targetPath of wanted) {
        const found = await bodyOf(api.POST('/api/v1/device-file-system/path-segments', { body: { deviceId, targetPath }, signal }));
        if (found.pathExists) return targetPath;
      }
      const drives = await queryClient.fetchQuery(drivesQuery(deviceId));
      return drives.at(0)?.fullPath ?? '/';
    },
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

/** Deletes a file or a folder. One step of the deletion of several, which ends with `filesChanged`. */
export const deletePath = (deviceId: string, filePath: string) =>
  api.DELETE('/api/v1/device-file-system/delete-path/{deviceId}', { params: { path: { deviceId } }, body: { filePath } });

/** The optional abilities of the agent of a device with files. */
export const featuresQuery = (deviceId: string) =>
  queryOptions({
    queryKey: ['files', deviceId, 'features'],
    queryFn: ({ signal }) => bodyOf(api.GET('/account/device-files/{deviceId}', { params: { path: { deviceId } }, signal })),
    staleTime: FRESH.list,
  });

/** Gives a file or a folder another name in its folder. */
export const renamePath = mutation(['files'], (deviceId: string, filePath: string, newName: string) =>
  api.POST('/account/device-files/{deviceId}/rename', { params: { path: { deviceId } }, body: { filePath, newName } }),
);

/** Has the files of a device read again. */
export const filesChanged = (deviceId: string): Promise<void> => queryClient.invalidateQueries({ queryKey: ['files', deviceId] });

/** Address from which the browser itself downloads a file. */
export function downloadAddress(deviceId: string, filePath: string): string {
  const query = new URLSearchParams({ filePath });
  if (hooks.tenantId !== null) query.set('tenantId', hooks.tenantId);
  return `/api/v1/device-file-system/download/${deviceId}?${query.toString()}`;
}

/** Returns the bytes of a file; null if there are more than the limit. */
export async function readBytes(deviceId: string, filePath: string, limit: number, signal?: AbortSignal): Promise<Uint8Array | null> {
  const response = await withSignIn(() => fetch(downloadAddress(deviceId, filePath), { signal }));
  if (!response.ok) throw await refusal(response, 'GET /api/v1/device-file-system/download/{deviceId}', { deviceId });
  if (Number(response.headers.get('content-length')) > limit) {
    await response.body?.cancel();
    return null;
  }
  return new Uint8Array(await response.arrayBuffer());
}

/** Writes a file in place of the one of that name. The fields stand before the file, so that its bytes need not wait. */
export async function writeBytes(deviceId: string, directory: string, name: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  const body = new FormData();
  body.append('targetSaveDirectory', directory);
  body.append('overwrite', 'true');
  body.append('file', new Blob([bytes]), name);
  const query = new URLSearchParams(hooks.tenantId === null ? {} : { tenantId: hooks.tenantId });
  const url = `/api/v1/device-file-system/upload/${deviceId}?${query.toString()}`;
  const response = await withSignIn(() => fetch(url, { method: 'POST', body }));
  if (!response.ok) throw await refusal(response, 'POST /api/v1/device-file-system/upload/{deviceId}', { deviceId });
}

/** Sends a request that the client does not: its bodies are texts. Repeats it after a sign-in where the session has ended. */
async function withSignIn(send: () => Promise<Response>): Promise<Response> {
  const answer = (): Promise<Response> =>
    send().catch((error: unknown) => {
      throw error instanceof TypeError ? new ProblemError(0, { title: error.message }) : error;
    });
  const since = hooks.signIns;
  const response = await answer();
  if (response.status !== 401 || hooks.onSignedOut === null) return response;
  await hooks.onSignedOut(since);
  return answer();
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
