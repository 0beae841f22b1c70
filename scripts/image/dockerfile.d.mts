interface Step {
  readonly instruction: string;
  readonly flags: Readonly<Record<string, string>>;
  readonly value: string | readonly string[];
}

interface Stage {
  readonly base: string;
  readonly name: string;
  readonly steps: readonly Step[];
}

export function parseDockerfile(text: string): readonly Stage[];
