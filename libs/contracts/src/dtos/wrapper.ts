import { DtoType } from '../enums.js';
import { record } from '../wire/composites.js';
import { binary, exactInt64 } from '../wire/primitives.js';
import type { Infer } from '../wire/wire-type.js';

export const DtoWrapper = record('DtoWrapper', {
  dtoType: DtoType,
  payload: binary(),
  sendTimestamp: exactInt64,
});
export type DtoWrapper = Infer<typeof DtoWrapper>;
