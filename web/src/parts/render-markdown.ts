import createPurifier from "dompurify";
import { Marked } from "marked";

/** More than this is not read on a page; the text itself is a tab away. */
const MOST_RENDERED = 200_000;

/** Whether a link leads to a page elsewhere. Everything else is a file beside the skill, or nothing. */
const EXTERNAL = /^https?:\/\//i;

/** One for the page: its Content-Security-Policy allows a single maker of HTML. */
const purifier = createPurifier(window);
purifier.addHook("uponSanitizeElement", (node) => {
  // A picture would be a request to someone who then knows who reads this.
  if (!(node instanceof HTMLImageElement)) return;
  const alt = node.getAttribute("alt") || node.getAttribute("src") || "";
  node.replaceWith(document.createTextNode(`[picture: ${alt}]`));
});
purifier.addHook("afterSanitizeAttributes", (node) => {
  if (!(node instanceof HTMLAnchorElement)) return;
  const target = node.getAttribute("href") ?? "";
  node.removeAttribute("href");
  if (EXTERNAL.test(target)) {
    node.setAttribute("href", target);
    node.setAttribute("target", "_blank");
    node.setAttribute("rel", "noopener noreferrer");
  } else if (target !== "" && !target.startsWith("#")) {
    node.setAttribute("data-file", target.replace(/^\.\//, "").replace(/#.*$/, ""));
  }
});

/**
 * Turns Markdown from anywhere into elements that can do no harm: no scripts, no styles, no forms, nothing that loads
 * by itself. The page's Content-Security-Policy would stop them too; both must fail before anything runs.
 */
export function renderMarkdown(text: string): { readonly content: DocumentFragment; readonly cut: boolean } {
  const marked = new Marked({ gfm: true, async: false });
  marked.use({ renderer: { checkbox: ({ checked }) => (checked ? "☑ " : "☐ ") } });
  const html = marked.parse(text.slice(0, MOST_RENDERED)) as string;
  const content = purifier.sanitize(html, {
    RETURN_DOM_FRAGMENT: true,
    USE_PROFILES: { html: true },
    FORBID_TAGS: [
      "style",
      "form",
      "input",
      "button",
      "textarea",
      "select",
      "option",
      "dialog",
      "audio",
      "video",
    ],
    FORBID_ATTR: ["style", "class", "id", "name", "target", "srcset", "background", "popover"],
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
  });
  lowerHeadings(content);
  return { content, cut: text.length > MOST_RENDERED };
}

/** The skill's own title stands above its text, so the text's headings begin below it. */
function lowerHeadings(content: DocumentFragment): void {
  for (const heading of content.querySelectorAll("h1, h2, h3, h4, h5, h6")) {
    const level = Math.min(6, Number(heading.tagName.slice(1)) + 2);
    const lowered = document.createElement(`h${level}`);
    lowered.dataset["level"] = heading.tagName.slice(1);
    lowered.append(...heading.childNodes);
    heading.replaceWith(lowered);
  }
}
