import { suggestNames } from "#util/pure";
import { Empty } from "../parts/notice.tsx";
import { routeHash, VIEWS, type View } from "../state/route.ts";

/** What an address may have meant that names no view. */
export function UnknownPage({ address }: { readonly address: string }) {
  const views = Object.keys(VIEWS) as View[];
  const meant = suggestNames(address, views, 1);
  const shown = views.filter((view) => meant.includes(view));
  return (
    <div class="page">
      <h1>No such page</h1>
      <Empty title={`There is no page “${address.slice(0, 80)}”`} icon="search">
        {shown.map((view) => (
          <p key={view}>
            Did you mean <a href={routeHash(view)}>{VIEWS[view]}</a>?
          </p>
        ))}
        <p>
          <a href={routeHash("skills", { q: address.split("/").at(-1) })}>Search the skills for it</a>, or go
          to the <a href={routeHash("overview")}>Overview</a>.
        </p>
      </Empty>
    </div>
  );
}
