/** So long that it may have to be broken. */
const LONG = 24;

/** A message of the server; what it has in backticks is code. */
export function Message({ text }: { readonly text: string }) {
  return (
    <>
      {text.split(/`([^`]+)`/).map((part, index) =>
        index % 2 === 0 ? (
          part
        ) : (
          <code key={index} class={part.length < LONG ? "unbroken" : ""}>
            {part}
          </code>
        ),
      )}
    </>
  );
}
