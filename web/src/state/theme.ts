import { useEffect, useState } from "preact/hooks";

export type Theme = "system" | "light" | "dark";

const KEY = "skills-mcp-theme";
const NEXT: Readonly<Record<Theme, Theme>> = { system: "light", light: "dark", dark: "system" };

/** Follows the system setting until the user chooses. */
export function useTheme(): { readonly theme: Theme; readonly isDark: boolean; next(): void } {
  const [theme, setTheme] = useState<Theme>(storedTheme);
  const [systemDark, setSystemDark] = useState(() => matchMedia("(prefers-color-scheme: dark)").matches);
  const isDark = theme === "dark" || (theme === "system" && systemDark);

  useEffect(() => {
    const query = matchMedia("(prefers-color-scheme: dark)");
    const onChange = (): void => setSystemDark(query.matches);
    query.addEventListener("change", onChange);
    return () => query.removeEventListener("change", onChange);
  }, []);

  useEffect(() => {
    document.documentElement.dataset["theme"] = isDark ? "dark" : "light";
  }, [isDark]);

  return {
    theme,
    isDark,
    next() {
      const chosen = NEXT[theme];
      setTheme(chosen);
      try {
        localStorage.setItem(KEY, chosen);
      } catch {
        // Without storage the choice lasts until the page is closed.
      }
    },
  };
}

function storedTheme(): Theme {
  try {
    const stored = localStorage.getItem(KEY);
    return stored === "light" || stored === "dark" ? stored : "system";
  } catch {
    return "system";
  }
}
