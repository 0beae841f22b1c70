import type { ComponentType } from "preact";
import type { IconName } from "../icons/paths.ts";
import type { View } from "../state/route.ts";

interface ViewEntry {
  readonly icon: IconName;
  /** After `g`. */
  readonly key: string;
  /** Where there is little room. */
  readonly short: string;
  /** Each view is a file of its own, loaded when it is first shown. */
  readonly load: () => Promise<ComponentType>;
}

export const VIEW_TABLE: Readonly<Record<View, ViewEntry>> = {
  overview: {
    icon: "overview",
    key: "o",
    short: "Overview",
    load: async () => (await import("../overview/overview-view.tsx")).OverviewView,
  },
  skills: {
    icon: "skills",
    key: "s",
    short: "Skills",
    load: async () => (await import("../skills/skills-view.tsx")).SkillsView,
  },
  seen: {
    icon: "seen",
    key: "b",
    short: "Seen by",
    load: async () => (await import("../seen/seen-view.tsx")).SeenView,
  },
  model: {
    icon: "model",
    key: "m",
    short: "Model",
    load: async () => (await import("../model/model-view.tsx")).ModelView,
  },
  try: {
    icon: "try",
    key: "t",
    short: "Try it",
    load: async () => (await import("../try/try-view.tsx")).TryView,
  },
  sources: {
    icon: "sources",
    key: "r",
    short: "Sources",
    load: async () => (await import("../sources/sources-view.tsx")).SourcesView,
  },
  usage: {
    icon: "usage",
    key: "u",
    short: "Usage",
    load: async () => (await import("../usage/usage-view.tsx")).UsageView,
  },
  health: {
    icon: "health",
    key: "h",
    short: "Health",
    load: async () => (await import("../health/health-view.tsx")).HealthView,
  },
  activity: {
    icon: "clock",
    key: "a",
    short: "Activity",
    load: async () => (await import("../activity/activity-view.tsx")).ActivityView,
  },
  review: {
    icon: "shield",
    key: "v",
    short: "Review",
    load: async () => (await import("../review/review-view.tsx")).ReviewView,
  },
};
