/** A file that was dropped or chosen, or null for an empty folder, and the folders that it was in, the outermost first. */
export interface GivenFile {
  readonly file: File | null;
  readonly folders: readonly string[];
}

/** Files of a file input. Those of a chosen folder say where they were in it. */
export const givenFiles = (files: Iterable<File>): GivenFile[] =>
  [...files].map((file) => ({ file, folders: file.webkitRelativePath.split('/').slice(0, -1) }));

/** Everything that was dropped, folders with all that is in them. Has to be called while the event is handled. */
export async function droppedFiles(transfer: DataTransfer): Promise<GivenFile[]> {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  return (await Promise.all(entries.map((entry) => filesIn(entry, [])))).flat();
}

async function filesIn(entry: FileSystemEntry, folders: readonly string[]): Promise<GivenFile[]> {
  if (isFile(entry)) return [{ file: await new Promise<File>((resolve, reject) => entry.file(resolve, reject)), folders }];
  if (!isFolder(entry)) return [];
  const inside = [...folders, entry.name];
  const children = await childrenOf(entry.createReader());
  if (children.length === 0) return [{ file: null, folders: inside }];
  return (await Promise.all(children.map((child) => filesIn(child, inside)))).flat();
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;

/** Browsers give at most a hundred entries a call. */
async function childrenOf(reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> {
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return all;
    all.push(...some);
  }
}
