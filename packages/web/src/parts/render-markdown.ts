import createPurifier from "dompurify";
import { Marked } from "marked";

/** Longer texts are truncated; the “Agent text” tab has the rest. */
const MOST_RENDERED = 200_000;

/** Links to other sites. Any other link is to one of the skill's own files, or is dropped. */
const EXTERNAL = /^https?:\/\//i;

/** One instance per page: the Content-Security-Policy allows a single Trusted Types policy. */
const purifier = createPurifier(window);
purifier.addHook("uponSanitizeElement", (node) => {
  // Loading an image would tell a third party who reads this.
  if (!(node instanceof HTMLImageElement)) return;
  const alt = node.getAttribute("alt") || node.getAttribute("src") || "";
  node.replaceWith(document.createTextNode(`[image: ${alt}]`));
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
 * Renders untrusted Markdown to safe elements: no scripts, styles or forms, and nothing that loads by itself. The
 * page's Content-Security-Policy is the second line of defence.
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

/** The skill's name is the heading above the text, so the text's headings start one level lower. */
function lowerHeadings(content: DocumentFragment): void {
  for (const heading of content.querySelectorAll("h1, h2, h3, h4, h5, h6")) {
    const level = Math.min(6, Number(heading.tagName.slice(1)) + 2);
    const lowered = document.createElement(`h${level}`);
    lowered.dataset["level"] = heading.tagName.slice(1);
    lowered.append(...heading.childNodes);
    heading.replaceWith(lowered);
  }
}
