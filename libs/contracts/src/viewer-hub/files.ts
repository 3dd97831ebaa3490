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
      'Writes a file on a device. The bytes are the items of the stream; the server passes them on as the agent takes them and stores nothing. ' +
      'Answers after the agent has written the last of them. A file above `AppOptions:MaxFileTransferSize` fails, by its announced size or by ' +
      'the bytes that come. So does one that ends before its announced size, one of which nothing arrives for a minute, and one that the ' +
      'device does not begin to fetch within five seconds while more of it waits. Other reasons are `Device is not currently connected.`, ' +
      '`File upload was canceled.` and, with the words of the agent, `Agent failed to download file: …`.',
    parameters: [FileUploadMetadata, { stream: binary() }],
    returns: HubResult,
    access: onDevice(DevicePermission.FileSystemTransferUpload),
    relaysTo: 'DownloadFileFromViewer',
    exceptionReason: 'An error occurred during file upload.',
  }),
});
