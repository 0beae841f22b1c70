import { render } from "preact";
import { DashboardApp } from "./app.tsx";
import { takeKeyFromAddress } from "./state/key.ts";
import { applyStoredAppearance } from "./state/theme.ts";

applyStoredAppearance();
takeKeyFromAddress();
const place = document.querySelector("#app");
// What the page shows before its script runs.
place?.replaceChildren();
if (place !== null) render(<DashboardApp />, place);
