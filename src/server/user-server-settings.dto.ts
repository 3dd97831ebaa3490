import { Bool, Long } from '../http/binding/fields.js';

export class FileUploadMaxSizeResponseDto {
  @Long('In bytes; 0 or less has no limit.') maxFileSize: number;
}

export class DecommissionServerResponseDto {
  @Bool('') isEnabled: boolean;
}
