/** A file of a skill, as the audit sees it. */
export interface AuditedFile {
  /** Below the skill's folder, with `/`. */
  readonly path: string;
  readonly executable: boolean;
  readonly content: FileContent;
}

export type FileContent =
  /** `cut`: the text is longer, and only this much was read. */
  | { readonly kind: "text"; readonly text: string; readonly cut?: true }
  /** `program`: compiled code for some machine. */
  | { readonly kind: "binary"; readonly program: boolean }
  | { readonly kind: "unread"; readonly reason: string };

/** One skill, as it is on the disk. */
export interface AuditedSkill {
  /** The path of the skill's own file, such as `SKILL.md`. */
  readonly skillFile: string;
  readonly files: readonly AuditedFile[];
  /** What lies in the folder and was not read, with the reason. */
  readonly notRead: readonly NotRead[];
}

export interface NotRead {
  readonly path: string;
  /** A sentence. */
  readonly reason: string;
}
