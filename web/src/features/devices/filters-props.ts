import type { DeviceSearch } from '../../model/devices/device-search.js';
import type { ColumnChoice } from '../../parts/devices/chosen-columns.js';
import type { MenuCheck } from '../../ui/menu/entries.js';

/** Search of the list of devices, and what changes it. */
export interface FiltersProps {
  readonly search: DeviceSearch;
  readonly onChange: (search: DeviceSearch, replace?: boolean) => void;
  readonly onColumns: (choose: ColumnChoice) => void;
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
