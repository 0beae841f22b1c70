import { useId } from "preact/hooks";
import { type IconName, PATHS } from "./paths.ts";

/** Decorative: whatever it means is said in words beside it. */
export function Icon({ name, size = 16 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg class="icon" width={size} height={size} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}

export function Logo({ size = 26 }: { readonly size?: number }) {
  // One that is not shown would take the gradient of the others with it.
  const fill = useId();
  return (
    <svg class="logo" width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <defs>
        <linearGradient id={fill} x1="0" y1="0" x2="1" y2="1">
          <stop stop-color="#6577f3" />
          <stop offset="1" stop-color="#3140b0" />
        </linearGradient>
      </defs>
      <rect width="32" height="32" rx="8" fill={`url(#${fill})`} />
      <path
        d="M22 10h-9a3 3 0 0 0 0 6h6a3 3 0 0 1 0 6h-9"
        fill="none"
        stroke="#fff"
        stroke-width="2.6"
        stroke-linecap="round"
      />
      <circle cx="22.5" cy="10" r="2.9" fill="#8ff0c0" />
      <circle cx="9.5" cy="22" r="2.9" fill="#fff" />
    </svg>
  );
}
