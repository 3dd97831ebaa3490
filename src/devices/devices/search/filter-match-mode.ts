/** Match of the ids that a search names: a device must carry any or all of them. */
export enum FilterMatchMode {
  Any = 'Any',
  All = 'All',
}
