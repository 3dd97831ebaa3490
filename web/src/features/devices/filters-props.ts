import type { DeviceSearch, DeviceSearchChange } from '../../model/devices/device-search.js';
import type { MenuCheck } from '../../ui/menu/entries.js';

/** Search of the list of devices, and what changes it. */
export interface FiltersProps {
  readonly search: DeviceSearch;
  readonly onChange: (change: DeviceSearchChange, replace?: boolean) => void;
  readonly disabled: boolean;
}

/** A filter with its values. */
export interface ValuesProps {
  readonly label: string;
  readonly disabled: boolean;
  readonly values: readonly MenuCheck[];
  /** Choices besides the values, below them. */
  readonly others?: readonly MenuCheck[];
}
