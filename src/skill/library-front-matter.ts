/** A file that a library skill brings along. */
export interface DeclaredAsset {
  /** Below the skill's resource folder, with `/`. */
  readonly file: string;
  readonly description: string;
  readonly type: string;
}

export interface ScriptArgument {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
}

/** A script that a library skill brings along. */
export interface DeclaredScript {
  readonly file: string;
  readonly description: string;
  /** `claude`: the agent fetches and runs it. `server`: the server runs it. */
  readonly execution: "claude" | "server";
  readonly args: readonly ScriptArgument[];
}

/** What the front matter of a library skill says, defaults filled in. */
export interface LibraryFrontMatter {
  /** As written; at least one. */
  readonly keywords: readonly string[];
  readonly description: string;
  readonly inherit: boolean;
  readonly priority: number;
  readonly assets: readonly DeclaredAsset[];
  readonly scripts: readonly DeclaredScript[];
}
