import { useEffect, useState } from "preact/hooks";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];
export const CONTRASTS = ["system", "normal", "more"] as const;
export type Contrast = (typeof CONTRASTS)[number];

export interface Appearance {
  readonly theme: Theme;
  readonly contrast: Contrast;
  readonly isDark: boolean;
  setTheme(theme: Theme): void;
  setContrast(contrast: Contrast): void;
}

const THEME_KEY = "skills-mcp-theme";
const CONTRAST_KEY = "skills-mcp-contrast";

/** Follows the system's settings until the user chooses. */
export function useAppearance(): Appearance {
  const [theme, setTheme] = useState<Theme>(() => stored(THEME_KEY, THEMES));
  const [contrast, setContrast] = useState<Contrast>(() => stored(CONTRAST_KEY, CONTRASTS));
  const systemDark = useMedia("(prefers-color-scheme: dark)");
  const systemContrast = useMedia("(prefers-contrast: more)");
  const isDark = theme === "dark" || (theme === "system" && systemDark);
  const isMore = contrast === "more" || (contrast === "system" && systemContrast);

  useEffect(() => applyAppearance(isDark, isMore), [isDark, isMore]);
  return {
    theme,
    contrast,
    isDark,
    setTheme(chosen) {
      setTheme(chosen);
      store(THEME_KEY, chosen);
    },
    setContrast(chosen) {
      setContrast(chosen);
      store(CONTRAST_KEY, chosen);
    },
  };
}

/** Before anything is drawn, so that nobody sees the other colours first. */
export function applyStoredAppearance(): void {
  const theme = stored(THEME_KEY, THEMES);
  const contrast = stored(CONTRAST_KEY, CONTRASTS);
  const prefers = (query: string) => matchMedia(query).matches;
  applyAppearance(
    theme === "dark" || (theme === "system" && prefers("(prefers-color-scheme: dark)")),
    contrast === "more" || (contrast === "system" && prefers("(prefers-contrast: more)")),
  );
}

function applyAppearance(isDark: boolean, isMore: boolean): void {
  const { dataset } = document.documentElement;
  dataset["theme"] = isDark ? "dark" : "light";
  dataset["contrast"] = isMore ? "more" : "normal";
}

function useMedia(text: string): boolean {
  const [matches, setMatches] = useState(() => matchMedia(text).matches);
  useEffect(() => {
    const query = matchMedia(text);
    const onChange = (): void => setMatches(query.matches);
    query.addEventListener("change", onChange);
    return () => query.removeEventListener("change", onChange);
  }, [text]);
  return matches;
}

function stored<T extends string>(key: string, values: readonly T[]): T {
  let text: string | null = null;
  try {
    text = localStorage.getItem(key);
  } catch {
    // Without storage the choice lasts until the page is closed.
  }
  return values.find((value) => value === text) ?? (values[0] as T);
}

function store(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // As above.
  }
}
