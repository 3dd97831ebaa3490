import type { DeviceSearch } from '../../model/devices/device-search.js';

/** Search of the list of devices, and what changes it. */
export interface FiltersProps {
  readonly search: DeviceSearch;
  readonly onChange: (search: DeviceSearch, replace?: boolean) => void;
  /** Gets the columns as the address holds them. */
  readonly onColumns: (cols: string | undefined) => void;
  readonly disabled: boolean;
}
