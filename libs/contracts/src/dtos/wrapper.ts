import { DtoType } from '../enums.js';
import { record } from '../wire/composites.js';
import { binary, exactInt64 } from '../wire/primitives.js';
import type { Infer } from '../wire/wire-type.js';

export const DtoWrapper = record(
  'DtoWrapper',
  'A message that the server passes on without reading it.',
  {
    dtoType: DtoType,
    payload: binary(),
    sendTimestamp: exactInt64,
  },
  {
    dtoType: 'The type of the payload.',
    payload: 'Opaque to the server.',
    sendTimestamp: "Opaque to the server: the sender's clock.",
  },
);
export type DtoWrapper = Infer<typeof DtoWrapper>;
