/** Whether a device must carry any or all of the ids that a search names. */
export enum FilterMatchMode {
  Any = 'Any',
  All = 'All',
}
