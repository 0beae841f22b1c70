import { render } from "preact";
import { DashboardApp } from "./app.tsx";

const place = document.querySelector("#app");
if (place !== null) render(<DashboardApp />, place);
