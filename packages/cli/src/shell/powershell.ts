import { DEFAULT_COMMAND, type DescribedCommand, type DescribedFlag } from "./describe-commands.ts";

/**
 * The completion of Windows PowerShell 5.1 and later. Where it offers nothing, PowerShell offers files. Names of skills come from
 * files, so a name with anything special is quoted.
 */
export function powershellScript(commands: readonly DescribedCommand[]): string {
  const aliases = commands.flatMap(({ name, aliases: others }) =>
    others.map((alias) => `${quoted(alias)} = ${quoted(name)}`),
  );
  return `# PowerShell completion for skills-mcp
# Put this line into the file that $PROFILE names:  skills-mcp completion powershell | Out-String | Invoke-Expression

Register-ArgumentCompleter -Native -CommandName 'skills-mcp', 'skills-mcp.cmd', 'skills-mcp.ps1' -ScriptBlock {
  param($word, $line, $cursor)
  $commands = [ordered]@{
${commands.map(commandLine).join("\n")}
  }
  $aliases = @{ ${aliases.join("; ")} }
  $program = $line.CommandElements[0].Extent.Text.Trim('"', "'")
  $before = @($line.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursor } | ForEach-Object { $_.Extent.Text })
  $name = ''
  $takesValue = $null
  for ($index = 1; $index -lt $before.Count; $index++) {
    $each = $before[$index]
    $takesValue = $null
    if ($each.StartsWith('-')) {
      $owner = if ($name -eq '') { $commands[${quoted(DEFAULT_COMMAND)}] } else { $commands[$name] }
      if ($owner.Flags.Contains($each) -and $null -ne $owner.Flags[$each]) {
        $takesValue = $owner.Flags[$each]
        if ($index + 1 -lt $before.Count) { $index++; $takesValue = $null }
      }
    } elseif ($name -eq '') {
      $name = if ($aliases.Contains($each)) { $aliases[$each] } else { $each }
      if (-not $commands.Contains($name)) { return }
    }
  }
  $known = if ($name -eq '') { $commands[${quoted(DEFAULT_COMMAND)}] } else { $commands[$name] }
  if ($null -ne $takesValue) { $offered = @($takesValue) }
  elseif ($word.StartsWith('-')) { $offered = @($known.Flags.Keys) + '--help' }
  elseif ($name -eq '') { $offered = @($commands.Keys) + 'help' }
  else { $offered = @($known.Takes) }
  if ("$offered" -eq '<skills>') { $offered = @(& $program list --format names --log-level error 2>$null) }
  elseif ("$offered" -eq '<disabled-skills>') { $offered = @(& $program list --disabled --format names --log-level error 2>$null) }
  elseif ("$offered" -like '<*>') { return }
  foreach ($text in $offered) {
    if (-not $text.StartsWith($word, [StringComparison]::OrdinalIgnoreCase)) { continue }
    $shown = if ($text -match '^[\\w./:-]+$') { $text } else { "'" + $text.Replace("'", "''") + "'" }
    $tip = if ($name -eq '' -and $commands.Contains($text)) { $commands[$text].Summary } else { $text }
    [System.Management.Automation.CompletionResult]::new($shown, $text, 'ParameterValue', $tip)
  }
}
`;
}

function commandLine({ name, summary, flags, arguments: taken }: DescribedCommand): string {
  const words = flags.flatMap((flag) => [
    [`--${flag.name}`, flag] as const,
    ...(flag.short === undefined ? [] : [[`-${flag.short}`, flag] as const]),
  ]);
  // Its keys have no case, and a second one of a name is an error.
  const keys = new Map(
    words.map(([word, flag]) => [word.toLowerCase(), `${quoted(word)} = ${valueOf(flag)}`]),
  );
  const known = [...keys.values()];
  const takes = typeof taken === "string" ? quoted(`<${taken}>`) : listOf(taken);
  return `    ${quoted(name)} = @{ Summary = ${quoted(summary)}; Takes = ${takes}; Flags = [ordered]@{ ${known.join("; ")} } }`;
}

/** The words that a flag takes, or what they are; $null for a flag that takes none. */
function valueOf({ kind }: DescribedFlag): string {
  if (kind === undefined) return "$null";
  return typeof kind === "string" ? quoted(`<${kind}>`) : listOf(kind);
}

function listOf(texts: readonly string[]): string {
  return `@(${texts.map(quoted).join(", ")})`;
}

/** PowerShell takes typographic quotes for plain ones. */
function quoted(text: string): string {
  return `'${text.replaceAll(/['‘’‚‛]/g, "$&$&")}'`;
}
