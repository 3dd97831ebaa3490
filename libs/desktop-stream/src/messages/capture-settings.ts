import { arrayOf, bool, float64, MAX_NAME_LENGTH, record, text, type ContractType, type Infer } from '#libs/contracts/wire';

import { MAX_CODECS } from '../limits.js';
import { orDefault, whole } from '../types.js';
import { ImageFormat } from './enums.js';

const members = {
  captureCursor: bool,
  enableDirectX: bool,
  isAutoQualityEnabled: bool,
  manualQuality: whole,
  autoQualityLowerThresholdMbps: float64,
  autoQualityMaximum: whole,
  autoQualityMinimum: whole,
  autoQualityUpperThresholdMbps: float64,
  isMaxBandwidthEnabled: bool,
  maxBandwidthMbps: float64,
  encodingFormat: orDefault(ImageFormat),
};

const Plain = record('UpdateCaptureSettings', 'The settings of the capture. The whole display comes again.', members);

const Extended = record('UpdateCaptureSettings', Plain.description, {
  ...members,
  videoCodecs: arrayOf(text(MAX_NAME_LENGTH), MAX_CODECS),
  mixedFormats: bool,
  clipboardSync: bool,
});

/**
 * The settings of the capture with the extensions of this project: the video codecs that the viewer decodes, best first, whether it takes
 * every image format in every region, and whether it wants the text of the device's clipboard each time it changes. Without extensions it is
 * written as existing viewers do.
 */
export const UpdateCaptureSettings: ContractType<UpdateCaptureSettings> = {
  ...Extended,
  write: (value, writer) => (hasExtensions(value) ? Extended : Plain).write(value, writer),
};
export type UpdateCaptureSettings = Infer<typeof Extended>;

function hasExtensions({ videoCodecs, mixedFormats, clipboardSync }: UpdateCaptureSettings): boolean {
  return videoCodecs.length > 0 || mixedFormats || clipboardSync;
}
