import { DevicePermission } from '../device-permissions.js';
import { FileUploadMetadata } from '../dtos/files.js';
import { hub } from '../hub-method.js';
import { HubResult } from '../hub-result.js';
import { onDevice, viewerMethod } from '../viewer-method.js';
import { binary } from '../wire/primitives.js';

/** Files for devices. */
export const fileMethods = hub({
  UploadFile: viewerMethod({
    description:
      'Writes a file on a device. The items of the stream are its bytes; the server passes them on as the agent takes them and stores nothing. ' +
      'Answers after the agent has written the last of them. An upload fails if its announced size or its bytes exceed ' +
      '`AppOptions:MaxFileTransferSize`, if it ends before its announced size, if nothing arrives for a minute, or if the device does not ' +
      'begin to fetch the bytes that wait within five seconds. Other reasons are `Device is not currently connected.`, ' +
      '`File upload was canceled.` and, with the message of the agent, `Agent failed to download file: …`.',
    parameters: [FileUploadMetadata, { stream: binary() }],
    returns: HubResult,
    access: onDevice(DevicePermission.FileSystemTransferUpload),
    relaysTo: 'DownloadFileFromViewer',
    exceptionReason: 'An error occurred during file upload.',
  }),
});
