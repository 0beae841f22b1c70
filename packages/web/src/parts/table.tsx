import type { ComponentChildren } from "preact";

/** A table that scrolls in a narrow window: columns of text first, then columns of numbers. */
export function Table({
  label,
  texts,
  numbers,
  children,
}: {
  readonly label: string;
  readonly texts: readonly string[];
  readonly numbers: readonly string[];
  readonly children: ComponentChildren;
}) {
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label={label}>
      <table>
        <thead>
          <tr>
            {[...texts, ...numbers].map((title, index) => (
              <th key={title} scope="col" {...(index < texts.length ? {} : { class: "end" })}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
