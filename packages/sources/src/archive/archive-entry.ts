/** A file of an archive whose name and size have been checked. */
export interface ArchiveFile {
  /** Relative, with `/`, safe on every system. */
  readonly path: string;
  readonly size: number;
  readonly isExecutable: boolean;
  /** Unpacks and checks the content. */
  read(): Buffer | Promise<Buffer>;
}
