import { Bool, Long } from '../../platform/http/binding/fields.js';

export class FileUploadMaxSizeResponseDto {
  @Long('Size of the largest file that may be uploaded, in bytes. With 0 or less there is no limit.', { example: 104857600 })
  maxFileSize: number;
}

export class DecommissionServerResponseDto {
  @Bool('True if the server is being decommissioned.', { example: false }) isEnabled: boolean;
}
