import { onDevice, onDeviceInBody } from '../calls.js';
import type { Resource } from '../resource.js';

const BOUNDARY = 'boundary-of-the-form';
const FORM = [
  ['targetSaveDirectory', null, '/tmp'],
  ['overwrite', null, 'false'],
  ['file', 'a.txt', 'content'],
]
  .map(([name, file, text]) => {
    const fileName = file === null ? '' : `; filename="${file}"`;
    return `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${fileName}\r\n\r\n${text}\r\n`;
  })
  .join('');

export const deviceFileSystem: Resource = {
  tag: 'DeviceFileSystem',
  routes: {
    'POST /api/v1/device-file-system/contents': {
      access: 'device.file-system.read on device: body deviceId',
      tenant: 'query',
      body: 'DeviceDirectoryContentsRequestDto',
      answers: { 200: 'DeviceDirectoryContentsResponseDto' },
      errors: [400, 403, 404, 408, 409, 502],
      call: onDeviceInBody({ directoryPath: '/' }),
    },
    'POST /api/v1/device-file-system/path-segments': {
      access: 'device.file-system.read on device: body deviceId',
      tenant: 'query',
      body: 'DevicePathSegmentsRequestDto',
      answers: { 200: 'DevicePathSegmentsResponseDto' },
      errors: [400, 403, 404, 408, 409, 502],
      call: onDeviceInBody({ targetPath: '/' }),
    },
    'POST /api/v1/device-file-system/root-drives': {
      access: 'device.file-system.read on device: body deviceId',
      tenant: 'query',
      body: 'DeviceRootDrivesRequestDto',
      answers: { 200: 'DeviceRootDrivesResponseDto' },
      errors: [400, 403, 404, 408, 409, 502],
      call: onDeviceInBody({}),
    },
    'POST /api/v1/device-file-system/subdirectories': {
      access: 'device.file-system.read on device: body deviceId',
      tenant: 'query',
      body: 'DeviceSubdirectoriesRequestDto',
      answers: { 200: 'DeviceSubdirectoriesResponseDto' },
      errors: [400, 403, 404, 408, 409, 502],
      call: onDeviceInBody({ directoryPath: '/' }),
    },
    'POST /api/v1/device-file-system/validate-path/:deviceId': {
      access: 'device.file-system.read on device: path deviceId',
      tenant: 'query',
      body: 'ValidateDeviceFilePathRequestDto',
      answers: { 200: 'DeviceFilePathValidationResponseDto' },
      errors: [400, 403, 404, 408, 409, 502],
      call: onDevice({ body: { directoryPath: '/', fileName: 'a' } }),
    },
    'POST /api/v1/device-file-system/create-directory/:deviceId': {
      access: 'device.file-system.write on device: path deviceId',
      tenant: 'query',
      body: 'CreateDeviceDirectoryRequestDto',
      answers: { 204: 'nothing' },
      errors: [400, 403, 404, 408, 409, 502],
      call: onDevice({ body: { parentPath: '/', directoryName: 'a' } }),
    },
    'POST /api/v1/device-file-system/upload/:deviceId': {
      access: 'device.file-system.transfer-upload on device: path deviceId',
      tenant: 'query',
      body: 'multipart/form-data',
      answers: { 200: 'DeviceFileUploadResponseDto' },
      errors: [400, 403, 404, 408, 409, 413, 502],
      call: onDevice({
        body: `${FORM}--${BOUNDARY}--\r\n`,
        headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
      }),
    },
    'GET /api/v1/device-file-system/download/:deviceId': {
      access: 'device.file-system.transfer-download on device: path deviceId',
      tenant: 'query',
      query: { filePath: 'string, required' },
      answers: { 200: 'application/octet-stream' },
      errors: [400, 403, 404, 408, 409, 413, 502],
      call: onDevice({ query: { filePath: '/a' } }),
    },
    'POST /api/v1/device-file-system/download-archive/:deviceId': {
      access: 'device.file-system.transfer-download on device: path deviceId',
      tenant: 'query',
      body: 'DownloadDeviceArchiveRequestDto',
      answers: { 200: 'application/octet-stream' },
      errors: [400, 403, 404, 408, 409, 413, 502],
      call: onDevice({ body: { archiveFileName: 'a', targetPaths: ['/a'] } }),
    },
    'DELETE /api/v1/device-file-system/delete-path/:deviceId': {
      access: 'device.file-system.delete on device: path deviceId',
      tenant: 'query',
      body: 'DeleteDevicePathRequestDto',
      answers: { 200: 'DevicePathDeletionResponseDto' },
      errors: [400, 403, 404, 408, 409, 502],
      call: onDevice({ body: { filePath: '/a' } }),
    },
    'GET /api/v1/device-file-system/logs/:deviceId': {
      access: 'device.logs.read on device: path deviceId',
      tenant: 'query',
      answers: { 200: 'DeviceLogFileListResponseDto' },
      errors: [400, 403, 404, 408, 409, 502],
      call: onDevice(),
    },
    'GET /api/v1/device-file-system/logs/:deviceId/contents': {
      access: 'device.logs.read on device: path deviceId',
      tenant: 'query',
      query: { filePath: 'string, required' },
      answers: { 200: 'text/plain' },
      errors: [400, 403, 404, 408, 409, 502],
      call: onDevice({ query: { filePath: '/a' } }),
    },
  },
  schemas: {
    CreateDeviceDirectoryRequestDto: { parentPath: 'string, required', directoryName: 'string, required' },
    DeleteDevicePathRequestDto: { filePath: 'string, required' },
    DeviceDirectoryContentsRequestDto: { deviceId: 'string(uuid), required', directoryPath: 'string, required' },
    DeviceDirectoryContentsResponseDto: { items: 'list of DeviceFileSystemEntryDto', directoryExists: 'boolean' },
    DeviceFilePathValidationResponseDto: { isValid: 'boolean', errorMessage: 'string' },
    DeviceFileSystemEntryDto: {
      name: 'string',
      fullPath: 'string',
      isDirectory: 'boolean',
      size: 'integer(int64)',
      lastModified: 'string(date-time)',
      isHidden: 'boolean',
      canRead: 'boolean',
      canWrite: 'boolean',
      hasSubfolders: 'boolean',
    },
    DeviceFileUploadResponseDto: { message: 'string', fileName: 'string' },
    DeviceLogFileEntryDto: { fileName: 'string', fullPath: 'string', size: 'integer(int64)', lastModified: 'string(date-time)' },
    DeviceLogFileGroupDto: { groupName: 'string', logFiles: 'list of DeviceLogFileEntryDto' },
    DeviceLogFileListResponseDto: { logFileGroups: 'list of DeviceLogFileGroupDto' },
    DevicePathDeletionResponseDto: { message: 'string', filePath: 'string' },
    DevicePathSegmentsRequestDto: { deviceId: 'string(uuid), required', targetPath: 'string, required' },
    DevicePathSegmentsResponseDto: {
      errorMessage: 'string or null',
      pathExists: 'boolean',
      pathSegments: 'list of string',
      pathSeparator: 'string',
      success: 'boolean',
    },
    DeviceRootDrivesRequestDto: { deviceId: 'string(uuid), required' },
    DeviceRootDrivesResponseDto: { drives: 'list of DeviceFileSystemEntryDto' },
    DeviceSubdirectoriesRequestDto: { deviceId: 'string(uuid), required', directoryPath: 'string, required' },
    DeviceSubdirectoriesResponseDto: { subdirectories: 'list of DeviceFileSystemEntryDto' },
    DownloadDeviceArchiveRequestDto: { archiveFileName: 'string, required', targetPaths: 'list of string, required' },
    ValidateDeviceFilePathRequestDto: { directoryPath: 'string, required', fileName: 'string, required' },
  },
};
