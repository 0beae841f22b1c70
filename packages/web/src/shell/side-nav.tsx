import { Icon, Logo } from "../icons/icon.tsx";
import { routeHash, VIEWS, type View } from "../state/route.ts";
import { VIEW_TABLE } from "./view-table.ts";

/** A number beside a view, such as what waits there. */
export interface ViewBadge {
  readonly text: string;
  /** What the number counts, for screen readers. */
  readonly meaning: string;
  readonly tone: "bad" | "warn" | "accent";
}
export type ViewBadges = Partial<Record<View, ViewBadge>>;

export const ALL_VIEWS = Object.keys(VIEWS) as View[];

/** The views, beside the content. */
export function SideNav({
  current,
  badges,
  version,
}: {
  readonly current: View;
  readonly badges: ViewBadges;
  readonly version: string | undefined;
}) {
  return (
    <nav class="side" aria-label="Views">
      <a class="brand" href={routeHash("overview")} aria-label="skills-mcp, overview">
        <Logo />
        <span>skills-mcp</span>
      </a>
      <div class="views">
        {ALL_VIEWS.map((view) => (
          <ViewLink key={view} view={view} isCurrent={view === current} badge={badges[view]} />
        ))}
      </div>
      <p class="foot">{version === undefined ? " " : `Version ${version}`}</p>
    </nav>
  );
}

export function ViewLink({
  view,
  isCurrent,
  badge,
  isShort = false,
  onClick,
}: {
  readonly view: View;
  readonly isCurrent: boolean;
  readonly badge: ViewBadge | undefined;
  readonly isShort?: boolean;
  readonly onClick?: () => void;
}) {
  const { icon, key, short } = VIEW_TABLE[view];
  return (
    <a
      href={routeHash(view)}
      title={isShort ? undefined : `${VIEWS[view]} (g, then ${key})`}
      {...(onClick === undefined ? {} : { onClick })}
      {...(isCurrent ? { "aria-current": "page" as const } : {})}
    >
      <Icon name={icon} />
      <span class="label">{isShort ? short : VIEWS[view]}</span>
      {badge === undefined ? null : (
        <span class={`badge ${badge.tone}`}>
          {badge.text}
          <span class="visually-hidden"> {badge.meaning}</span>
        </span>
      )}
    </a>
  );
}
