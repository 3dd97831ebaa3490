/** A file of the first load, with its size under gzip. */
export interface LoadedFile {
  readonly file: string;
  readonly size: number;
}

export function firstLoad(dist: string): Promise<readonly LoadedFile[]>;
export function totalOf(files: readonly LoadedFile[], extension: string): number;
